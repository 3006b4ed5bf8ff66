"""What a solution says of a position, proved: the sections of a certificate, each the shortest that is found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from noughts.domain.errors import BudgetError, InvalidPosition
from noughts.domain.position import Outcome, Player, Position, opponent
from noughts.machine.budget import is_over
from noughts.machine.progress import Progress, silent
from noughts.solving.attack.arena import generators, symmetries
from noughts.solving.attack.attacker import Attacker
from noughts.solving.playtree import Aim, play_lines
from noughts.solving.proofs import STEALING, Proof, Section, proof_text, symmetries_of
from noughts.solving.published import and_known
from noughts.solving.solution import Solution
from noughts.solving.told import CarriedSolution
from noughts.solving.unfinished import Searched
from noughts.solving.weak.stopper import Stopper, Stopping

__all__ = ["attack_text", "proof_by"]

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
    carried = solution.proof_of(position) if isinstance(solution, CarriedSolution) else None
    if carried is not None:
        return carried
    prover = _Prover(solution, position, deadline, progress)
    outcome = solution.outcome(position)
    if outcome == "draw":
        return prover.draw()
    return prover.win(outcome)


class _Prover:
    """Finds the sections of one proof."""

    def __init__(self, solution: Solution, position: Position, deadline: float | None, progress: Progress) -> None:
        self.solution, self.position, self.board = solution, position, position.board
        board = position.board
        self.deadline, self.progress = deadline, progress
        if isinstance(solution, Searched):
            self.stopper, self.attacker = solution.searches()
        else:
            self.stopper, self.attacker = Stopper(board), Attacker(board)
        self.whole = position.blanks.bit_count() <= TRIED_BLANKS
        self.few = position.blanks.bit_count() <= PLAYED_BLANKS

    def win(self, player: Player) -> Proof:
        """Return the proof that a player wins."""
        tree = self._attack(player)
        if tree is None or self.whole:
            played = self._played(player, to_win=True)
            if tree is None or (played is not None and _size(played) < _size(tree)):
                return self._proof(f"{player} wins", player, [self._found(played)], by_lines=False)
        return self._proof(f"{player} wins", player, [tree], by_lines=True)

    def draw(self) -> Proof:
        """Return the proof that neither player wins."""
        return self._proof("draw", "draw", [self._kept(player) for player in PLAYERS], by_lines=False)

    def _proof(self, claim: str, outcome: Outcome, sections: Sequence[Section], *, by_lines: bool) -> Proof:
        listed = generators(symmetries(self.board)) if by_lines else symmetries_of(self.board)
        text = "".join(proof_text(self.position, claim, sections, listed))
        return Proof(self.position, outcome, tuple((each.title, len(each.lines)) for each in sections), text)

    def _attack(self, player: Player) -> Section | None:
        if not self.attacker.takes or self.few or is_over(self.deadline):
            return None
        limit = WIN_LIMIT if self.board.cells <= 64 else None
        if not self.attacker.can_force(self.position, player, limit=limit, deadline=self.deadline):
            return None
        return Section(f"win {player}", self._in_time(self.attacker.tree(self.position, player).text()))

    def _kept(self, player: Player) -> Section:
        """Return the section that a player does not win."""
        if player == "O" and self.position.ply == 0 and not self.board.misere:
            return Section(STEALING)
        found, stopped = None, None
        if not self.few:
            found = self.stopper.stops(self.position, player, limit=STOP_LIMIT, deadline=self.deadline)
        if isinstance(found, Stopping):
            stopped = Section(f"stop {player}", self._in_time(self.stopper.section(self.position, player)))
        if stopped is None or (self.whole and len(stopped.lines) > 1):
            played = self._played(opponent(player), to_win=False)
            if stopped is None or (played is not None and _size(played) < _size(stopped)):
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
            best = section if best is None or _size(section) < _size(best) else best
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
    return "".join(proof_text(position, f"{player} wins", [section], generators(symmetries(position.board))))


def _size(section: Section) -> int:
    return sum(len(line) + 1 for line in section.lines)
