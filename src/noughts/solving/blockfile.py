"""Self-describing files with a checksum per block: a header of JSON, the data, the checksums.

    first line    `noughts block file 1`
    second line   JSON: what the caller says of the data, its `bytes`, `block_bytes`, and the checksums of the table of
                  checksums (`table`) and of the JSON itself (`check`); then spaces up to a multiple of 4096 bytes
    data          as it is, so that it can be mapped into memory
    checksums     CRC-32 of each block of `block_bytes`, unsigned 32 bits, little-endian

CRC-32 detects every error within 32 neighbouring bits, so every changed byte. Nothing depends on the time or the
machine: the same data give the same file.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.machine.files import writing_stream
from noughts.machine.reading import parse_json
from noughts.rules.errors import CheckError

MAGIC = "noughts block file 1"
PAGE = 4096
BLOCK_BYTES = 1 << 20

Bytes = npt.NDArray[np.uint8]


def sealed_json(content: Mapping[str, Any]) -> str:
    """Return one line of JSON with its own checksum under `check`."""
    text = _canonical(content)
    return _canonical({**content, "check": f"{zlib.crc32(text.encode()):08x}"})


def checked_json(text: str, where: object) -> dict[str, Any]:
    """Return the content of `sealed_json`. Raises CheckError where a character has changed."""
    try:
        found = parse_json(text, str(where))
        content = {key: value for key, value in found.items() if key != "check"}
        if sealed_json(content) == text:
            return content
    except (ValueError, AttributeError, RecursionError):
        pass
    raise CheckError(f"the header of {where} is damaged: write the table again")


def _canonical(content: Mapping[str, Any]) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def write_block_file(path: Path, data: Bytes, about: Mapping[str, Any]) -> None:
    """Write data with a header that contains `about`. Memory: 4 bytes a block more than the data."""
    view = data.data
    sums = [zlib.crc32(view[start : start + BLOCK_BYTES]) for start in range(0, len(data), BLOCK_BYTES)]
    table = np.array(sums, "<u4").tobytes()
    content = {**about, "bytes": len(data), "block_bytes": BLOCK_BYTES, "table": f"{zlib.crc32(table):08x}"}
    head = f"{MAGIC}\n{sealed_json(content)}\n".encode()
    head += b" " * (-len(head) % PAGE)
    with writing_stream(path) as stream:
        for part in (head, view, table):
            stream.write(part)


class BlockFile:
    """A block file mapped into memory; each block is checked when it is first read through `byte`.

    Raises CheckError for a damaged file, FileNotFoundError for a missing one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            head = file.read(1 << 16)
        lines = head.split(b"\n", 2)
        if len(lines) < 3 or lines[0] != MAGIC.encode():
            raise CheckError(f"{path} is not a table of this program, or its first line is damaged: write it again")
        self.about = checked_json(lines[1].decode("ascii", "replace"), path)
        start = len(lines[0]) + len(lines[1]) + 2
        data_start = start + (-start % PAGE)
        count = -(-self.about["bytes"] // self.about["block_bytes"])
        expected = data_start + self.about["bytes"] + 4 * count
        if path.stat().st_size != expected or head[start:data_start].strip(b" "):
            raise CheckError(f"{path} is damaged: it should have {expected:,} bytes, and spaces after the header")
        whole: Bytes = np.memmap(path, np.uint8, "c")
        self.data_start = data_start
        self.data: Bytes = whole[data_start : data_start + self.about["bytes"]]
        table = whole[data_start + self.about["bytes"] :].tobytes()
        if f"{zlib.crc32(table):08x}" != self.about["table"]:
            raise CheckError(f"the checksums of {path} are damaged: write the table again")
        self._sums = np.frombuffer(table, "<u4")
        self._checked: set[int] = set()

    def require(self, **expected: object) -> None:
        """Raise CheckError unless the header has these values."""
        for name, value in expected.items():
            if self.about.get(name) != value:
                raise CheckError(
                    f"{self.path} has {name} {self.about.get(name)}, not {value}: it belongs to another table or "
                    "another place; write the table again"
                )

    def byte(self, position: int) -> int:
        """Check the block of a byte of the data and return the byte."""
        self._check_block(position // self.about["block_bytes"])
        return int(self.data[position])

    def check_all(self) -> Bytes:
        """Check every block and return the data."""
        for block in range(len(self._sums)):
            self._check_block(block)
        return self.data

    def _check_block(self, block: int) -> None:
        if block in self._checked:
            return
        start = block * self.about["block_bytes"]
        found = zlib.crc32(self.data[start : start + self.about["block_bytes"]].tobytes())
        if found != self._sums[block]:
            raise CheckError(f"block {block} of {self.path} is damaged: its checksum differs; write the table again")
        self._checked.add(block)
