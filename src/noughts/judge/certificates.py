"""The text of a certificate, from a file or from standard input, no longer than a certificate is; and what it holds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts.analysis.policies.reading import held_policy
from noughts.analysis.policies.table import FilePolicy
from noughts.analysis.solutions import solution_for
from noughts.blindfold.certificate import document_of, from_json, from_text
from noughts.blindfold.game import FORMAT, PROOF_FORMAT
from noughts.blindfold.judge import ProofVerdict
from noughts.blindfold.judge import Verdict as StrategyVerdict
from noughts.blindfold.judge import judge as judge_strategy
from noughts.blindfold.judge import judge_proof as judge_value
from noughts.bots.crib_judge import COUNTS, GOALS, CribQuestion, Judged, judge_crib, printed, read_card
from noughts.judge.proofs.ground import ProofBoard, read_ground
from noughts.judge.proofs.judge import FIRST, Judgement, judge_proof
from noughts.machine.apart import TooLate, apart
from noughts.machine.budget import format_duration, seconds_of
from noughts.machine.reading import SIZE_LIMIT, read_text, require_version
from noughts.rules.arguments import wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import BudgetError, CheckError, FileError, InputError, NoughtsError, shown
from noughts.rules.game import require_listed
from noughts.rules.marks import Cell, Mask, Player, cells_of, opponent
from noughts.rules.position import Position, parse_position
from noughts.rules.values import FrozenDict, short

STANDARD_INPUT = "-"


def read_certificate(path: str | Path) -> str:
    """Return the text in a file; `-` is standard input.

    Raises FileError for a file that cannot be read, and InputError for one that is too long, is a folder, is a pipe
    that nobody writes to, or is no text.
    """
    try:
        if str(path) != STANDARD_INPUT:
            return read_text(Path(path), label="it")
        data = sys.stdin.buffer.read(SIZE_LIMIT + 1)
        if len(data) > SIZE_LIMIT:
            raise InputError(f"it has more than {SIZE_LIMIT // 2**20} MB: no certificate is so long")
        return data.decode("utf-8")
    except InputError:
        raise
    except IsADirectoryError:
        raise InputError("it is a folder: name a file, or judge a table with noughts verify DIRECTORY") from None
    except UnicodeDecodeError:
        raise InputError("it is no certificate: it holds bytes that are no text") from None
    except (OSError, ValueError) as error:
        raise FileError(f"it cannot be read: {getattr(error, 'strerror', None) or error}") from None


def text_under(record: Mapping[str, Any], key: str) -> str:
    """Return the text that a certificate of JSON has under a key. Raises InputError where it is none."""
    value = record.get(key)
    if not isinstance(value, str):
        raise InputError(f"{key!r} is {shown(value)}: it must be a text")
    return value


# The judge of cribs in files: what a file says of itself, and every reply to every table that it has.
#
# A crib for both players has one table that is played, and a crib of each that is judged: they have to be the same.


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


# The judge of policies: every move that a table allows, against every reply, to the end of every game.
#
# The table is read as it is written; lines, turns of play and outcomes are those of the specification of the board,
# computed again by the judge of proofs.

MOST_POSITIONS = 200_000
"""So many positions of one side are met before a policy is refused: it would take minutes."""


@dataclass(frozen=True)
class SideChecked:
    """How a policy fares as one player: `outcomes` that its games can have, and `lost`, the moves of one it loses."""

    player: Player
    positions: int
    outcomes: tuple[str, ...]
    lost: tuple[Cell, ...] | None


@dataclass(frozen=True, repr=False)
class PolicyChecked:
    """How a policy fares against every reply, as each player for whom it has moves; `lacks` says what it lacks."""

    board: Board
    sides: tuple[SideChecked, ...]
    lacks: str | None = None

    def __repr__(self) -> str:
        return f"<PolicyChecked on {short(self.board)}, as {' and '.join(side.player for side in self.sides)}>"

    def as_dict(self) -> dict[str, object]:
        """Return it for JSON; `lost` is a game by its cells."""
        sides = [
            {
                "as": side.player,
                "never_loses": side.lost is None,
                "positions": str(side.positions),
                "outcomes": list(side.outcomes),
                "lost": None if side.lost is None else [cell_name(self.board, cell) for cell in side.lost],
            }
            for side in self.sides
        ]
        return {"board": self.board.spec, "sides": sides, "lacks": self.lacks}


def judge_policy(record: Mapping[str, Any], name: str, path: Path | None = None) -> PolicyChecked:
    """Play every move that a policy file allows against every reply, as each player for whom it has moves.

    A policy without `as` and without a rule for what is not listed plays the sides for which it has moves wherever its
    own moves can lead. It was read from the file `path`; where that is None it may name no file. Raises InputError for
    a policy that cannot be read or plays for neither side, BudgetError where it meets too many positions. Cost: the
    positions that it lets arise.
    """
    board = Board.parse(text_under(record, "board"))
    chosen = held_policy(board, name, record, path)
    given = record.get("as")
    players: list[Player] = ["X", "O"] if given not in ("X", "O") else [given]
    court = _PolicyCourt(board, chosen)
    sides = []
    missing = None
    for player in players:
        try:
            sides.append(court.side(player))
        except InputError as error:
            missing = error
    if missing is not None and (not sides or given in ("X", "O")):
        raise missing
    return PolicyChecked(board, tuple(sides), None if missing is None else str(missing))


class _PolicyCourt:
    """Plays a policy by the lines of the specification."""

    def __init__(self, board: Board, chosen: FilePolicy) -> None:
        self.board, self.policy = board, chosen
        self.ground: ProofBoard = read_ground(board.spec)
        self.solution = solution_for(Position(board)) if chosen.needs_values else None

    def side(self, player: Player) -> SideChecked:
        """Play one side against every reply. Raises InputError at a position for which the policy has no move."""
        came: dict[tuple[Mask, Mask], tuple[tuple[Mask, Mask], Cell] | None] = {(0, 0): None}
        waiting: list[tuple[Mask, Mask]] = [(0, 0)]
        outcomes: set[str] = set()
        lost: tuple[Cell, ...] | None = None
        while waiting:
            x, o = waiting.pop()
            mover: Player = "X" if x.bit_count() == o.bit_count() else "O"
            for cell in self._cells(x, o, mover == player):
                after = (x | 1 << cell, o) if mover == "X" else (x, o | 1 << cell)
                outcome = self._outcome(after, mover, cell)
                if outcome is not None:
                    outcomes.add(outcome)
                    if outcome == opponent(player) and lost is None:
                        lost = (*self._moves(came, (x, o)), cell)
                elif after not in came:
                    came[after] = ((x, o), cell)
                    waiting.append(after)
                    if len(came) > MOST_POSITIONS:
                        raise BudgetError(
                            f"the policy meets more than {MOST_POSITIONS:,} positions on {self.board}: judge a smaller "
                            "one, or one with fewer moves at each position"
                        )
        return SideChecked(player, len(came), tuple(sorted(outcomes)), lost)

    def _cells(self, x: Mask, o: Mask, own: bool) -> list[Cell]:
        blanks = list(cells_of(self.ground.full & ~x & ~o))
        if not own or not blanks:
            return blanks
        return list(cells_of(self.policy.moves(Position(self.board, x, o), self.solution)))

    def _outcome(self, after: tuple[Mask, Mask], mover: Player, cell: Cell) -> str | None:
        marks = after[0] if mover == "X" else after[1]
        if any(line & ~marks == 0 for line in self.ground.through[cell]):
            return opponent(mover) if self.ground.is_misere else mover
        return "draw" if after[0] | after[1] == self.ground.full else None

    def _moves(self, came: Mapping[Any, Any], at: tuple[Mask, Mask]) -> list[Cell]:
        found: list[Cell] = []
        while (step := came[at]) is not None:
            at, cell = step
            found.insert(0, cell)
        return found


# Tells of which kind a certificate is, and lets its judge play it out.

Found = Judgement | StrategyVerdict | ProofVerdict | CribChecked | PolicyChecked

_UNKNOWN = (
    f"it is no certificate: a proof begins with {FIRST!r}, a blindfold strategy with {FORMAT!r}, and cribs, policies "
    "and blindfold values are JSON as noughts writes it"
)


@dataclass(frozen=True, repr=False)
class Checked:
    """What came of one certificate.

    `kind` is proof, blindfold strategy, blindfold value, crib or policy, None where it is none of them. `found` is what
    its judge says, None where it does not hold or cannot be read; `error` says why not, else it is None.
    """

    name: str
    kind: str | None
    found: Found | None
    error: NoughtsError | None = None

    def __repr__(self) -> str:
        return f"<Checked {short(self.name)}: {self.kind or 'no certificate'}, {'holds' if self.holds else 'fails'}>"

    @property
    def holds(self) -> bool:
        """Whether it holds."""
        return self.error is None

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON; `found` is what its judge says."""
        return {
            "file": self.name,
            "kind": self.kind,
            "holds": self.holds,
            "error": None if self.error is None else str(self.error),
            "exit_code": 0 if self.error is None else self.error.exit_code,
            "found": None if self.found is None else self.found.as_dict(),
        }


