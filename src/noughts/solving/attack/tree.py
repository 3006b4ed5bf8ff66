"""A win found by threats as a tree: the attacker's move in each position, and the replies it leaves open."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.search import threats as field
from noughts.machine.workers import SERIAL, Workers
from noughts.rules.board import Board
from noughts.rules.marks import Cell, Mask, Player, cells_of
from noughts.rules.position import Position, completing_cells
from noughts.solving.attack.board import AttackBoard, Picture, mask_of_owner
from noughts.solving.attack.search import AttackSearch

Threats = tuple[Cell, ...]
"""The attacker's moves and the defender's forced replies in turn; the last is the attacker's."""


def played_out(board: Board, attack: Mask, defend: Mask, sequence: Threats) -> tuple[Cell, ...] | None:
    """Return the moves to the end of the game, the attacker to move, or None where the sequence does not win.

    A last move that makes two threats is followed by the defender's move to one and the attacker's to the other.
    """
    played: list[Cell] = []
    for number, move in enumerate(sequence):
        if (attack | defend) >> move & 1:
            return None
        played.append(move)
        if number % 2:
            defend |= 1 << move
            continue
        danger = completing_cells(board, defend, board.full & ~(attack | defend))
        attack |= 1 << move
        if board.has_line(attack):
            return tuple(played)
        if danger & ~(1 << move):
            return None
        threats = completing_cells(board, attack, board.full & ~(attack | defend))
        if number == len(sequence) - 1:
            if threats.bit_count() < 2:
                return None
            one, two, *_ = cells_of(threats)
            return (*played, one, two)
        if not threats >> sequence[number + 1] & 1:
            return None
    return None


_Owners = npt.NDArray[Any]
_TOGETHER = 100
"""Positions for which a work item finds the replies left open; workers share what is more at one depth."""


@dataclass(frozen=True)
class Blow:
    """A move of the attacker (None: the defender is to move), the sequences, and the replies that break them all.

    Replies on no live line are left out, as others are at least as good. `ends`: the move completes a line.
    """

    move: Cell | None
    sequences: tuple[Threats, ...]
    replies: tuple[Cell, ...]
    ends: bool = False


