#!/usr/bin/env python3
"""Pictures of every kind of page, for a person to look at: scripts/screens FOLDER [PAGE...]

Each page is taken at 360, 768, 1280 and 1920 pixels, in dark, in grey, and as it is printed; PAGE is a part of the
names to take only those. `noughts serve` is started for it on loopback and stopped afterwards; NOUGHTS_BROWSER names
the Chromium to use. The folder is outside the repository.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "start": "/",
    "board": "/3x3",
    "board-rectangle": "/4x5:4",
    "board-cube": "/3x3x3",
    "board-torus": "/3x3+torus",
    "board-misere": "/3x3+misere",
    "position": "/3x3/p/XO_-_X_-__O",
    "position-won": "/3x3/p/XXX-OO_-___",
    "position-drawn": "/3x3/p/XOX-XOO-OXX",
    "position-quiz": "/3x3/p/XO_-_X_-__O?quiz=1",
    "game": "/3x3/g/a1-c3-c1-b1",
    "game-over": "/3x3/g/a1-c3-c1-b1-a3-a2-b2",
    "count": "/3x3/count?same=choices&moves=win&end=decided",
    "whatis": "/whatis?n=26830",
    "openings": "/3x3/openings",
    "tree": "/3x3/tree/reduced",
    "patterns": "/3x3/patterns",
    "endings": "/3x3/endings",
    "positions": "/3x3/positions?ply=5&trap=1",
    "blindfold": "/3x3/blindfold",
    "menace": "/3x3/menace?games=200&seed=1",
    "play": "/3x3/play?x=human&o=perfect",
    "refused": "/9x9/openings",
    "missing": "/3x3/p/XXX-___-___",
}
WAYS = {
    "360": {"viewport": {"width": 360, "height": 740}},
    "768": {"viewport": {"width": 768, "height": 1024}},
    "1280": {"viewport": {"width": 1280, "height": 900}},
    "1920": {"viewport": {"width": 1920, "height": 1080}},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "dark-360": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    "grey": {"viewport": {"width": 1280, "height": 900}},
    "print": {"viewport": {"width": 794, "height": 1123}},
}
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-quic",
         "--disable-component-update", "--disable-sync")  # fmt: skip
_HEIGHT = 6000
"""Pixels of a long page that are taken."""


@contextmanager
def server() -> Iterator[str]:
    """Give the address of a server, which is stopped afterwards."""
    started = subprocess.Popen(
        [sys.executable, "-u", "-m", "noughts", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    try:
        assert started.stdout is not None
        for line in started.stdout:
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                yield found.group()
                return
        raise SystemExit("noughts serve did not say where it is")
    finally:
        started.terminate()
        started.wait(10)


def browser_program() -> str:
    """Return the browser to use."""
    names = [os.environ.get("NOUGHTS_BROWSER"), "chromium", "chromium-browser", "google-chrome"]
    found = next((path for path in (shutil.which(name) for name in names if name) if path), None)
    if found is None:
        raise SystemExit("there is no Chromium: name one with NOUGHTS_BROWSER=/path/to/chromium")
    return found


def go(page: Page, address: str) -> None:
    """Open a page, and wait for the answer where it takes long work."""
    reply = page.goto(address, timeout=30_000)
    if reply is not None and reply.status == 202:
        page.locator("#waiting").wait_for(state="detached", timeout=60_000)
    page.wait_for_load_state()


def take(address: str, folder: Path, wanted: list[str], ways: list[str]) -> int:
    """Take the pictures and return how many there are."""
    from playwright.sync_api import sync_playwright

    taken = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), args=list(FLAGS))
        for way in ways:
            context = browser.new_context(**WAYS[way])  # type: ignore[arg-type]
            page = context.new_page()
            for name, path in PAGES.items():
                if wanted and not any(word in name for word in wanted):
                    continue
                go(page, address + path)
                if way == "print":
                    page.emulate_media(media="print")
                if way == "grey":
                    page.evaluate("document.documentElement.style.filter = 'grayscale(1)'")
                width = WAYS[way]["viewport"]["width"]  # type: ignore[index]
                high = min(_HEIGHT, page.evaluate("document.documentElement.scrollHeight"))
                clip = {"x": 0, "y": 0, "width": width, "height": high}
                page.screenshot(path=folder / f"{name}-{way}.png", full_page=True, clip=clip)
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    print(f"{name} at {way}: {wide} pixels wide")
                taken += 1
            context.close()
        browser.close()
    return taken


def main() -> None:
    """Take the pictures that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--ways", default=",".join(WAYS), help="which of " + ", ".join(WAYS))
    parser.add_argument("--address", help="a server that runs already")
    given = parser.parse_args()
    folder = given.folder.resolve()
    if folder.is_relative_to(ROOT):
        raise SystemExit(f"{folder} is in the repository: name a folder outside")
    folder.mkdir(parents=True, exist_ok=True)
    ways = given.ways.split(",")
    if given.address:
        taken = take(given.address, folder, given.pages, ways)
    else:
        with server() as address:
            taken = take(address, folder, given.pages, ways)
    print(f"{taken} pictures in {folder}")


if __name__ == "__main__":
    main()
