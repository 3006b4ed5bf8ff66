"""The judge of cribs in files: what a file says of itself, and every reply to every table that it has.

A crib for both players has one table that is played, and a crib of each that is judged: they have to be the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

from noughts.bots.crib.asked import COUNTS, GOALS, CribQuestion
from noughts.bots.crib.judge import Judged, judge_crib, printed, read_card
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import CheckError, InputError, shown
from noughts.domain.extent import require_listed
from noughts.domain.frozen import FrozenDict, short
from noughts.domain.notation import parse_position
from noughts.domain.position import Player, Position
from noughts.machine.reading import require_version
from noughts.verification.certificates.reading import text_under

__all__ = ["CribChecked", "is_crib", "judge_crib_record"]


@dataclass(frozen=True, repr=False)
class CribChecked:
    """What play against a crib meets; of one for both players, of each."""

    board: str
    questions: tuple[CribQuestion, ...]
    met: tuple[Judged, ...]

    def __repr__(self) -> str:
        return f"<CribChecked on {short(self.board)}: {', '.join(each.does for each in self.questions)}>"

    @property
    def boards(self) -> int:
        """Boards met, up to symmetry."""
        return sum(each.boards for each in self.met)

    def as_dict(self) -> dict[str, object]:
        """Return what was met for JSON."""
        sides = [
            {
                "as": question.player,
                "goal": question.goal,
                "own_turns": str(met.own),
                "boards": str(met.boards),
                "outcomes": sorted(met.outcomes),
            }
            for question, met in zip(self.questions, self.met, strict=True)
        ]
        return {"board": self.board, "sides": sides}


_SIDES: FrozenDict[str, Player] = FrozenDict({"x": "X", "o": "O"})
_TELLING = {"as", "goal", "count", "table"}
_EITHER = _TELLING | {"version", "board", "position", "opening", "entries", "proved", "bound"}
_OF_ONE = _EITHER | {"own", "boards", "engine"}
_OF_BOTH = _EITHER | _SIDES.keys()


def is_crib(record: Mapping[str, Any]) -> bool:
    """Tell whether a record is what `noughts crib` writes, though it may lack a key, rather than a policy of another
    kind."""
    return len(_TELLING & record.keys()) > 2


def judge_crib_record(record: Mapping[str, Any]) -> CribChecked:
    """Judge what `noughts crib --format json` wrote.

    Raises CheckError where it does not do what it is for or contradicts itself, InputError where it cannot be read.
    """
    return _judged_pair(record) if record.get("as") == "both" else _judged(record)


def _judged(record: Mapping[str, Any]) -> CribChecked:
    """Judge the crib of one player."""
    player = record.get("as")
    if player not in ("X", "O"):
        raise InputError(f"the crib's 'as' is {shown(player)}: it is one of X, O, both")
    _require_keys(record, _OF_ONE)
    question = _question(record, "X" if player == "X" else "O")
    met = judge_crib(question, _table(record))
    _require_claims(record, _entries(question, met), {"own": met.own, "boards": met.boards})
    return CribChecked(question.board.spec, (question,), (met,))


def _judged_pair(record: Mapping[str, Any]) -> CribChecked:
    """Judge the crib of each player, and that what is played and told of both is what was judged."""
    parts = {side: record.get(side) for side in _SIDES}
    if not all(isinstance(part, dict) and part.get("as") == _SIDES[side] for side, part in parts.items()):
        raise InputError("the crib is for both players, and has no cribs of each under 'x' and 'o'")
    _require_keys(record, _OF_BOTH)
    found = list[CribChecked]()
    judged: dict[str, str] = {}
    for side, part in parts.items():
        assert isinstance(part, dict)
        require_version(f"the crib under {side!r}", part)
        one = judge_crib_record(part)
        _require_same_question(_question(record, _SIDES[side]), one.questions[0], side)
        judged.update(_table(part))
        found.append(one)
    questions, met = tuple(one.questions[0] for one in found), tuple(one.met[0] for one in found)
    _require_same(questions[0].board, _table(record), judged)
    _require_claims(record, sum(map(_entries, questions, met)), {})
    return CribChecked(found[0].board, questions, met)


def _require_keys(record: Mapping[str, Any], known: Set[str]) -> None:
    """Raise InputError for a key that nobody judges, and that may say what is played."""
    other = next((key for key in record if key not in known), None)
    if other is not None:
        raise InputError(f"the crib has {shown(other)}, which cribs have not: take it out, or write the crib anew")


def _require_same_question(whole: CribQuestion, part: CribQuestion, side: str) -> None:
    """Raise CheckError where a crib for both says that it is for something else than the crib of one player says."""
    asked = {"board": "board", "position": "start", "opening": "opening", "goal": "goal", "count": "count"}
    for key, field in asked.items():
        if getattr(whole, field) != getattr(part, field):
            raise CheckError(f"the crib says another {key!r} than the crib under {side!r} does")


def _require_same(board: Board, played: Mapping[str, str], judged: Mapping[str, str]) -> None:
    """Raise CheckError where the table of both is not the tables of each."""
    one, other = read_card(board, played), read_card(board, judged)
    for marks in {**one, **other}:
        if one.get(marks) != other.get(marks):
            under, each = (
                "no move" if cell is None else cell_name(board, cell) for cell in (one.get(marks), other.get(marks))
            )
            raise CheckError(
                f"the crib has {under} for {printed(board, marks)} under 'table', which is played, and {each} under "
                "'x' and 'o', which are judged"
            )


def _require_claims(record: Mapping[str, Any], entries: int, counts: Mapping[str, int]) -> None:
    """Raise CheckError where a file tells of itself what play against it denies, or what denies itself."""
    for key, counted in {**counts, "entries": entries}.items():
        if key in record and (type(record[key]) is not int or record[key] != counted):
            raise CheckError(f"the crib says {key!r} is {shown(record[key])}, and play against it meets {counted:,}")
    bound = record.get("bound")
    if "bound" in record and (type(bound) is not int or not 0 <= bound <= entries):
        raise CheckError(f"the crib says that no table has fewer entries than {shown(bound)}, and it has {entries:,}")
    if "proved" in record and (type(record["proved"]) is not bool or record["proved"] != (bound == entries)):
        raise CheckError(
            f"the crib says 'proved' is {shown(record['proved'])}, where it has {entries:,} entries and the bound "
            f"{shown(bound)}"
        )


def _entries(question: CribQuestion, met: Judged) -> int:
    return met.own if question.count == "own" else met.boards


def _question(record: Mapping[str, Any], player: Player) -> CribQuestion:
    """Return what a file says that a player's crib is for."""
    for key, allowed in (("goal", GOALS), ("count", COUNTS)):
        if record.get(key) not in allowed:
            raise InputError(f"the crib's {key!r} is {shown(record.get(key))}: it is one of {', '.join(allowed)}")
    board = Board.parse(text_under(record, "board"))
    start = parse_position(board, text_under(record, "position")) if "position" in record else Position(board)
    require_listed(start.require_reachable(), "judging a crib")
    opening = None if record.get("opening") is None else parse_cell(board, text_under(record, "opening"))
    return CribQuestion(start, player, record["goal"], record["count"], opening)


def _table(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the table of a crib. Raises InputError where it has none."""
    table = record.get("table")
    if not isinstance(table, dict) or not all(isinstance(cell, str) for cell in table.values()):
        raise InputError("the crib has no 'table' from boards to cells: write it as noughts crib --format json does")
    return table
