"""Exercises for a page: questions about boards, with the answers computed."""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
