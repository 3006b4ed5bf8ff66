"""The verbs: what each answers, as a report."""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
