"""Judges a certificate in a file or on standard input: finds out its kind, and plays every reply."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts.analysis.policies.policy import Policy
from noughts.analysis.policies.reading import held_policy
from noughts.analysis.policies.table import FilePolicy
from noughts.analysis.solutions import solution_for
from noughts.blindfold.certificate import document_of, from_json, from_text
from noughts.blindfold.game import FORMAT, PROOF_FORMAT, Strategy
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

    Raises FileError for a file that cannot be read. Raises InputError for a folder, for a pipe without a writer, for
    bytes that are not text, and for a text that is too long.
    """
    try:
        if str(path) != STANDARD_INPUT:
            return read_text(Path(path), label="it")
        data = sys.stdin.buffer.read(SIZE_LIMIT + 1)
        if len(data) > SIZE_LIMIT:
            raise InputError(f"it has more than {SIZE_LIMIT // 2**20} MB, the limit for a certificate")
        return data.decode("utf-8")
    except InputError:
        raise
    except IsADirectoryError:
        raise InputError("it is a folder: name a file, or judge a table with noughts verify DIRECTORY") from None
    except UnicodeDecodeError:
        raise InputError("it is not a certificate: some of its bytes are not text") from None
    except (OSError, ValueError) as error:
        raise FileError(f"it cannot be read: {getattr(error, 'strerror', None) or error}") from None


def text_under(record: Mapping[str, Any], key: str) -> str:
    """Return the text under a key of a JSON certificate. Raises InputError for a value that is not text."""
    value = record.get(key)
    if not isinstance(value, str):
        raise InputError(f"{key!r} is {shown(value)}: it must be text")
    return value


# The judge of cribs plays every reply to every table, and checks what the file claims about itself.
#
# A crib for both players has one table to play from, and one crib for each player, which is judged. They must agree.


@dataclass(frozen=True, repr=False)
class CribChecked:
    """What play against a crib meets, for each player of the crib."""

    board: str
    questions: tuple[CribQuestion, ...]
    met: tuple[Judged, ...]

    def __repr__(self) -> str:
        return f"<CribChecked on {short(self.board)}: {', '.join(each.does for each in self.questions)}>"

    @property
    def boards(self) -> int:
        """Number of boards met, up to symmetry."""
        return sum(each.boards for each in self.met)

    def as_dict(self) -> dict[str, object]:
        """Return the result for JSON."""
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
_TYPICAL = {"as", "goal", "count", "table"}
_EITHER = _TYPICAL | {"version", "board", "position", "opening", "entries", "proved", "bound"}
_OF_ONE = _EITHER | {"own", "boards", "engine"}
_OF_BOTH = _EITHER | _SIDES.keys()


def judge_crib_record(record: Mapping[str, Any]) -> CribChecked:
    """Judge what `noughts crib --format json` wrote.

    Raises CheckError where the crib misses its goal or contradicts itself, InputError where it cannot be read.
    """
    return _judged_pair(record) if record.get("as") == "both" else _judged(record)


def _judged(record: Mapping[str, Any]) -> CribChecked:
    """Judge the crib of one player."""
    player = record.get("as")
    if player not in ("X", "O"):
        raise InputError(f"the crib's 'as' is {shown(player)}: choose X, O or both")
    _require_keys(record, _OF_ONE)
    question = _question(record, "X" if player == "X" else "O")
    met = judge_crib(question, _table(record))
    _require_claims(record, _entries(question, met), {"own": met.own, "boards": met.boards})
    return CribChecked(question.board.spec, (question,), (met,))


def _judged_pair(record: Mapping[str, Any]) -> CribChecked:
    """Judge the crib of each player; check that the table and the counts for both players agree with these cribs."""
    parts = {side: record.get(side) for side in _SIDES}
    if not all(isinstance(part, dict) and part.get("as") == _SIDES[side] for side, part in parts.items()):
        raise InputError("the crib is for both players, but lacks a crib for each under 'x' and 'o'")
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
    """Raise InputError for an unknown key: it might change what is played, and it would not be judged."""
    other = next((key for key in record if key not in known), None)
    if other is not None:
        raise InputError(f"the crib has the unknown key {shown(other)}: remove it, or write the crib again")


