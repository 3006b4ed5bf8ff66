"""What `noughts.exporting` offers, one name a line: type checkers read this file, and so does `__init__.py`."""

from noughts.exporting.api import QueryResult as QueryResult
from noughts.exporting.api import Written as Written
from noughts.exporting.files import to_networkx as to_networkx

__all__: list[str]
