"""Options that write a policy: a file of moves that `versus` plays."""

from __future__ import annotations

import json
from pathlib import Path

from noughts.cli.sink import put_file
from noughts.domain.errors import InputError, shown
from noughts.machine.files import require_writable

__all__ = ["policy_path", "save_policy"]


def policy_path(given: str | None) -> Path | None:
    """Return the path of --save. Raises InputError for a name that no verb would take for a policy, before any work."""
    if given is None:
        return None
    if not given.endswith(".json"):
        raise InputError(f"--save {shown(given)} would be no policy file: end its name in .json")
    path = Path(given)
    require_writable(path)
    return path


def save_policy(path: Path, policy: dict[str, object]) -> None:
    """Write a policy file."""
    put_file(path, (json.dumps(policy, indent=1) + "\n").encode())
