"""tests/robust/transcripts: what every verb answers, as it answers now.

python scripts/transcripts.py                   say which have changed
python scripts/transcripts.py --write [VERB...] write them anew: then read what changed
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tests.robust.transcript import FOLDER, played

if __name__ == "__main__":
    verbs = [word for word in sys.argv[1:] if word != "--write"] or sorted(path.stem for path in FOLDER.iterdir())
    with TemporaryDirectory() as cache:
        os.environ["NOUGHTS_CACHE"] = cache
        for verb in verbs:
            path = FOLDER / f"{verb}.txt"
            kept = path.read_text(encoding="utf-8")
            with TemporaryDirectory() as folder:
                now = played(kept, Path(folder))
            if now != kept:
                print(f"{path.relative_to(ROOT)} has changed")
                if "--write" in sys.argv:
                    path.write_text(now, encoding="utf-8")
