"""What `noughts.judge` offers, one name a line: type checkers read this file, and so does `__init__.py`."""

from noughts.judge.bench import Verification as Verification
from noughts.judge.certificates import Checked as Checked

__all__: list[str]