def check(path: str | Path, *, time: float | str | None = None) -> Checked:
    """Judge the certificate in a file (`-`: standard input) and return what it shows, or why it does not hold.

    Reads proofs, blindfold strategies and values, cribs and policies. Every reply is played, by code that shares
    nothing with what found the certificate. `noughts.check(FILE).holds` tells; nothing is raised for a bad file, whose
    error is in `error`; after `time` (seconds or `10s`) that is a BudgetError. Cost: what it takes to play all replies;
    seconds for a proof of 10,000 positions. Raises InputError for what is no file name and no time.
    """
    if not isinstance(path, str | Path):
        raise wrong_type("a file", path, "the name of a file, or a Path")
    seconds, name = None if time is None else seconds_of(time), str(path)
    try:
        text = read_certificate(path)
        file = None if name == STANDARD_INPUT else Path(path)
        return judge_text(text, name, file) if seconds is None else apart(seconds, judge_text, text, name, file)
    except NoughtsError as error:
        return Checked(name, None, None, error)
    except TooLate:
        late = f"not every reply was played within {format_duration(seconds or 0)}: raise --time"
        return Checked(name, None, None, BudgetError(late))


def judge_text(text: str, name: str = "the certificate", file: Path | None = None) -> Checked:
    """Judge a certificate given as text, which was read from a `file` or from none; as `check`."""
    kind: str | None = None
    try:
        kind, document = _kind(text)
        found, wrong = _JUDGES[kind](text, document, name, file)
    except NoughtsError as error:
        return Checked(name, kind, None, error)
    except RecursionError:
        return Checked(name, kind, None, InputError("it is nested too deeply: no game is so long"))
    return Checked(name, kind, found, None if wrong is None else CheckError(wrong))


