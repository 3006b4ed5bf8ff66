"""Exact analysis of tic-tac-toe and its relatives."""

from noughts._version import __version__

__all__ = ["__version__"]
