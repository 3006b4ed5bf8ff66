"""A strategy as text: what one player answers to every reply, by the rules as they are; a section `play` of a proof.

It is for what neither an attack by threats nor blocking alone shows. The values come from any solution; a judge follows
the text alone. What a line says, and which replies need none, is in the reference page on proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from noughts.machine.budget import is_over
from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InvalidPosition
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, opponent
from noughts.rules.position import Position
from noughts.rules.symmetry import Group
from noughts.solving.attack.attacker import Attacker
from noughts.solving.bounds import live_lines
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
from noughts.solving.weak.stopper import PASS, Stopping

CHILD_COST, PAIR_COST = 25, 6
"""What a line and a pair take up, about, in characters."""
REPORT = 256
PLAIN_CELLS = 12


@dataclass(frozen=True)
class Aim:
    """What a player is to reach: a win, or with `to_win` False no loss. `holds` tells it of a position, open or not."""

    player: Player
    to_win: bool
    holds: Callable[[Position], bool]


def play_lines(
    position: Position, goal: Aim, *, sparing: bool, most: int, watch: Callable[[int], None] = lambda lines: None
) -> Iterator[str]:
    """Yield the lines of a section by which a player reaches a goal from an open position where it can be reached.

    Of the moves that keep it, `sparing` takes the one that leaves fewest replies to be answered; otherwise it is the
    one after which pairs of cells nearly suffice. Raises BudgetError after `most` lines; `watch` is told how many
    there are.
    """
    return _PlayText(position, goal, sparing, most, watch).lines(position)


@dataclass(frozen=True)
class _Chosen:
    """A move, None where the opponent is to move; the pairs that are kept for later, None for none; what they leave."""

    move: Cell | None
    pairs: Sequence[Mask] | None
    replies: tuple[Cell, ...]

    def __str__(self) -> str:
        move = PASS if self.move is None else str(self.move)
        if self.pairs is None:
            return move
        return " ".join([f"{move} :", *(str(cell) for pair in self.pairs for cell in cells_of(pair))])


class _PlayText:
    """The section as far as it is written: `above` are the canonical positions that have a line."""

    def __init__(self, root: Position, goal: Aim, sparing: bool, most: int, watch: Callable[[int], None]) -> None:
        self.root, self.goal, self.sparing, self.most, self.watch = root, goal, sparing, most, watch
        board = root.board
        group = board.group("board")
        self.group = group if group.order <= GROUP_LIMIT else None
        self.rival = opponent(goal.player)
        self.above: set[tuple[Mask, Mask]] = set()
        self.count = 0
        self.may_pair = not goal.to_win and not board.misere
        self.tools = _tools(board) if self.may_pair else None

    def lines(self, position: Position) -> Iterator[str]:
        """Yield the lines of a position that has none yet and those of what follows from it."""
        choice = self._pass(position) if position.to_move == self.rival else self._choose(position)
        if choice.move is not None:
            self.above.add(self._key(position))
        self.count += 1
        if self.count % REPORT == 0:
            self.watch(self.count)
        if self.count > self.most:
            raise BudgetError(
                f"the proof about {self.root} on {self.root.board} has more than {self.most:,} lines: ask about a "
                "later position"
            )
        yield str(choice)
        after = position if choice.move is None else position.play(choice.move)
        for reply in choice.replies:
            child = after.play(reply)
            if self._key(child) not in self.above:
                yield from self.lines(child)

    def _key(self, position: Position) -> tuple[Mask, Mask]:
        if self.group is None:
            return position.x, position.o
        return self.group.canonical(position.x, position.o)

    def _pass(self, position: Position) -> _Chosen:
        pairs, whole = self._pairs(position)
        return self._answered(position, None, pairs, whole)

    def _choose(self, position: Position) -> _Chosen:
        """Return the player's move in a position in which the goal can be reached."""
        best: _Chosen | None = None
        weighed: list[tuple[int, Cell, Position, Sequence[Mask]]] = []
        for cell in cells_of(position.blanks):
            after = position.play(cell)
            if after.is_terminal:
                if self.goal.holds(after):
                    return _Chosen(cell, None, ())
                continue
            if after.board.misere or not after.threats(self.rival):
                pairs, least = self._weigh(after)
                weighed.append((least, cell, after, pairs))
        whole = 0 if self.tools is None else 1 << self.tools.unit
        for least, cell, after, pairs in sorted(weighed, key=lambda each: each[:2]):
            if best is not None and not (self.sparing and best.replies):
                break
            if least >= whole and not self.goal.holds(after):
                continue
            choice = self._answered(after, cell, pairs, least < whole)
            if best is None or len(choice.replies) < len(best.replies):
                best = choice
        assert best is not None, "a goal is out of reach where a proof needs it"
        return best

    def _weigh(self, after: Position) -> tuple[Sequence[Mask], int]:
        """Return pairs that nearly stop the rival, to move, and the weight they leave; none where they are no use."""
        if self.tools is None:
            return (), 0
        key, _ = self.tools.key(least_sets(live_lines(after, self.rival)))
        least, pairs = self.tools.pairs(key, maker_moves=True)
        return pairs, least

    def _pairs(self, after: Position) -> tuple[Sequence[Mask], bool]:
        pairs, least = self._weigh(after)
        return pairs, self.tools is not None and least < 1 << self.tools.unit

    def _answered(self, after: Position, move: Cell | None, pairs: Sequence[Mask], whole: bool) -> _Chosen:
        """Return a choice with the replies that it leaves; `whole` says that the pairs settle all of them."""
        if whole:
            return _Chosen(move, pairs, ())
        replies: dict[Cell, tuple[Mask, Mask]] = {}
        for reply in cells_of(after.blanks):
            child = after.play(reply)
            key = self._key(child)
            if not child.is_terminal and key not in self.above:
                replies[reply] = key
        if self.tools is None:
            return _Chosen(move, None, _unlike(replies, replies))
        family = self.tools.family(self.tools.key(least_sets(live_lines(after, self.rival)))[0])
        left = _unlike(replies, [reply for reply in replies if not self._settle(family, pairs, reply)])
        alone = _unlike(replies, [reply for reply in replies if not self._settle(family, (), reply)])
        if CHILD_COST * (len(alone) - len(left)) > PAIR_COST * len(pairs):
            return _Chosen(move, pairs, left)
        everything = _unlike(replies, replies)
        return _Chosen(move, None, everything) if len(alone) == len(everything) else _Chosen(move, (), alone)

    def _settle(self, family: Sequence[Mask], pairs: Sequence[Mask], reply: Cell) -> bool:
        """Tell whether the pairs that a reply leaves settle the lines after it, the player to move."""
        assert self.tools is not None
        left = [pair for pair in pairs if not pair >> reply & 1]
        after = struck(after_maker(family, reply))
        return settled_by_pairs(after, left, self.tools.unit) < 1 << self.tools.unit


