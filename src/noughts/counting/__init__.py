"""From a question to a census: how many positions and games there are, and by which engine."""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
