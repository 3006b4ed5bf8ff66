"""What `noughts.drawing` offers, one name a line: type checkers read this file, and so does `__init__.py`."""

from noughts.drawing.svg import Svg as Svg

__all__: list[str]
