"""Decks of cards for Anki, through genanki: the same cards give the same file, and known cards are known again.

Anki knows a note by its identifier, so that a deck that is imported anew updates cards and does not double them.
"""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from itertools import count
from typing import Any

from noughts.machine.packages import package

__all__ = ["AnkiCard", "anki_deck", "require_genanki"]

_MADE = 946_684_800
"""The time that all cards bear, so that the same cards give the same file: the year 2000."""
_MODEL = 1_718_204_431
_FIELDS = ("Question", "Board", "Hints", "Answer", "Solution", "Explanation")
_FRONT = "<p>{{Question}}</p>{{Board}}{{#Hints}}<details><summary>Hints</summary>{{Hints}}</details>{{/Hints}}"
_BACK = "<p>{{Question}}</p><p><b>{{Answer}}</b></p>{{Solution}}{{Explanation}}"
_STYLE = ".card { font-family: sans-serif; font-size: 20px; text-align: center } svg { max-width: 100%; height: auto }"


@dataclass(frozen=True)
class AnkiCard:
    """A card: what makes it the same card, the question, pictures of the board as SVG, hints, answer, explanation."""

    key: str
    question: str
    board: str
    hints: Sequence[str]
    answer: str
    solution: str
    explanation: Sequence[str]
    tags: Sequence[str] = ()


def require_genanki() -> Any:
    """Return the package genanki. Raises InputError where it is not installed."""
    return package("genanki", "a deck for Anki", "ask for jsonl")


def anki_deck(name: str, cards: Sequence[AnkiCard]) -> bytes:
    """Return a deck as a file for Anki (.apkg), the cards in their order. Raises InputError without genanki."""
    genanki = require_genanki()
    model = genanki.Model(
        _MODEL,
        "noughts puzzle",
        fields=[{"name": field} for field in _FIELDS],
        templates=[{"name": "Puzzle", "qfmt": _FRONT, "afmt": _BACK}],
        css=_STYLE,
    )
    deck = genanki.Deck(_number(name), name)
    for card in cards:
        fields = [
            escape(card.question),
            card.board,
            _paragraphs(card.hints),
            escape(card.answer),
            card.solution,
            _paragraphs(card.explanation),
        ]
        guid = genanki.guid_for("noughts puzzle", card.key)
        deck.add_note(genanki.Note(model=model, fields=fields, guid=guid, tags=[_tag(tag) for tag in card.tags]))
    return _packed(genanki.Package(deck))


def _number(name: str) -> int:
    """Return the number of a deck, always the same for its name."""
    return 2**30 + int.from_bytes(sha256(name.encode()).digest()[:4], "big") // 4


def _tag(words: str) -> str:
    """Return words as a tag, which has no spaces."""
    return words.replace(" ", "-").rstrip("?")


def _paragraphs(sentences: Sequence[str]) -> str:
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)


def _packed(made: Any) -> bytes:
    """Return a package as bytes, its collection written in memory: nothing is left among temporary files."""
    database = sqlite3.connect(":memory:")
    try:
        made.write_to_db(database.cursor(), _MADE, count(_MADE * 1000))
        database.commit()
        collection = bytes(database.serialize())
    finally:
        database.close()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, data in (("collection.anki2", collection), ("media", json.dumps({}).encode())):
            archive.writestr(zipfile.ZipInfo(file, (2000, 1, 1, 0, 0, 0)), data)
    return packed.getvalue()
