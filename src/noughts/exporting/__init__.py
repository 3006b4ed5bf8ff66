"""Data to download: tables, databases, graphs and the static site."""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
