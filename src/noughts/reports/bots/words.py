"""Bots as words of a command."""

from __future__ import annotations

import shlex

from noughts.strategy.policies import GRADES, POLICIES
from noughts.strategy.versus import BEST

__all__ = ["word_of"]


def word_of(name: str) -> str | None:
    """Return the word by which a command is asked about a bot of this name again, None where no command knows it."""
    known = name in (*POLICIES, *GRADES, BEST) or name.startswith("program:")
    text = name.startswith("genome:") or name.endswith(".json")
    return shlex.quote(name) if known or (text and " (" not in name) else None