def _tools(board: Board) -> Tools:
    """Return what weighs the lines of a board; where it has few cells nothing is compiled for it."""
    trivial = Group.trivial(board.cells)
    if board.cells <= PLAIN_CELLS:
        return Tools(trivial, board.line_masks)
    return tools_for(trivial, board.line_masks)


def _unlike(keys: Mapping[Cell, tuple[Mask, Mask]], replies: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the replies without those that lead to a position like one before."""
    first: dict[tuple[Mask, Mask], Cell] = {}
    for reply in replies:
        first.setdefault(keys[reply], reply)
    return tuple(first.values())


# What a solution says of a position, proved: the sections of a certificate, each the shortest that is found.

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
    if carried is not None and position == carried.proof.position:
        return carried.proof
    prover = _Prover(solution, position, deadline, progress)
    outcome = solution.outcome(position)
    if outcome == "draw":
        return prover.draw()
    return prover.win(outcome)


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
        if tree is None or self.whole:
            played = self._played(player, to_win=True)
            if tree is None or (played is not None and played.size < tree.size):
                return self._proof(f"{player} wins", player, [self._found(played)], by_lines=False)
        return self._proof(f"{player} wins", player, [tree], by_lines=True)

    def draw(self) -> Proof:
        """Return the proof that neither player wins."""
        return self._proof("draw", "draw", [self._kept(player) for player in PLAYERS], by_lines=False)

    def _proof(self, claim: str, outcome: Outcome, sections: Sequence[Section], *, by_lines: bool) -> Proof:
        listed = generators(attack_symmetries(self.board)) if by_lines else symmetries_of(self.board)
        text = proof_text(self.position, claim, sections, listed)
        return Proof(self.position, outcome, tuple((each.title, len(each.lines)) for each in sections), text)

    def _attack(self, player: Player) -> Section | None:
        if self.board.misere or self.few or is_over(self.deadline):
            return None
        limit = WIN_LIMIT if self.board.cells <= 64 else None
        if not self.stages.attacker.can_force(self.position, player, limit=limit, deadline=self.deadline):
            return None
        return Section(f"win {player}", self._in_time(self.stages.attacker.tree(self.position, player).text()))

    def _kept(self, player: Player) -> Section:
        """Return the section that a player does not win."""
        if player == "O" and self.position.ply == 0 and not self.board.misere:
            return Section(STEALING)
        found, stopped = None, None
        if not self.few:
            found = self.stages.stopper.stops(self.position, player, limit=STOP_LIMIT, deadline=self.deadline)
        if isinstance(found, Stopping):
            stopped = Section(f"stop {player}", self._in_time(self.stages.stopper.section(self.position, player)))
        if stopped is None or (self.whole and len(stopped.lines) > 1):
            played = self._played(opponent(player), to_win=False)
            if stopped is None or (played is not None and played.size < stopped.size):
                return self._found(played)
        return stopped

    def _played(self, player: Player, *, to_win: bool) -> Section | None:
        """Return the tree of all replies by which a player wins, or does not lose; None where it is too long."""
        best: Section | None = None
        for sparing in (False, True) if self.whole else (False,):
            goal = Aim(player, to_win, self._holder(player, to_win=to_win))
            try:
                lines = tuple(play_lines(self.position, goal, sparing=sparing, most=PLAYED_LINES, watch=self._watch))
            except BudgetError:
                continue
            section = Section(f"play {player} {'to win' if to_win else 'not to lose'}", lines)
            best = section if best is None or section.size < best.size else best
        return best

    def _holder(self, player: Player, *, to_win: bool) -> Callable[[Position], bool]:
        """Return what tells whether a player wins a position, or else does not lose it."""
        rival = opponent(player)

        def holds(position: Position) -> bool:
            if position.outcome is not None:
                return position.outcome == player if to_win else position.outcome != rival
            if to_win:
                return self.solution.can_win(position, player, deadline=self.deadline)
            return not self.solution.can_win(position, rival, deadline=self.deadline)

        return holds

    def _in_time(self, lines: Iterable[str]) -> tuple[str, ...]:
        """Return lines of the proof. Raises BudgetError after the deadline."""
        written = []
        for line in lines:
            if is_over(self.deadline):
                raise self._late()
            written.append(line)
        return tuple(written)

    def _late(self) -> BudgetError:
        known = and_known(self.position)
        return BudgetError(f"the proof for {self.position} on {self.board} was not found in time: raise --time{known}")

    def _found(self, section: Section | None) -> Section:
        if section is None and is_over(self.deadline):
            raise self._late()
        if section is None:
            raise BudgetError(
                f"no proof of at most {PLAYED_LINES:,} lines was found for {self.position} on {self.board}: ask about "
                f"a later position{and_known(self.position)}"
            )
        return section

    def _watch(self, lines: int) -> None:
        if is_over(self.deadline):
            raise self._late()
        self.progress(lines, 0, "lines of the proof written")


def attack_text(attacker: Attacker, position: Position, player: Player) -> str:
    """Return the text of the proof that a player wins by the attack that the attacker has found."""
    section = Section(f"win {player}", tuple(attacker.tree(position, player).text()))
    return proof_text(position, f"{player} wins", [section], generators(attack_symmetries(position.board)))
