"""What `noughts.rules` offers, one name a line: type checkers read this file, and so does `__init__.py`."""

from noughts.rules.cells import Cells as Cells
from noughts.rules.cells import cell_name as cell_name
from noughts.rules.cells import cells_as as cells_as
from noughts.rules.cells import parse_cell as parse_cell
from noughts.rules.errors import ClusterError as ClusterError
from noughts.rules.errors import FileError as FileError
from noughts.rules.errors import InvalidBoard as InvalidBoard
from noughts.rules.errors import InvalidCell as InvalidCell
from noughts.rules.errors import InvalidPosition as InvalidPosition
from noughts.rules.errors import InvalidQuestion as InvalidQuestion
from noughts.rules.errors import InvalidType as InvalidType
from noughts.rules.play import PlayRules as PlayRules
from noughts.rules.position import format_position as format_position
from noughts.rules.position import parse_position as parse_position
from noughts.rules.registry import add_rules as add_rules
from noughts.rules.symmetry import Group as Group
from noughts.rules.turns import images as images

__all__: list[str]
