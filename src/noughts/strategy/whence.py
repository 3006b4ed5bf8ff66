"""Which files a policy may name: any where somebody gives it, inside a file only those in its folder and below."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from noughts.domain.errors import InputError, shown
from noughts.machine.names import require_name

__all__ = ["Whence"]

_DEEPEST = 8
"""How many policies may stand one within the other."""


@dataclass(frozen=True)
class Whence:
    """From where a policy is named: by whoever asks, or by a file.

    `within` are the files and dicts that are being read, each of which names the next. `said` is how errors call the
    file in which the name stands, None where whoever asks gave it; `folder` is where that file lies, and not a link to
    it; None for a text that is in no file.
    """

    within: tuple[str, ...] = ()
    said: str | None = None
    folder: Path | None = None

    @property
    def is_written(self) -> bool:
        """Whether the name stands in a file."""
        return self.said is not None

    def path(self, given: str) -> Path:
        """Return the file that is named. Raises InputError for one that a file may not name: links are followed."""
        if self.said is None:
            return Path(given)
        require_name(Path(given))
        names = f"the policy {self.said} names {shown(given, 200)} under 'otherwise'"
        if self.folder is None:
            raise InputError(f"{names}, and is in no file itself: write there what that file holds")
        path, folder = Path(given), Path(os.path.realpath(self.folder))
        leads_out = path.is_absolute() or ".." in path.parts
        if leads_out or not Path(os.path.realpath(folder / path)).is_relative_to(folder):
            raise InputError(f"{names}, which is not in its folder or below: put it there, and name it from there")
        return self.folder / path

    def in_file(self, path: Path) -> Whence:
        """Return from where a file names others. Raises InputError where it is being read already."""
        require_name(path)
        real, said = os.path.realpath(path), shown(str(path), 200)
        if real in self.within:
            raise InputError(f"the policy {said} names itself under 'otherwise': name another there")
        folder = Path(real).parent
        near = os.path.realpath(path.parent) == str(folder)
        return self._inside(real, said, path.parent if near else folder)

    def in_text(self, said: str) -> Whence:
        """Return from where a text that is in no file names others."""
        return self._inside("a text", said, None)

    def in_dict(self) -> Whence:
        """Return from where a dict names others: as freely as what it stands in."""
        return self._inside("a dict", self.said, self.folder)

    def _inside(self, one: str, said: str | None, folder: Path | None) -> Whence:
        return replace(self, within=(*self.within, one), said=said, folder=folder)

    def require_shallow(self) -> None:
        """Raise InputError where too many policies stand one within the other."""
        if len(self.within) > _DEEPEST:
            raise InputError(f"more than {_DEEPEST} policies stand one within the other under 'otherwise': write fewer")
