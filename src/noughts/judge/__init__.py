"""Judges certificates and proofs, and computes the published numbers again."""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
