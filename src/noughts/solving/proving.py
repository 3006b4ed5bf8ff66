"""What a solution says of a position, proved: the sections of a certificate, each the shortest that is found.

A section `play` is a strategy as text: what one player answers to every reply, by the rules as they are. It is for what
neither an attack by threats nor blocking alone shows. The values come from any solution; a judge follows the text
alone. What a line says, and which replies need none, is in the reference page on proofs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from noughts.machine.budget import is_over
from noughts.machine.workers import Progress, silent
from noughts.rules.errors import BudgetError, InvalidPosition
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, opponent
from noughts.rules.position import Position
from noughts.rules.symmetry import Group, Permutation
from noughts.solving.attack.attacker import Attacker
from noughts.solving.bounds import live_lines
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
"""Attacking positions opened before a win is written as a tree of all replies instead, where values are known."""
STOP_LIMIT = 200_000
"""Families opened before a draw is written so."""
PLAYED_LINES = 500_000
"""No tree of all replies is longer."""
PLAYED_BLANKS = 9
"""With so few blanks left nothing else is written: no kernel is compiled for it."""
TRIED_BLANKS = 16
"""With so many blanks left both kinds are written, and the shorter is taken."""
REPORT = 256
PLAIN_CELLS = 12
"""Up to so many cells lines are weighed in plain Python: nothing is compiled."""

Marks = tuple[Mask, Mask]


def proof_by(
    solution: Solution, position: Position, *, deadline: float | None = None, progress: Progress = silent
) -> Proof:
    """Return a certificate of the outcome of a position under best play, as a solution says, for `noughts check`.

    A win is an attack by threats; a draw is for each player that blocking alone stops them, or that the second player
    never wins an empty board. Where that does not show it, and under misere, it is a tree of all replies. Raises
    InvalidPosition where the game is over, BudgetError where no proof is found. Where the package carries the proof by
    which the solution knows the outcome, it is that. Cost: that of the searches, seconds on boards of 49 cells; the
    `deadline`, on the monotonic clock, ends them.
    """
    board = position.board
    if position.outcome is not None:
        raise InvalidPosition(f"the game is over in {position}: there is nothing left to prove")
    if board.shape is None:
        raise BudgetError(
            f"{board} is given by its lines: a proof can be about a board that its sizes name, such as 4x9:4"
        )
    carried = solution.carried if isinstance(solution, SearchSolution) else None
    if carried is not None and carried.proof is not None and position == carried.proof.position:
        return carried.proof
    prover = _Prover(solution, position, deadline, progress)
    outcome = solution.outcome(position)
    return prover.draw() if outcome == "draw" else prover.win(outcome)


def attack_text(attacker: Attacker, position: Position, player: Player) -> str:
    """Return the text of the proof that a player wins by the attack that the attacker has found."""
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
        return self._proof("draw", "draw", [self._kept(player) for player in PLAYERS], symmetries_of(self.board))

    def _proof(
        self, claim: str, outcome: Outcome, sections: Sequence[Section], symmetries: Sequence[Permutation]
    ) -> Proof:
        text = proof_text(self.position, claim, sections, symmetries)
        return Proof(self.position, outcome, tuple((each.title, len(each.lines)) for each in sections), text)

    def _attack(self, player: Player) -> Section | None:
        if self.board.misere or self.few or is_over(self.deadline):
            return None
        limit = WIN_LIMIT if self.board.cells <= SEARCHED_CELLS else None
        if not self.stages.attacker.can_force(self.position, player, limit=limit, deadline=self.deadline):
            return None
        return Section(f"win {player}", self._in_time(self.stages.attacker.tree(self.position, player).text()))

    def _kept(self, player: Player) -> Section:
        """Return the section that a player does not win."""
        if player == "O" and self.position.ply == 0 and not self.board.misere:
            return Section(STEALING)
        stopped = None
        if not self.few:
            stopper = self.stages.stopper
            found = stopper.stops(self.position, player, limit=STOP_LIMIT, deadline=self.deadline)
            if isinstance(found, Stopping):
                stopped = Section(f"stop {player}", self._in_time(stopper.section(self.position, player)))
        try_play = stopped is None or (self.whole and len(stopped.lines) > 1)
        return self._shorter(stopped, self._played(opponent(player), to_win=False) if try_play else None)

    def _played(self, player: Player, *, to_win: bool) -> Section | None:
        """Return the tree of all replies by which a player wins, or does not lose; None where it is too long."""
        title, found = f"play {player} {'to win' if to_win else 'not to lose'}", list[Section]()
        for sparing in (False, True) if self.whole else (False,):
            with suppress(BudgetError):
                found.append(Section(title, tuple(_Play(self, player, to_win, sparing).lines(self.position))))
        return min(found, key=lambda section: section.size, default=None)

    def holds(self, position: Position, player: Player, *, to_win: bool) -> bool:
        """Tell whether a player wins a position, or else does not lose it."""
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
            raise BudgetError(
                f"the proof for {self.position} on {self.board} was not found in time: raise --time{known}"
            )

    def _shorter(self, one: Section | None, other: Section | None) -> Section:
        """Return the shorter section, of equals the first. Raises BudgetError where there is none."""
        if one is not None and (other is None or one.size <= other.size):
            return one
        if other is not None:
            return other
        self.require_time()
        raise BudgetError(
            f"no proof of at most {PLAYED_LINES:,} lines was found for {self.position} on {self.board}: ask about "
            f"a later position{and_known(self.position)}"
        )


@dataclass(frozen=True)
class _Chosen:
    """A move, None where the opponent is to move; the pairs that are kept for later, None for none; what they leave."""

    move: Cell | None
    pairs: Sequence[Mask] | None
    replies: tuple[Cell, ...]

    def __str__(self) -> str:
        move = PASS if self.move is None else str(int(self.move))
        if self.pairs is None:
            return move
        return " ".join([f"{move} :", *(str(int(cell)) for pair in self.pairs for cell in cells_of(pair))])


class _Weighed(NamedTuple):
    """Lines of the rival, to move, pairs that nearly stop them, and whether they do: by what weight they leave."""

    family: Sequence[Mask]
    pairs: Sequence[Mask]
    least: int
    settled: bool


class _Play:
    """A section `play` as far as it is written: `above` are the canonical positions that have a line.

    Of the moves that keep the goal, `sparing` takes the one that leaves fewest replies to be answered; otherwise it is
    the one after which pairs of cells nearly suffice.
    """

    def __init__(self, prover: _Prover, player: Player, to_win: bool, sparing: bool) -> None:
        self.prover, self.player, self.to_win, self.sparing = prover, player, to_win, sparing
        board, self.rival = prover.board, opponent(player)
        group = board.group("board")
        self.group = group if group.order <= GROUP_LIMIT else None
        self.above: set[Marks] = set()
        self.count = 0
        self.tools: Tools | None = None
        if not to_win and not board.misere:
            trivial = Group.trivial(board.cells)
            make = Tools if board.cells <= PLAIN_CELLS else tools_for
            self.tools = make(trivial, board.line_masks)

    def lines(self, position: Position) -> Iterator[str]:
        """Yield the lines of a position that has none yet and those of what follows from it. Raises BudgetError."""
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
        """Return the player's move in a position in which the goal can be reached."""
        best: _Chosen | None = None
        weighed: list[tuple[int, Cell, Position, _Weighed]] = []
        for cell in cells_of(position.blanks):
            after = position.play(cell)
            if after.is_terminal:
                if self.prover.holds(after, self.player, to_win=self.to_win):
                    return _Chosen(cell, None, ())
            elif after.board.misere or not after.threats(self.rival):
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
        """Return the rival's lines with pairs against them; nothing where pairs are of no use."""
        if self.tools is None:
            return _Weighed((), (), 0, settled=False)
        key, _ = self.tools.key(least_sets(live_lines(after, self.rival)))
        least, pairs = self.tools.pairs(key, maker_moves=True)
        return _Weighed(self.tools.family(key), pairs, least, settled=least < 1 << self.tools.unit)

    def _answered(self, after: Position, move: Cell | None, seen: _Weighed) -> _Chosen:
        """Return a choice with the replies that it leaves."""
        if seen.settled:
            return _Chosen(move, seen.pairs, ())
        replies: dict[Cell, Marks] = {}
        for reply in cells_of(after.blanks):
            child = after.play(reply)
            key = self._key(child)
            if not child.is_terminal and key not in self.above:
                replies[reply] = key
        everything = _unlike(replies, replies)
        if self.tools is None:
            return _Chosen(move, None, everything)
        left, alone = (
            _unlike(replies, [reply for reply in replies if not self._settle(seen.family, pairs, reply)])
            for pairs in (seen.pairs, ())
        )
        if CHILD_COST * (len(alone) - len(left)) > PAIR_COST * len(seen.pairs):
            return _Chosen(move, seen.pairs, left)
        return _Chosen(move, None, everything) if len(alone) == len(everything) else _Chosen(move, (), alone)

    def _settle(self, family: Sequence[Mask], pairs: Sequence[Mask], reply: Cell) -> bool:
        """Tell whether the pairs that a reply leaves settle the lines after it, the player to move."""
        assert self.tools is not None
        left = [pair for pair in pairs if not pair >> reply & 1]
        after = struck(after_maker(family, reply))
        return settled_by_pairs(after, left, self.tools.unit) < 1 << self.tools.unit


def _unlike(keys: Mapping[Cell, Marks], replies: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the replies without those that lead to a position like one before."""
    first: dict[Marks, Cell] = {}
    for reply in replies:
        first.setdefault(keys[reply], reply)
    return tuple(first.values())
