"""Writes a proof of the outcome of a position; each of its sections is the shortest that is found.

A section `play` is a strategy as text: the answer of one player to every reply, under the rules of the game. It is for
outcomes that neither an attack by threats nor blocking alone proves. The values come from any solution; a judge needs
the text only. docs/reference/proofs.md says what a line means, and which replies need no line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from noughts.machine.budget import is_over
from noughts.machine.workers import Progress, silent
from noughts.rules.board import require_known, require_marking
from noughts.rules.errors import BudgetError, InvalidPosition
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, opponent
from noughts.rules.position import Position, completing_cells
from noughts.rules.symmetry import Group, Permutation
from noughts.solving.attack.attacker import Attacker
from noughts.solving.avoiding import is_avoided, mirror_of
from noughts.solving.bounds import live_lines
from noughts.solving.guarding import Guarding
from noughts.solving.problem import SEARCHED_CELLS
from noughts.solving.proofs import STEALING, Proof, Section, attack_symmetries, generators, proof_text, symmetries_of
from noughts.solving.published import and_known
from noughts.solving.search import SearchSolution
from noughts.solving.solution import Solution
from noughts.solving.stages import Stages
from noughts.solving.weak.breaker import tools_for
from noughts.solving.weak.family import (
    GROUP_LIMIT,
    Tools,
    after_maker,
    least_sets,
    settled_by_pairs,
    struck,
)
from noughts.solving.weak.stopper import CHILD_COST, PAIR_COST, PASS, Stopping

PLAYERS: tuple[Player, Player] = ("X", "O")
WIN_LIMIT = 20_000
"""Attacking positions opened before a win is written as a tree of all replies."""
STOP_LIMIT = 200_000
"""Families opened before a draw is written as a tree of all replies."""
PLAYED_LINES = 500_000
"""Largest number of lines of a tree of all replies."""
PLAYED_BLANKS = 9
"""Up to this number of blanks only a tree of all replies is written, without compiled kernels."""
TRIED_BLANKS = 16
"""Up to this number of blanks both kinds are written, and the shorter is used."""
REPORT = 256
PLAIN_CELLS = 12
"""Up to this number of cells plain Python weighs the lines, without compiled kernels."""

Marks = tuple[Mask, Mask]


def proof_by(
    solution: Solution, position: Position, *, deadline: float | None = None, progress: Progress = silent
) -> Proof:
    """Return a proof of the outcome of a position under best play, for `noughts check`.

    The proof of a win is an attack by threats. The proof of a draw shows for each player that blocking alone stops
    them, or that the second player never wins an empty board; under misere, that the other player avoids lines by
    mirroring, or by pairs and weights after some moves. Otherwise it is a tree of all replies. Where the solution knows
    the outcome from a proof in the package, it is that proof.

    Cost: that of the searches, seconds on boards of 49 cells.

    Parameters
    ----------
    solution:
        the source of the values
    position:
        the position to prove
    deadline:
        when the searches end, on the monotonic clock
    progress:
        a function that is called with the progress

    Raises
    ------
    InvalidPosition
        where the game is over
    BudgetError
        where no proof is found
    """
    board = position.board
    if position.outcome is not None:
        raise InvalidPosition(f"the game is over in {position}: prove an unfinished position")
    require_known(board, "a proof")
    if board.rules.exact:
        require_marking(board, "a proof")
    if board.shape is None:
        raise BudgetError(f"{board} is given by its lines: a proof needs a board with sides, such as 4x9:4")
    carried = solution.carried if isinstance(solution, SearchSolution) else None
    if carried is not None and carried.proof is not None and position == carried.proof.position:
        return carried.proof
    prover = _Prover(solution, position, deadline, progress)
    outcome = solution.outcome(position)
    return prover.draw() if outcome == "draw" else prover.win(outcome)


def attack_text(attacker: Attacker, position: Position, player: Player) -> str:
    """Return the text of the proof that a player wins, by the attack that the attacker found."""
    section = Section(f"win {player}", tuple(attacker.tree(position, player).text()))
    return proof_text(position, f"{player} wins", [section], generators(attack_symmetries(position.board)))


class _Prover:
    """Finds the sections of one proof."""

    def __init__(self, solution: Solution, position: Position, deadline: float | None, progress: Progress) -> None:
        self.solution, self.position, self.board = solution, position, position.board
        self.deadline, self.progress = deadline, progress
        self.stages = solution.stages if isinstance(solution, SearchSolution) else Stages(position.board, "threats")
        self.whole = position.blanks.bit_count() <= TRIED_BLANKS
        self.few = position.blanks.bit_count() <= PLAYED_BLANKS

    def win(self, player: Player) -> Proof:
        """Return the proof that a player wins."""
        tree = self._attack(player)
        played = self._played(player, to_win=True) if tree is None or self.whole else None
        section = self._shorter(tree, played)
        symmetries = generators(attack_symmetries(self.board)) if section is tree else symmetries_of(self.board)
        return self._proof(f"{player} wins", player, [section], symmetries)

    def draw(self) -> Proof:
        """Return the proof that neither player wins."""
        return self._proof("draw", "draw", [self._not_winning(player) for player in PLAYERS], symmetries_of(self.board))

    def _proof(
        self, claim: str, outcome: Outcome, sections: Sequence[Section], symmetries: Sequence[Permutation]
    ) -> Proof:
        text = proof_text(self.position, claim, sections, symmetries)
        return Proof(self.position, outcome, tuple((each.title, len(each.lines)) for each in sections), text)

    def _attack(self, player: Player) -> Section | None:
        if self.board.misere or self.few or not self.board.rules.is_marking or is_over(self.deadline):
            return None
        limit = WIN_LIMIT if self.board.cells <= SEARCHED_CELLS else None
        if not self.stages.attacker.can_force(self.position, player, limit=limit, deadline=self.deadline):
            return None
        return Section(f"win {player}", self._in_time(self.stages.attacker.tree(self.position, player).text()))

    def _not_winning(self, player: Player) -> Section:
        """Return the section that shows that a player does not win."""
        marking = self.board.rules.is_marking
        if player == "O" and self.position.ply == 0 and marking and not self.board.misere:
            return Section(STEALING)
        mirror = mirror_of(self.position, opponent(player)) if marking and self.board.misere else None
        if mirror is not None:
            return Section(f"stop {player} by mirroring", (" ".join(str(int(cell)) for cell in mirror[0]),))
        stopped = None
        if not self.few and marking:
            stopper = self.stages.stopper
            found = stopper.stops(self.position, player, limit=STOP_LIMIT, deadline=self.deadline)
            if isinstance(found, Stopping):
                stopped = Section(f"stop {player}", self._in_time(stopper.section(self.position, player)))
        try_play = stopped is None or (self.whole and len(stopped.lines) > 1)
        played = self._played(opponent(player), to_win=False) if try_play and (self.whole or not self._guards) else None
        if stopped is None and self._guards:
            stopped = self._guarded(player)
        return self._shorter(stopped, played)

    @property
    def _guards(self) -> bool:
        """Whether a section `stop` by threats may be written."""
        board = self.board
        return board.rules.is_marking and not board.misere and not self.few and board.cells <= SEARCHED_CELLS

    def _guarded(self, player: Player) -> Section | None:
        """Return the section in which the opponent stops a player by threats; None where it is too long."""
        breaker = opponent(player)
        guarding = Guarding(self.board, breaker, lambda after: self.holds(after, breaker, to_win=False))
        written = []
        for line in guarding.lines(self.position):
            written.append(line)
            if guarding.count % REPORT == 0:
                self.require_time()
                self.progress(guarding.count, 0, "lines of the proof written")
            if guarding.count > PLAYED_LINES:
                return None
        return Section(f"stop {player} by threats", tuple(written))

    def _played(self, player: Player, *, to_win: bool) -> Section | None:
        """Return the tree of all replies in which a player wins, or does not lose; None where it is too long."""
        title, found = f"play {player} {'to win' if to_win else 'not to lose'}", list[Section]()
        for sparing in (False, True) if self.whole else (False,):
            with suppress(BudgetError):
                found.append(Section(title, tuple(_Play(self, player, to_win, sparing).lines(self.position))))
        return min(found, key=lambda section: section.size, default=None)

    def holds(self, position: Position, player: Player, *, to_win: bool) -> bool:
        """Tell whether a player wins a position, or with `to_win` False whether the player does not lose it."""
        rival = opponent(player)
        if position.outcome is not None:
            return position.outcome == player if to_win else position.outcome != rival
        return self.solution.can_win(position, player if to_win else rival, deadline=self.deadline) == to_win

    def _in_time(self, lines: Iterable[str]) -> tuple[str, ...]:
        """Return lines of the proof. Raises BudgetError after the deadline."""
        written = []
        for line in lines:
            self.require_time()
            written.append(line)
        return tuple(written)

    def require_time(self) -> None:
        """Raise BudgetError after the deadline."""
        if is_over(self.deadline):
            known = and_known(self.position)
            raise BudgetError(f"no proof for {self.position} on {self.board} was found in time: raise --time{known}")

    def _shorter(self, one: Section | None, other: Section | None) -> Section:
        """Return the shorter section, or the first of equal ones. Raises BudgetError where both are None."""
        if one is not None and (other is None or one.size <= other.size):
            return one
        if other is not None:
            return other
        self.require_time()
        raise BudgetError(
            f"no proof of at most {PLAYED_LINES:,} lines was found for {self.position} on {self.board}: choose "
            f"a later position{and_known(self.position)}"
        )


@dataclass(frozen=True)
class _Chosen:
    """A move (None: the opponent is to move), pairs for later play (None: without pairs), and the open replies."""

    move: Cell | None
    pairs: Sequence[Mask] | None
    replies: tuple[Cell, ...]

    def __str__(self) -> str:
        move = PASS if self.move is None else str(int(self.move))
        if self.pairs is None:
            return move
        return " ".join([f"{move} :", *(str(int(cell)) for pair in self.pairs for cell in cells_of(pair))])


class _Weighed(NamedTuple):
    """Lines of the rival, who is to move, pairs against them, the weight that they leave, and whether they stop all."""

    family: Sequence[Mask]
    pairs: Sequence[Mask]
    least: int
    settled: bool


class _Play:
    """A section `play` while it is written: `above` holds the canonical positions that have a line.

    Among the moves that keep the goal, `sparing` chooses the one with the fewest open replies. Otherwise it is the move
    after which pairs of cells leave the least weight.
    """

    def __init__(self, prover: _Prover, player: Player, to_win: bool, sparing: bool) -> None:
        self.prover, self.player, self.to_win, self.sparing = prover, player, to_win, sparing
        board, self.rival = prover.board, opponent(player)
        group = board.group("board")
        self.group = group if group.order <= GROUP_LIMIT else None
        self.above: set[Marks] = set()
        self.count = 0
        self.tools: Tools | None = None
        if not to_win and board.rules.is_marking:
            trivial = Group.trivial(board.cells)
            make = Tools if board.cells <= PLAIN_CELLS else tools_for
            self.tools = make(trivial, board.line_masks)

    def lines(self, position: Position) -> Iterator[str]:
        """Yield the line of a position, and the lines of the positions that follow from it. Raises BudgetError."""
        if position.to_move == self.rival:
            choice = self._answered(position, None, self._weigh(position))
        else:
            choice = self._choose(position)
            self.above.add(self._key(position))
        self.count += 1
        if self.count % REPORT == 0:
            self.prover.require_time()
            self.prover.progress(self.count, 0, "lines of the proof written")
        if self.count > PLAYED_LINES:
            raise BudgetError(f"more than {PLAYED_LINES:,} lines")
        yield str(choice)
        after = position if choice.move is None else position.play(choice.move)
        for reply in choice.replies:
            child = after.play(reply)
            if self._key(child) not in self.above:
                yield from self.lines(child)

    def _key(self, position: Position) -> Marks:
        if self.group is None:
            return position.x, position.o
        return self.group.canonical(position.x, position.o)

    def _choose(self, position: Position) -> _Chosen:
        """Return the player's move in a position where the player can reach the goal."""
        best: _Chosen | None = None
        weighed: list[tuple[int, Cell, Position, _Weighed]] = []
        for cell in cells_of(position.playable):
            after = position.play(cell)
            if after.is_terminal:
                if self.prover.holds(after, self.player, to_win=self.to_win):
                    return _Chosen(cell, None, ())
            elif not after.board.rules.has_threats or not after.playable & completing_cells(
                after.board, after.marks(self.rival), after.blanks
            ):
                seen = self._weigh(after)
                weighed.append((seen.least, cell, after, seen))
        for _, cell, after, seen in sorted(weighed, key=lambda each: each[:2]):
            if best is not None and not (self.sparing and best.replies):
                break
            if seen.settled or self.prover.holds(after, self.player, to_win=self.to_win):
                choice = self._answered(after, cell, seen)
                best = choice if best is None or len(choice.replies) < len(best.replies) else best
        assert best is not None, "a goal is out of reach where a proof needs it"
        return best

    def _weigh(self, after: Position) -> _Weighed:
        """Return the rival's lines with pairs against them; empty where pairs do not help, and under misere.

        Under misere the pairs and the weight are those of the player's own lines.
        """
        if self.tools is None:
            return _Weighed((), (), 0, settled=False)
        if after.board.misere:
            own = least_sets(live_lines(after, self.player))
            least, pairs = self.tools.pairs(self.tools.key(own)[0], maker_moves=False)
            return _Weighed((), pairs, least, settled=is_avoided(least, after, self.player, self.tools.unit))
        key, _ = self.tools.key(least_sets(live_lines(after, self.rival)))
        least, pairs = self.tools.pairs(key, maker_moves=True)
        return _Weighed(self.tools.family(key), pairs, least, settled=least < 1 << self.tools.unit)

    def _answered(self, after: Position, move: Cell | None, seen: _Weighed) -> _Chosen:
        """Return a choice with the open replies."""
        if seen.settled:
            return _Chosen(move, seen.pairs, ())
        replies: dict[Cell, Marks] = {}
        for reply in cells_of(after.playable):
            child = after.play(reply)
            key = self._key(child)
            if not child.is_terminal and key not in self.above:
                replies[reply] = key
        everything = _unlike(replies, replies)
        if self.tools is None or after.board.misere:
            return _Chosen(move, None, everything)
        left, alone = (
            _unlike(replies, [reply for reply in replies if not self._settle(seen.family, pairs, reply)])
            for pairs in (seen.pairs, ())
        )
        if CHILD_COST * (len(alone) - len(left)) > PAIR_COST * len(seen.pairs):
            return _Chosen(move, seen.pairs, left)
        return _Chosen(move, None, everything) if len(alone) == len(everything) else _Chosen(move, (), alone)

    def _settle(self, family: Sequence[Mask], pairs: Sequence[Mask], reply: Cell) -> bool:
        """Tell whether the pairs that are left after a reply stop the lines; the player is to move."""
        assert self.tools is not None
        left = [pair for pair in pairs if not pair >> reply & 1]
        after = struck(after_maker(family, reply))
        return settled_by_pairs(after, left, self.tools.unit) < 1 << self.tools.unit


def _unlike(keys: Mapping[Cell, Marks], replies: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the replies that lead to different keys."""
    first: dict[Marks, Cell] = {}
    for reply in replies:
        first.setdefault(keys[reply], reply)
    return tuple(first.values())
