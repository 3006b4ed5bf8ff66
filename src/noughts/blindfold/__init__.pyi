"""What `noughts.blindfold` offers, one name a line: type checkers read this file, and so does `__init__.py`."""

from noughts.blindfold.game import BlindRules as BlindRules
from noughts.blindfold.game import Strategy as Strategy
from noughts.blindfold.inquiry import BlindAnswer as BlindAnswer

__all__: list[str]