def _require_same_question(whole: CribQuestion, part: CribQuestion, side: str) -> None:
    """Raise CheckError where a crib for both players and the crib of one player are for different questions."""
    fields = {"board": "board", "position": "start", "opening": "opening", "goal": "goal", "count": "count"}
    for key, field in fields.items():
        if getattr(whole, field) != getattr(part, field):
            raise CheckError(f"the crib and the crib under {side!r} have different values of {key!r}")


def _require_same(board: Board, played: Mapping[str, str], judged: Mapping[str, str]) -> None:
    """Raise CheckError where the table for both players differs from the tables of each player."""
    one, other = read_card(board, played), read_card(board, judged)
    for marks in {**one, **other}:
        if one.get(marks) != other.get(marks):
            under, each = (
                "no move" if cell is None else cell_name(board, cell) for cell in (one.get(marks), other.get(marks))
            )
            raise CheckError(
                f"for {printed(board, marks)} the crib has {under} under 'table', and {each} under 'x' and 'o'"
            )


def _require_claims(record: Mapping[str, Any], entries: int, counts: Mapping[str, int]) -> None:
    """Raise CheckError where the counts in a file differ from those of play against it, or contradict each other."""
    for key, counted in {**counts, "entries": entries}.items():
        if key in record and (type(record[key]) is not int or record[key] != counted):
            raise CheckError(f"the crib says {key!r} is {shown(record[key])}, and play against it meets {counted:,}")
    bound = record.get("bound")
    if "bound" in record and (type(bound) is not int or not 0 <= bound <= entries):
        raise CheckError(f"the crib has the lower bound {shown(bound)}, but only {entries:,} entries")
    if "proved" in record and (type(record["proved"]) is not bool or record["proved"] != (bound == entries)):
        raise CheckError(
            f"the crib says 'proved' is {shown(record['proved'])}, but it has {entries:,} entries and the bound "
            f"{shown(bound)}"
        )


def _entries(question: CribQuestion, met: Judged) -> int:
    return met.own if question.count == "own" else met.boards


def _question(record: Mapping[str, Any], player: Player) -> CribQuestion:
    """Return the question that a player's crib answers, as the file states it."""
    for key, allowed in (("goal", GOALS), ("count", COUNTS)):
        if record.get(key) not in allowed:
            raise InputError(f"the crib's {key!r} is {shown(record.get(key))}: choose {', '.join(allowed)}")
    board = Board.parse(text_under(record, "board"))
    start = parse_position(board, text_under(record, "position")) if "position" in record else Position(board)
    require_listed(start.require_reachable(), "judging a crib")
    opening = None if record.get("opening") is None else parse_cell(board, text_under(record, "opening"))
    return CribQuestion(start, player, record["goal"], record["count"], opening)


