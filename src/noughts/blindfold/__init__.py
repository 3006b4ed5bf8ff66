"""Blindfold play: information sets, strategies, certificates and their judge."""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
