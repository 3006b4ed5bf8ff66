"""From a board to the value of its positions."""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
