"""Boards, symmetries, positions and rules: plain Python, no arrays."""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
