"""Write requirements/tested.txt: the version of every package with which the tests were last run.

    scripts/pins.py --write

pip is asked what it would install today for the tests and the pages in a browser, without installing
it. `scripts/venv` holds the environments of tests to these versions where they can be had. Run it to move on to newer
ones, then `make test`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PINS = ROOT / "requirements" / "tested.txt"
EXTRAS = "all,test,browser"
HEAD = """\
# Versions with which the tests were run, for `scripts/venv`; written by scripts/pins.py. Constraints, no requirements:
# what is installed, and which versions may be, stands in pyproject.toml.
"""


def resolved() -> dict[str, str]:
    """Return what pip would install into an empty environment, by name."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    said = subprocess.run([*command, f"{ROOT}[{EXTRAS}]"], capture_output=True, text=True, check=True).stdout
    found = [each["metadata"] for each in json.loads(said)["install"]]
    return {each["name"].lower().replace("_", "-"): each["version"] for each in found if each["name"] != "noughts"}


def main() -> None:
    """Write the file, or print what would stand there."""
    text = HEAD + "".join(f"{name}=={version}\n" for name, version in sorted(resolved().items()))
    if "--write" in sys.argv[1:]:
        PINS.parent.mkdir(exist_ok=True)
        PINS.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
