"""From a question to a census: the numbers of positions and games, and the engines that count them."""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
