"""What is kept of work under way: what a kill leaves between two steps is tidied by whoever goes on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from noughts.counting.checkpoints import Checkpoints


class Killed(Exception):
    """Stands for a kill."""


def test_arrays_that_a_kill_left_behind_a_result_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Checkpoints(tmp_path)
    store.keep_arrays("sweep", {"numbers": np.arange(3)})

    def die(path: Path, missing_ok: bool = False) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", die)
        with pytest.raises(Killed):
            store.keep_result("sweep", {"count": "3"})
    left = {path.suffix for path in tmp_path.iterdir()}
    assert left == {".npz", ".json"}
    assert Checkpoints(tmp_path).result("sweep") == {"count": "3"}
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]