class AttackTree:
    """The tree by which a player forces a line from a position, with its `text`, `at_most` and `line`.

    The search must have found that the attacker wins. It searches missing parts of the tree at first use. The answer
    for each picture is kept, about 1 kB. The `workers` do not change what is found.
    """

    def __init__(self, search: AttackSearch, position: Position, attacker: Player, workers: Workers = SERIAL) -> None:
        self._search, self._arena = search, search.arena
        self._board, self._attacker = position.board, attacker
        self._position, self._workers = position, workers
        self._plies: dict[Picture, int] = {}
        self._blows: dict[Picture, Blow] = {}
        self._is_whole = False

    def at_most(self) -> int:
        """Return a number of plies within which the attacker completes a line."""
        self._find_all()
        root, owner = self._root()
        if root.move is None:
            return 1 + max(self._bound(after) for _, after in self._children(root, owner))
        return self._bound(owner)

    def first(self) -> Cell:
        """Return the move that wins, the attacker to move."""
        move = self._root()[0].move
        assert move is not None, "the defender is to move"
        return move

    def text(self) -> Iterator[str]:
        """Yield the tree in preorder, a position a line: the move, then the sequences; `-` if the defender moves first.

        Positions that stand above already are left out: those whose pictures a symmetry of the board makes equal.
        """
        self._find_all()
        root, owner = self._root()
        above = {self._picture(owner)} if root.move is not None else set()
        yield _line(root)
        stack = [self._children(root, owner)]
        while stack:
            after = next(stack[-1], (None, None))[1]
            if after is None:
                stack.pop()
            elif (picture := self._picture(after)) not in above:
                above.add(picture)
                blow = self._blow(after)
                yield _line(blow)
                stack.append(self._children(blow, after))

    def leaves(self, inner: Collection[Cell]) -> int | None:
        """Return how many replies outside some cells are left open at most in one game; None if it attacks outside."""
        root, owner = self._root()
        most, above, stack = 0, set[tuple[Picture, int]](), [(root, owner, 0)]
        while stack:
            blow, owner, before = stack.pop()
            own = () if blow.move is None else (blow.move,)
            if not all(cell in inner for cells in (own, *blow.sequences) for cell in cells):
                return None
            for reply, after in self._children(blow, owner):
                outer = before + (reply not in inner)
                state = self._picture(after), outer
                if state not in above:
                    above.add(state)
                    stack.append((self._blow(after), after, outer))
                    most = max(most, outer)
        return most

    def _picture(self, owner: _Owners) -> Picture:
        return self._arena.picture(owner)[1]

    def line(self) -> tuple[Cell, ...]:
        """Return a line of play to the end in which the defender holds out as long as the tree lets him."""
        blow, owner = self._root()
        played: list[Cell] = []
        while True:
            if blow.move is not None:
                played.append(blow.move)
                owner = _with(owner, blow.move, field.ATTACKER)
            if blow.ends:
                return tuple(played)
            children = list(_after(owner, blow.replies))
            longest = self._longest(blow, owner)
            reply, owner = max(children, key=lambda child: self._bound(child[1]), default=(None, owner))
            if reply is None or 1 + self._bound(owner) < len(longest):
                return (*played, *longest)
            played.append(reply)
            blow = self._blow(owner)

    def _root(self) -> tuple[Blow, _Owners]:
        owner = self._arena.owners(self._position, self._attacker)
        if self._position.to_move == self._attacker:
            return self._blow(owner), owner
        drawn = self._arena.picture(owner)[0]
        return Blow(None, (), tuple(np.flatnonzero(drawn == field.BLANK).tolist())), owner

    def _children(self, blow: Blow, owner: _Owners) -> Iterator[tuple[Cell, _Owners]]:
        """Yield the replies to a blow that are left open, each with the position after it."""
        return _after(owner if blow.move is None else _with(owner, blow.move, field.ATTACKER), blow.replies)

    def _find_all(self) -> None:
        """Find what each move of the tree leaves open, depth by depth."""
        root, owner = self._root()
        level = sorted({self._picture(after) for _, after in self._children(root, owner)})
        seen = set(level)
        while level and not self._is_whole:
            missing = [picture for picture in level if picture not in self._blows]
            if len(missing) > _TOGETHER:
                parts = [missing[begin : begin + _TOGETHER] for begin in range(0, len(missing), _TOGETHER)]
                items = [[(picture, self._move(picture)) for picture in part] for part in parts]
                for part, blows in zip(parts, self._workers.map(_blows_of, self._board, items), strict=True):
                    self._blows.update(zip(part, blows, strict=True))
            level = sorted({after for picture in level for after in self._after_blow(picture)} - seen)
            seen.update(level)
        self._is_whole = True

    def _after_blow(self, picture: Picture) -> list[Picture]:
        """Return the canonical pictures after the winning move of one and the replies that it leaves open."""
        blow = self._of_picture(picture)
        if blow.move is None or not blow.replies:
            return []
        owner = _with(np.frombuffer(picture, np.int8), blow.move, field.ATTACKER)
        return self._arena.after(owner, blow.replies, field.DEFENDER)

    def _move(self, picture: Picture) -> Cell:
        """Return the move that wins a canonical picture, the attacker to move."""
        move = self._search.winning_move(picture)
        if move is None:
            found = self._search.wins(picture)
            assert found, "a position of the tree is not won"
            move = self._search.winning_move(picture)
            assert move is not None
        return move

    def _of_picture(self, picture: Picture) -> Blow:
        """Return the move that wins a canonical picture, the attacker to move, and what it leaves open."""
        if picture not in self._blows:
            self._blows[picture] = _found_blow(self._arena, picture, self._move(picture))
        return self._blows[picture]

    def _blow(self, owner: _Owners) -> Blow:
        """Return the move that wins a position, the attacker to move, and what it leaves open."""
        _, picture, chosen = self._arena.picture(owner)
        blow, image = self._of_picture(picture), self._arena.image(chosen)
        place = {there: cell for cell, there in enumerate(image)}
        assert blow.move is not None
        return Blow(
            place[blow.move],
            tuple(tuple(place[cell] for cell in sequence) for sequence in blow.sequences),
            tuple(sorted(place[reply] for reply in blow.replies)),
            blow.ends,
        )

    def _bound(self, owner: _Owners) -> int:
        """Return a number of plies within which the attacker, to move, completes a line."""
        picture = self._picture(owner)
        if picture not in self._plies:
            blow = self._blow(owner)
            assert blow.move is not None
            if blow.ends:
                self._plies[picture] = 1
            else:
                after = _with(owner, blow.move, field.ATTACKER)
                lengths = [len(sequence) + 2 for sequence in blow.sequences if len(sequence) > 1]
                if any(len(sequence) == 1 for sequence in blow.sequences):
                    lengths.append(self._short(after, blow.sequences))
                lengths += [self._bound(child) for _, child in _after(after, blow.replies)]
                self._plies[picture] = 2 + max(lengths)
        return self._plies[picture]

    def _short(self, owner: _Owners, sequences: tuple[Threats, ...]) -> int:
        """Return how many plies the sequences of one move take at most: 1 where it completes a line, else 3."""
        attack, lines = mask_of_owner(owner, field.ATTACKER), self._board.line_masks
        wins = all(any(line & ~attack == 1 << s[0] for line in lines) for s in sequences if len(s) == 1)
        return 1 if wins else 3

    def _longest(self, blow: Blow, owner: _Owners) -> tuple[Cell, ...]:
        """Return the reply with which the sequences last longest, and the play to the end; empty if there is none."""
        attack, defend = (mask_of_owner(owner, player) for player in (field.ATTACKER, field.DEFENDER))
        drawn = self._arena.picture(owner)[0]
        best: tuple[Cell, ...] = ()
        for reply in np.flatnonzero(drawn == field.BLANK).tolist():
            if reply in blow.replies:
                continue
            ways = [played_out(self._board, attack, defend | 1 << reply, sequence) for sequence in blow.sequences]
            shortest = min((way for way in ways if way is not None), key=len)
            if len(shortest) + 1 > len(best):
                best = (reply, *shortest)
        return best


