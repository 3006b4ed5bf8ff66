#!/usr/bin/env python3
"""The picture of the explorer in the page on the explorer: docs/pictures/explorer.png, taken in Chromium.

Without Chromium or playwright it stays as it is, and that is said. NOUGHTS_BROWSER names the Chromium to use.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from screens import FLAGS, browser_program, go, server

TARGET = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "explorer.png"
PAGE = "/3x3/p/X__-_O_-__X"
SIZE = {"width": 1120, "height": 720}
LARGEST = 150_000
"""Bytes that the picture has at most."""


def take() -> None:
    """Take the picture of the page as it opens, in light colours. Raises SystemExit where it is too large."""
    from playwright.sync_api import sync_playwright

    with server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), args=list(FLAGS))
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        go(page, address + PAGE)
        made = page.screenshot()
        browser.close()
    if len(made) > LARGEST:
        raise SystemExit(f"the picture has {len(made):,} bytes: it may have {LARGEST:,}")
    TARGET.write_bytes(made)


def main() -> None:
    """Take the picture where that can be done here."""
    if importlib.util.find_spec("playwright") is None:
        print("the picture of the explorer is left as it is: playwright is not installed (pip install -e '.[browser]')")
        return
    try:
        browser_program()
    except SystemExit as missing:
        print(f"the picture of the explorer is left as it is: {missing}")
        return
    take()


if __name__ == "__main__":
    main()
