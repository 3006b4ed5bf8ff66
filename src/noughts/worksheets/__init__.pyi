"""What `noughts.worksheets` offers, one name a line: type checkers read this file, and so does `__init__.py`."""

from noughts.worksheets.exercise import Exercise as Exercise
from noughts.worksheets.exercise import Worksheet as Worksheet

__all__: list[str]
