"""Seals of files that are kept between runs: whether every byte is as it was written, and for what it was written."""

from __future__ import annotations

import zlib
from pathlib import Path

__all__ = ["SEAL_BYTES", "is_sealed", "put_seal"]

SEAL_BYTES = 4
_CHUNK = 1 << 20


def put_seal(path: Path, about: str, at: int | None = None) -> None:
    """Seal a file that was written for what `about` says: at a place whose four bytes mean nothing, else at its end.

    The seal is a CRC-32 of all other bytes, begun from one of `about`. Cost: half a second for a gigabyte.
    """
    if at is None:
        at = path.stat().st_size
    with open(path, "r+b") as file:
        seal = _seal(path, about, at)
        file.seek(at)
        file.write(seal)


def is_sealed(path: Path, about: str, at: int | None = None) -> bool:
    """Return whether a file is just as it was when it was sealed for this.

    Every error within 32 neighbouring bits is seen, and any other but for one in four thousand million. False for a
    file that cannot be read.
    """
    try:
        if at is None:
            at = path.stat().st_size - SEAL_BYTES
        if at < 0:
            return False
        with open(path, "rb") as file:
            file.seek(at)
            found = file.read(SEAL_BYTES)
        return found == _seal(path, about, at)
    except OSError:
        return False


def _seal(path: Path, about: str, at: int) -> bytes:
    total = zlib.crc32(about.encode())
    with open(path, "rb") as file:
        left = at
        while left and (chunk := file.read(min(left, _CHUNK))):
            total = zlib.crc32(chunk, total)
            left -= len(chunk)
        file.seek(at + SEAL_BYTES)
        while chunk := file.read(_CHUNK):
            total = zlib.crc32(chunk, total)
    return total.to_bytes(SEAL_BYTES, "big")