def _kind(text: str) -> tuple[str, Any]:
    """Return of which kind a certificate is, and what it holds as JSON. Raises InputError where it is none."""
    if not text.strip():
        raise InputError("it is empty: no certificate")
    if text.startswith("noughts proof"):
        return "proof", None
    if text.lstrip().startswith((FORMAT, "#")):
        return "blindfold strategy", None
    document = document_of(text)
    if not isinstance(document, dict):
        raise InputError(_UNKNOWN)
    require_version("it", document)
    if document.get("format") == PROOF_FORMAT:
        return "blindfold value", document
    if document.get("format") == FORMAT or "strategy" in document:
        return "blindfold strategy", document
    if len(_TELLING & document.keys()) > 2:  # what noughts crib writes, though it may lack a key
        return "crib", document
    if "board" in document and not document.keys().isdisjoint(("moves", "bot", "table", "otherwise")):
        return "policy", document
    raise InputError(_UNKNOWN)


def _strategy(text: str, document: Any, name: str, file: Path | None) -> tuple[Found, str | None]:
    strategy = from_text(text) if document is None else from_json(document)
    verdict = judge_strategy(strategy)
    if verdict.holds:
        return verdict, None
    return verdict, (
        f"the strategy does not keep its claim ({strategy.goal}): {verdict.losses:,} of {verdict.games:,} games are "
        f"lost and {verdict.draws:,} drawn"
    )


def _value(text: str, document: Any, name: str, file: Path | None) -> tuple[Found, str | None]:
    verdict = judge_value(document)
    low, high = verdict.claimed
    wrong = f"it claims {low} to {high}, and its strategies guarantee {verdict.lower} to {verdict.upper}"
    return verdict, None if verdict.holds else wrong


def _policy(text: str, document: Any, name: str, file: Path | None) -> tuple[Found, str | None]:
    verdict = judge_policy(document, shown(name, 200), file)
    losing = [side.player for side in verdict.sides if side.lost is not None]
    return verdict, f"the policy can lose as {' and as '.join(losing)}" if losing else None


_JUDGES: dict[str, Callable[[str, Any, str, Path | None], tuple[Found, str | None]]] = {
    "proof": lambda text, document, name, file: (judge_proof(text), None),
    "blindfold strategy": _strategy,
    "blindfold value": _value,
    "crib": lambda text, document, name, file: (judge_crib_record(document), None),
    "policy": _policy,
}
