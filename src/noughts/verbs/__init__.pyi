"""What `noughts.verbs` offers, one name a line: type checkers read this file, and so does `__init__.py`."""

from noughts.verbs.conventions import Conventions as Conventions
from noughts.verbs.conventions import matrix as matrix
from noughts.verbs.sequences import Terms as Terms
from noughts.verbs.sequences import sequence as sequence

__all__: list[str]
