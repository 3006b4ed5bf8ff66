#!/usr/bin/env python3
"""Pictures of every kind of page, for a person to look at: scripts/screens.py FOLDER [PAGE...] [--film]

Each page is taken at 360, 390, 768, 1280 and 1920 pixels in light and dark, in grey, and as it is printed; PAGE is a
part of the names to take only those. `index.html` and `contact-sheet.png` show the tops of all pages, a row each.
`--film` takes twelve pictures of a game on a telephone instead, from the start page to its review; `film.png` has all.
`noughts serve` is started for it on loopback and stopped afterwards; NOUGHTS_BROWSER names the Chromium to use. The
folder is outside the repository.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    "board-wild": "/3x3+wild",
    "board-gravity": "/6x7:4+gravity",
    "board-several": "/3x3+notakto*3",
    "board-order": "/6x6:5+order",
    "position": "/3x3/p/XO_-_X_-__O",
    "position-cube": "/3x3x3/p/X__-___-___--___-_O_-___--___-___-___",
    "position-several": "/3x3+notakto*2/p/X__-_X_-___--___-___-X__",
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
    "play-gravity": "/4x4:3+gravity/play?g=b4-c4",
    "play-order": "/4x4:4+order/play?o=human&g=Xb2-Oc3",
    "play-wild": "/3x3+wild/play?g=Xb2&mark=O",
    "play-blind": "/3x3/play?blind=X&g=b2-a1",
    "match": "/3x3/match?x=best&o=block",
    "same": "/3x3/same?first=X.O/.X./..O&second=O.X/.X./O..",
    "crib": "/3x3/crib",
    "sheets": "/3x3/sheets?seed=1",
    "api": "/api",
    "puzzle": "/3x3/puzzles?try=2&move=b1",
    "puzzles": "/3x3/puzzles",
    "rules": "/rules",
    "embed": "/embed",
    "refused": "/9x9/openings",
    "missing": "/3x3/p/XXX-___-___",
}
SIZES = ((360, 740), (390, 844), (768, 1024), (1280, 900), (1920, 1080))
WAYS: dict[str, Any] = {
    **{f"{width}": {"viewport": {"width": width, "height": height}} for width, height in SIZES},
    **{
        f"dark-{width}": {"viewport": {"width": width, "height": height}, "color_scheme": "dark"}
        for width, height in SIZES
    },
    "grey": {"viewport": {"width": 1280, "height": 900}},
    "print": {"viewport": {"width": 794, "height": 1123}},
}
FILM = (
    "#cell-a1", "#more", "#hint", "#hint", "#values", "#cell-b1", "#cell-a3", "text=The whole game", "#move-3", "#undo",
    "#cell-c1",
)  # fmt: skip
"""What is tapped after the start page: a move, hints, values, a mistake, a loss, its review, and a better move."""
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
            context = browser.new_context(**WAYS[way], reduced_motion="reduce")
            page = context.new_page()
            for name, path in PAGES.items():
                if wanted and not any(word in name for word in wanted):
                    continue
                go(page, address + path)
                if way == "print":
                    page.emulate_media(media="print")
                if way == "grey":
                    page.evaluate("document.documentElement.style.filter = 'grayscale(1)'")
                width = WAYS[way]["viewport"]["width"]
                high = min(_HEIGHT, page.evaluate("document.documentElement.scrollHeight"))
                clip = {"x": 0, "y": 0, "width": width, "height": high}
                page.screenshot(path=folder / f"{name}-{way}.png", full_page=True, clip=clip)
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    print(f"{name} at {way}: {wide} pixels wide")
                taken += 1
            context.close()
        contact_sheet(browser.new_page(viewport={"width": 200 * len(ways) + 140, "height": 800}), folder, ways)
        browser.close()
    return taken


def film(address: str, folder: Path) -> int:
    """Take the pictures of a game on a telephone, and one of all, and return how many they are."""
    from playwright.sync_api import sync_playwright

    names = [f"film-{number:02}.png" for number in range(1, len(FILM) + 2)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), args=list(FLAGS))
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        page = context.new_page()
        go(page, f"{address}/?seed=5")
        for name, tapped in zip(names, ("", *FILM), strict=True):
            if tapped:
                before = page.url
                page.locator(tapped).first.tap()
                page.wait_for_function("before => location.href !== before", arg=before)
            page.wait_for_timeout(600)  # until the strokes are drawn
            page.screenshot(path=folder / name)
        pictures = "".join(f'<img src="{name}" width="260">' for name in names)
        (folder / "film.html").write_text(f"<!DOCTYPE html><title>Film</title>{pictures}\n")
        sheet = browser.new_page(viewport={"width": 1610, "height": 800})
        sheet.goto((folder / "film.html").as_uri())
        sheet.screenshot(path=folder / "film.png", full_page=True)
        browser.close()
    return len(names)


def contact_sheet(page: Page, folder: Path, ways: list[str]) -> None:
    """Write one page with the tops of all pictures in the folder, a row for each page, and take its picture."""
    rows = ""
    for name in PAGES:
        pictures = [folder / f"{name}-{way}.png" for way in ways]
        cells = "".join(f'<td><img src="{each.name}" alt="{each.stem}"></td>' for each in pictures if each.exists())
        rows += f"<tr><th>{name}</th>{cells}</tr>\n" if cells else ""
    style = "img{width:190px;height:260px;object-fit:cover;object-position:top;border:1px solid #888}th{width:120px}"
    heads = "".join(f"<th>{way}</th>" for way in ("", *ways))
    text = f"<!DOCTYPE html><title>Pages</title><style>{style}</style><table><tr>{heads}</tr>\n{rows}</table>\n"
    (folder / "index.html").write_text(text)
    page.goto((folder / "index.html").as_uri())
    page.screenshot(path=folder / "contact-sheet.png", full_page=True, timeout=300_000)


def main() -> None:
    """Take the pictures that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--ways", default=",".join(WAYS), help="which of " + ", ".join(WAYS))
    parser.add_argument("--film", action="store_true", help="a game on a telephone, from the start page to its review")
    parser.add_argument("--address", help="a server that runs already")
    given = parser.parse_args()
    folder = given.folder.resolve()
    if folder.is_relative_to(ROOT):
        raise SystemExit(f"{folder} is in the repository: name a folder outside")
    folder.mkdir(parents=True, exist_ok=True)
    ways = given.ways.split(",")
    with nullcontext(given.address) if given.address else server() as address:
        taken = film(address, folder) if given.film else take(address, folder, given.pages, ways)
    print(f"{taken} pictures in {folder}")


if __name__ == "__main__":
    main()
