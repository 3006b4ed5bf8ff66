"""Bots: policies bred, judged on every line, reduced to a card, taught by beads; each is a `Policy`."""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
