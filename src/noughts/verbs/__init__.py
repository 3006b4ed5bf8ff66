"""The verbs: their requests, answers and reports."""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
