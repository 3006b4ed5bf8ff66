"""What `noughts.counting` offers, one name a line: type checkers read this file, and so does `__init__.py`."""

from noughts.counting.census import Census as Census
from noughts.counting.census import PlyCounts as PlyCounts
from noughts.counting.census import Totals as Totals
from noughts.counting.question import Question as Question

__all__: list[str]