def _found_blow(arena: AttackBoard, picture: Picture, move: Cell) -> Blow:
    owner = np.frombuffer(picture, np.int8)
    trial = arena.attempt(owner, [move])[0]
    if not trial.replies and not trial.sequences:
        return Blow(move, (), (), ends=True)
    live = arena.picture(_with(owner, move, field.ATTACKER))[0]
    return Blow(move, trial.sequences, tuple(reply for reply in trial.replies if live[reply] == field.BLANK))


def _blows_of(board: Board, items: Sequence[tuple[Picture, Cell]]) -> list[Blow]:
    """Return what the winning moves of some canonical pictures leave open."""
    arena = AttackBoard(board)
    return [_found_blow(arena, picture, move) for picture, move in items]


def _with(owner: _Owners, cell: Cell, player: int) -> _Owners:
    after = owner.copy()
    after[cell] = player
    return after


def _after(owner: _Owners, replies: tuple[Cell, ...]) -> Iterator[tuple[Cell, _Owners]]:
    yield from ((reply, _with(owner, reply, field.DEFENDER)) for reply in replies)


def _line(blow: Blow) -> str:
    move = "-" if blow.move is None else str(blow.move)
    text = " / ".join(" ".join(map(str, sequence)) for sequence in blow.sequences)
    return f"{move} : {text}" if text else move
