"""Judges of `play` and `stop A by threats` by the rules alone, and one of certificates, made of small ones.

Written from the page of the format; nothing is shared with the package: lines, outcomes and marks are `tests.naive`'s.
"""

from __future__ import annotations

import re
from fractions import Fraction

from tests import attackjudge, naive
from tests.attackjudge import WrongProof
from tests.solving import weakgame as weakjudge


class PlayJudge:
    """Reads one section from its first line on; `rest` is what it leaves."""

    def __init__(
        self, game: naive.Game, group: list[naive.Permutation], lines: list[str], player: str, to_win: bool
    ) -> None:
        self.game, self.group, self.rest, self.player, self.to_win = game, group, list(lines), player, to_win
        self.above: set[str] = set()

    def key(self, position: str) -> str:
        return min(naive.image(position, turn) for turn in self.group)

    def line(self) -> tuple[str, list[int] | None]:
        if not self.rest:
            raise WrongProof("the section ends too soon")
        head, colon, tail = self.rest.pop(0).partition(":")
        return head.strip(), [cell_of(self.game, each) for each in tail.split()] if colon else None

    def good(self, outcome: str) -> None:
        if outcome != self.player and (self.to_win or outcome != "draw"):
            raise WrongProof(f"a game ends as {outcome}")

    def begin(self, position: str) -> None:
        if naive.mover(position) == self.player:
            self.node(position)
        else:
            head, pairs = self.line()
            if head != "-":
                raise WrongProof("the opponent moves first")
            self.replies(position, pairs, None)

    def node(self, position: str) -> None:
        self.above.add(self.key(position))
        head, pairs = self.line()
        cell = cell_of(self.game, head)
        if position[cell] != ".":
            raise WrongProof("taken")
        after = naive.play(position, cell)
        outcome = naive.line_outcome(self.game, after)
        if outcome is not None and outcome != "draw":
            if pairs is not None:
                raise WrongProof("the game is over")
            self.good(outcome)
        else:
            self.replies(after, pairs, cell)

    def replies(self, position: str, listed: list[int] | None, cell: int | None) -> None:
        pairs: list[frozenset[int]] = []
        family: weakjudge.Family | None = None
        if listed is not None:
            if self.to_win or len(listed) % 2 or len({*listed, cell}) <= len(listed):
                raise WrongProof("no pairs here")
            pairs = [frozenset(listed[i : i + 2]) for i in range(0, len(listed), 2)]
            if self.game.misere:
                self.avoid(position, pairs)
                return
            own = {c for c, mark in enumerate(position) if mark == self.player}
            other = {c for c, mark in enumerate(position) if mark == naive.other(self.player)}
            family = weakjudge.struck(weakjudge.least(line - other for line in self.game.lines if not line & own))
        blank = naive.blanks(position)
        if not blank:
            self.good("draw")
        for reply in blank:
            outcome = naive.line_outcome(self.game, naive.play(position, reply))
            if outcome is not None:
                self.good(outcome)
        if family is not None and sum(weakjudge.weights(family, pairs)) < 1:
            return
        for reply in blank:
            after = naive.play(position, reply)
            if naive.line_outcome(self.game, after) is not None:
                continue
            if family is not None and self.is_met(family, pairs, reply):
                continue
            if self.key(after) not in self.above:
                self.node(after)

    def avoid(self, position: str, pairs: list[frozenset[int]]) -> None:
        own = {c for c, mark in enumerate(position) if mark == self.player}
        other = {c for c, mark in enumerate(position) if mark == naive.other(self.player)}
        family = weakjudge.struck(weakjudge.least(line - own for line in self.game.lines if not line & other))
        weight = weakjudge.weights(family, pairs)[0]
        if not weight < (1 if position.count(".") % 2 else Fraction(1, 2)):
            raise WrongProof("too heavy")

    def is_met(self, family: weakjudge.Family, pairs: list[frozenset[int]], reply: int) -> bool:
        after = weakjudge.least(one - {reply} for one in family)
        if frozenset() in after or sum(len(one) == 1 for one in after) > 1:
            return False
        return weakjudge.weights(weakjudge.struck(after), [pair for pair in pairs if reply not in pair])[0] < 1


class ThreatJudge(PlayJudge):
    """Judges a section `stop A by threats` from the first line on; `player` stops the other."""

    def key(self, position: str) -> str:
        kept = set().union(*(line for line in self.game.lines if len({position[c] for c in line} - {"."}) < 2))
        return super().key("".join(mark if cell in kept else "#" for cell, mark in enumerate(position)))

    def replies(self, position: str, listed: list[int] | None, cell: int | None) -> None:
        listed = listed or []
        if len(listed) % 2 or len({*listed, cell}) <= len(listed):
            raise WrongProof("no pairs here")
        pairs = [frozenset(listed[i : i + 2]) for i in range(0, len(listed), 2)]
        own, other = (
            {c for c, mark in enumerate(position) if mark == player}
            for player in (self.player, naive.other(self.player))
        )
        ours = [line - own for line in self.game.lines if not line & other]
        theirs = [line - other for line in self.game.lines if not line & own]
        if any(len(goal) == 1 for goal in theirs):
            raise WrongProof("the opponent completes a line")
        family = weakjudge.struck(weakjudge.least(theirs))
        threats = {min(goal) for goal in ours if len(goal) == 1}
        if len(threats) > 1 or sum(weakjudge.weights(family, pairs)) < 1:
            return
        for reply in sorted(threats) or self.worth(ours, theirs):
            after = naive.play(position, reply)
            if not self.is_met(family, pairs, reply) and self.key(after) not in self.above:
                self.node(after)

    @staticmethod
    def worth(*goals: list[frozenset[int]]) -> list[int]:
        on = {
            c: {(n, goal) for n, some in enumerate(goals) for goal in some if c in goal}
            for c in set().union(*goals[0], *goals[1])
        }
        return [c for c in sorted(on) if not any(on[c] < on[d] or (on[c] == on[d] and d < c) for d in on)]


