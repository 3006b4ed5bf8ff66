from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numba

SCRIPT = "import numpy; from noughts.kernels.layers.images import next_set; print(next_set(numpy.uint64(3)))"


def test_what_an_earlier_version_compiled_is_not_looked_into(tmp_path: Path) -> None:
    """It may name records that are no more; it is compiled again, and kept instead."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", "NUMBA_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False
        )
        assert (run.stdout, run.stderr) == ("5\n", "")
        (index,) = tmp_path.rglob("*.nbi")
        with index.open("rb") as file:
            assert pickle.load(file)[0] == numba.__version__
        index.write_bytes(pickle.dumps(numba.__version__) + b"cnoughts.kernels.layers.records\nNoSuchRecord\n.")
