"""What to play and why: explanations, openings, trees, patterns, puzzles, records, and meanings of numbers."""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