def mirror(game: naive.Game, start: str, image: list[int], player: str) -> None:
    """Require that the answer of a player to every move may be its image."""
    exchanged = "".join({"X": "O", "O": "X", ".": "."}[mark] for mark in start)
    still = [cell for cell, to in enumerate(image) if cell == to]
    good = (
        sorted(image) == list(range(game.cells))
        and {frozenset(image[c] for c in line) for line in game.lines} == game.lines
        and [image[to] for to in image] == list(range(game.cells))
        and naive.image(start, tuple(image)) == exchanged
        and len(still) == (naive.mover(start) == player)
        and all(any(image[c] in line for c in line - {*still}) for line in game.lines if line & {*still})
    )
    if not good:
        raise WrongProof("no mirror")


def cell_of(game: naive.Game, text: str) -> int:
    if not text.strip().isdigit() or int(text) >= game.cells:
        raise WrongProof("no cell")
    return int(text)


def game_of(spec: str) -> naive.Game:
    """The board of a specification, by the oracle."""
    match = re.fullmatch(r"(\d+)x(\d+)(?:x(\d+))?(?::(\d+))?((?:\+\w+)*)", spec)
    if match is None:
        raise WrongProof("no board")
    rows, columns, layers = int(match[1]), int(match[2]), int(match[3] or 1)
    sides = [rows, columns, *([layers] if match[3] else [])]
    return naive.grid(
        rows, columns, int(match[4] or min(sides)), layers, torus="+torus" in match[5], misere="+misere" in match[5]
    )


def accepts(text: str) -> bool:
    """Whether a certificate holds, by three small judges that share nothing with the package."""
    try:
        return _accepts(text)
    except (WrongProof, weakjudge.Wrong, ValueError, IndexError, AssertionError):
        return False


def _accepts(text: str) -> bool:
    rows = text.splitlines()
    head = dict(row.split(" ", 1) for row in rows[1:5] if row.split(" ", 1)[0] in ("board", "from", "claim"))
    game = game_of(head["board"])
    start = re.sub(r"[/|]", "", head.get("from", "." * game.cells))
    if len(start) != game.cells or set(start) - set("XO.") or start.count("X") - start.count("O") not in (0, 1):
        return False
    if any(naive.has_line(game, start, player) for player in "XO"):
        return False
    titles = [i for i, row in enumerate(rows) if row[:4] in ("win ", "stop", "play")]
    listed = rows[rows.index("symmetries") + 1 : titles[0]] if "symmetries" in rows else []
    generators = [tuple(map(int, row.split())) for row in listed]
    for turn in generators:
        if sorted(turn) != list(range(game.cells)):
            return False
        if {frozenset(turn[c] for c in line) for line in game.lines} != game.lines:
            return False
    shown = {
        _section(game, start, generators, rows[begin], rows[begin + 1 : end])
        for begin, end in zip(titles, [*titles[1:], len(rows)], strict=True)
    }
    needs = {"draw": {"X stopped", "O stopped"}}.get(head["claim"], {head["claim"]})
    return needs <= shown


def _section(game: naive.Game, start: str, generators: list[naive.Permutation], title: str, body: list[str]) -> str:
    group = attackjudge.closure(generators, game.cells)
    kind, player, *how = title.split()
    if kind == "play":
        judge = PlayJudge(game, group, body, player, how == ["to", "win"])
        judge.begin(start)
        if judge.rest:
            raise WrongProof("lines are left over")
        return f"{player} wins" if how == ["to", "win"] else f"{naive.other(player)} stopped"
    if how == ["by", "mirroring"]:
        if not game.misere or len(body) != 1:
            raise WrongProof("no mirror here")
        mirror(game, start, [cell_of(game, each) for each in body[0].split()], naive.other(player))
        return f"{player} stopped"
    if game.misere:
        raise WrongProof("lines lose here")
    if how == ["by", "threats"]:
        guard = ThreatJudge(game, group, body, naive.other(player), False)
        guard.begin(start)
        if guard.rest:
            raise WrongProof("lines are left over")
        return f"{player} stopped"
    if how == ["by", "stealing"]:
        if player != "O" or body or set(start) != {"."}:
            raise WrongProof("no stealing here")
        return "O stopped"
    if kind == "win":
        marks = tuple("." if mark == "." else "A" if mark == player else "D" for mark in start)
        attack = attackjudge.Judge(list(game.lines), group, iter(body))
        attack.node(marks, attacker_moves=naive.mover(start) == player)
        if next(attack.text, None) is not None:
            raise WrongProof("lines are left over")
        return f"{player} wins"
    own = {cell for cell, mark in enumerate(start) if mark == player}
    taken = {cell for cell, mark in enumerate(start) if mark == naive.other(player)}
    weak = weakjudge.Judge(game.cells, generators, body)
    weak.judge([line - own for line in game.lines if not line & taken], maker_moves=naive.mover(start) == player)
    return f"{player} stopped"