def _table(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the table of a crib. Raises InputError for a crib without one."""
    table = record.get("table")
    if not isinstance(table, dict) or not all(isinstance(cell, str) for cell in table.values()):
        raise InputError("the crib has no 'table' from boards to cells: write it as noughts crib --format json does")
    return table


# The judge of policies plays every move that a policy allows against every reply, to the end of every game.
#
# It takes the lines of the board from the judge of proofs, which computes them from the specification.

MOST_POSITIONS = 2_000_000
"""Largest number of positions that the judge plays for one side; some minutes."""


@dataclass(frozen=True)
class SideChecked:
    """Results of a policy as one player.

    `outcomes` are those that its games can have. `lost` holds the moves of one lost game; None: it never loses.
    """

    player: Player
    positions: int
    outcomes: tuple[str, ...]
    lost: tuple[Cell, ...] | None


@dataclass(frozen=True, repr=False)
class PolicyChecked:
    """Results of a policy against every reply, as each player that it has moves for.

    `lacks` says which move is missing for the other player.
    """

    board: Board
    sides: tuple[SideChecked, ...]
    lacks: str | None = None

    def __repr__(self) -> str:
        return f"<PolicyChecked on {short(self.board)}, as {' and '.join(side.player for side in self.sides)}>"

    def as_dict(self) -> dict[str, object]:
        """Return the result for JSON; `lost` lists the cells of a game."""
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
    """Play every move that a policy file allows against every reply, as each player that it has moves for.

    A policy may lack `as` and a rule for positions that it does not list. Then it plays each side for which it has a
    move at every position that its own moves can lead to. Cost: proportional to the positions that can arise.

    Parameters
    ----------
    record:
        the policy as its file holds it
    name:
        the name of the policy in messages
    path:
        the file that it was read from; where None, the policy must not refer to another file

    Raises
    ------
    InputError
        for a policy that cannot be read, or that can play neither side
    BudgetError
        where it meets more than `MOST_POSITIONS` positions
    """
    board = Board.parse(text_under(record, "board"))
    chosen = held_policy(board, name, record, path)
    given = record.get("as")
    players: list[Player] = ["X", "O"] if given not in ("X", "O") else [given]
    judge = _PolicyJudge(board, chosen)
    sides = []
    missing = None
    for player in players:
        try:
            sides.append(judge.side(player))
        except InputError as error:
            missing = error
    if missing is not None and (not sides or given in ("X", "O")):
        raise missing
    return PolicyChecked(board, tuple(sides), None if missing is None else str(missing))


class _PolicyJudge:
    """Plays a policy on the lines of the specification."""

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
            cells = self._cells(x, o, mover == player)
            if not cells:  # it concedes
                outcomes.add(opponent(player))
                lost = lost or tuple(self._moves(came, (x, o)))
            for cell in cells:
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
                            f"the policy meets more than {MOST_POSITIONS:,} positions on {self.board}: allow fewer "
                            "moves at each position"
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


# Finds out the kind of a certificate, and calls its judge.

Found = Judgement | StrategyVerdict | ProofVerdict | CribChecked | PolicyChecked

_UNKNOWN = (
    f"it is not a certificate: a proof begins with {FIRST!r}, a blindfold strategy with {FORMAT!r}, and other kinds "
    "are JSON"
)


@dataclass(frozen=True, repr=False)
class Checked:
    """The verdict on one certificate.

    `kind` is proof, blindfold strategy, blindfold value, crib or policy; None where the kind is unknown. `found` is
    the result of its judge; None where the judge raised an error. `error` says why it does not hold; None where it
    holds.
    """

    name: str
    kind: str | None
    found: Found | None
    error: NoughtsError | None = None

    def __repr__(self) -> str:
        return f"<Checked {short(self.name)}: {self.kind or 'unknown kind'}, {'holds' if self.holds else 'fails'}>"

    @property
    def holds(self) -> bool:
        """Whether the certificate shows what it claims."""
        return self.error is None

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict for JSON; `found` is the result of the judge."""
        return {
            "file": self.name,
            "kind": self.kind,
            "holds": self.holds,
            "error": None if self.error is None else str(self.error),
            "exit_code": 0 if self.error is None else self.error.exit_code,
            "found": None if self.found is None else self.found.as_dict(),
        }


def check(path: str | Path | Policy, *, time: float | str | None = None) -> Checked:
    """Judge the certificate in a file (`-`: standard input) and return what it shows, or why it does not hold.

    A policy that is for one board may stand for its file. Reads proofs, blindfold strategies, blindfold values, cribs
    and policies. The judge plays every reply, and shares no code with the program that found the certificate.
    `noughts.check(FILE).holds` is True where the certificate holds. A bad file raises nothing: the error is in `error`.
    After `time` (seconds or `10s`) it is a BudgetError. Raises InputError for what is neither a file nor a policy, and
    for a value that is not a time.

    Cost: playing all replies; seconds for a proof of 10,000 positions.
    """
    if not isinstance(path, str | Path | Policy):
        raise wrong_type("a file", path, "the name of a file, a Path, or a policy")
    seconds, name = None if time is None else seconds_of(time), path.name if isinstance(path, Policy) else str(path)
    try:
        text = json.dumps(path.as_dict()) if isinstance(path, Policy) else read_certificate(path)
        file = None if isinstance(path, Policy) or name == STANDARD_INPUT else Path(path)
        return judge_text(text, name, file) if seconds is None else apart(seconds, judge_text, text, name, file)
    except NoughtsError as error:
        return Checked(name, None, None, error)
    except TooLate:
        late = f"the judge did not play every reply within {format_duration(seconds or 0)}: raise --time"
        return Checked(name, None, None, BudgetError(late))


def judge_text(text: str, name: str = "the certificate", file: Path | None = None) -> Checked:
    """Judge the text of a certificate, as `check` does; `file` is where it was read from, if anywhere."""
    kind: str | None = None
    try:
        kind, document = _kind(text)
        found, wrong = _JUDGES[kind](text, document, name, file)
    except NoughtsError as error:
        return Checked(name, kind, None, error)
    except RecursionError:
        return Checked(name, kind, None, InputError("it is nested too deeply for a certificate"))
    return Checked(name, kind, found, None if wrong is None else CheckError(wrong))


def _kind(text: str) -> tuple[str, Any]:
    """Return the kind of a certificate, and its JSON if it has any. Raises InputError for an unknown kind."""
    if not text.strip():
        raise InputError("it is empty, not a certificate")
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
    if len(_TYPICAL & document.keys()) > 2:  # a crib may lack a key
        return "crib", document
    if "board" in document and not document.keys().isdisjoint(("moves", "bot", "table", "otherwise")):
        return "policy", document
    raise InputError(_UNKNOWN)


def _strategy(text: str, document: Any, name: str, file: Path | None) -> tuple[Found, str | None]:
    strategy = from_text(text) if document is None else from_json(document)
    verdict = judge_strategy(strategy)
    if verdict.holds:
        return verdict, altered_answer(document, strategy)
    return verdict, (
        f"the strategy does not keep its claim ({strategy.goal}): of {verdict.games:,} games "
        f"it loses {verdict.losses:,} and draws {verdict.draws:,}"
    )


def altered_answer(document: object, strategy: Strategy) -> str | None:
    """Return which entry of an answer differs from what the solver finds again, None where none does.

    Only entries are compared that the solver gives quickly. An answer about one opening is not solved again.
    """
    if not isinstance(document, Mapping) or "strategy" not in document or strategy.rules.opening_told:
        return None
    from noughts.blindfold.session import solve_blindfold

    try:
        again = solve_blindfold(strategy.board, strategy.rules, goal=strategy.goal, start=document.get("from"))
    except BudgetError:
        return None
    found = dict(_leaves({**again.as_dict(), "strategy": None, "left_out": None}))
    named = {} if strategy.board.specification else {"board": None}  # the strategy has its lines
    for entry, value in _leaves({**document, "strategy": None, "left_out": None, **named}):
        if entry in found and found[entry] != value:
            return f"the file has {shown(value)} as {' '.join(entry)}, but it is {shown(found[entry])}"
    return None


def _leaves(value: object, entry: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield the entries of a record with their names, without those that were not computed."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield from _leaves(below, (*entry, str(key)))
    elif value is not None:
        yield entry, value


def _value(text: str, document: Any, name: str, file: Path | None) -> tuple[Found, str | None]:
    verdict = judge_value(document)
    low, high = verdict.claimed
    wrong = f"it claims {low} to {high}, but its strategies guarantee {verdict.lower} to {verdict.upper}"
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
