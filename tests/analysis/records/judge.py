"""Judges the records of a board from their neighbours; imports nothing from the package.

Takes records as they stand in JSON. Values come from successors, ways from predecessors, and whatever the marks alone
say from a naive look at them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests import naive

Record = dict[str, Any]
LABELS = {
    ("X", True): "X wins",
    ("X", False): "X can force a win",
    ("O", True): "O wins",
    ("O", False): "O can force a win",
}
LABELS |= {("draw", True): "draw", ("draw", False): "either can force a draw"}


def marks(text: str) -> str:
    return text.replace("/", "").replace("|", "")


class Judge:
    """All records of one board, by class."""

    def __init__(self, records: list[Record], game: naive.Game, group: tuple[naive.Permutation, ...], names: list[str]):
        self.records = {record["class"]: record for record in records}
        self.game, self.group, self.names = game, group, names
        assert len(self.records) == len(records)
        self.parents: dict[str, list[str]] = {name: [] for name in self.records}
        for name, record in self.records.items():
            for move in record["moves"]:
                self.parents[move["class"]].append(name)

    def check(self) -> None:
        """Assert every fact of every record."""
        classes = {naive.position_class(position, self.group) for position in naive.reachable(self.game)}
        found = {naive.position_class(marks(name), self.group) for name in self.records}
        assert found == classes
        assert len(self.records) == len(classes)
        for record in self.records.values():
            self.check_marks(record)
            self.check_moves(record)
            self.check_from_successors(record)
            self.check_from_predecessors(record)
        self.check_cuts()

    def check_marks(self, record: Record) -> None:
        """What a look at the board tells."""
        board = marks(record["class"])
        over = naive.line_outcome(self.game, board)
        orbit = {naive.image(board, p) for p in self.group}
        assert int(record["orbit"]) == len(orbit)
        assert int(record["orbit"]) * int(record["stabiliser"]) == len(self.group)
        assert record["ply"] == len(board) - board.count(".")
        assert record["to_move"] == naive.mover(board)
        assert record["terminal"] == (over is not None)
        if over:
            assert record["outcome"] == over
        assert (record["pattern"] is not None) == (over == "draw")
        if self.game.misere:
            assert record["threats"] is record["forks"] is record["fork"] is None
            return
        for player in "XO":
            threats = [] if over else naive.winning_cells(self.game, board, player)
            assert record["threats"][player] == self.named(threats)
            forks = (
                [] if over else [c for c in naive.blanks(board) if c not in threats and self.forks(board, c, player)]
            )
            assert record["forks"][player] == self.named(forks)
        last = naive.other(record["to_move"])
        assert record["fork"] == (len(record["threats"][last]) > 1)

    def forks(self, board: str, cell: int, player: str) -> bool:
        return len(naive.winning_cells(self.game, naive.put(board, cell, player), player)) > 1

    def named(self, cells: list[int]) -> list[str]:
        return [self.names[cell] for cell in cells]

    def check_moves(self, record: Record) -> None:
        """Every blank cell leads to exactly one child, which is the class of the board after it."""
        board = marks(record["class"])
        moves = record["moves"]
        cells = [cell for move in moves for cell in move["cells"]]
        over = record["terminal"]
        assert sorted(cells) == ([] if over else sorted(self.named(naive.blanks(board))))
        assert len({move["class"] for move in moves}) == len(moves)
        for move in moves:
            child = self.records[move["class"]]
            reached = {
                naive.position_class(naive.play(board, self.names.index(cell)), self.group) for cell in move["cells"]
            }
            assert reached == {naive.position_class(marks(child["class"]), self.group)}
            assert [move[key] for key in ("label", "outcome", "remoteness")] == [
                child[key] for key in ("label", "outcome", "remoteness")
            ]

    def check_from_successors(self, record: Record) -> None:
        """Outcome, remoteness, label, traps, best moves, finishes and chances, one ply back."""
        children = [(self.records[move["class"]], len(move["cells"])) for move in record["moves"]]
        me = record["to_move"]
        assert record["label"] == LABELS[record["outcome"], record["decided"]]
        assert record["value"] == (
            "draw" if record["outcome"] == "draw" else "win" if record["outcome"] == me else "loss"
        )
        chances = {who: Fraction(chance) for who, chance in record["random_play"].items()}
        assert sum(chances.values()) == 1
        if not children:
            assert (record["remoteness"], record["decided"], record["trap"], record["best_moves"]) == (
                0,
                True,
                False,
                [],
            )
            assert record["finishes"] == record["finishes_by_choices"] == "1"
            assert chances[record["outcome"]] == 1
            return
        order = [me, "draw", naive.other(me)]
        outcome = min((child["outcome"] for child, _ in children), key=order.index)
        assert record["outcome"] == outcome
        same = [child["remoteness"] for child, _ in children if child["outcome"] == outcome]
        assert record["remoteness"] == 1 + (min(same) if outcome == me else max(same))
        assert record["decided"] == (
            all(child["decided"] for child, _ in children) and len({child["outcome"] for child, _ in children}) == 1
        )
        lost = [child["outcome"] == naive.other(me) for child, _ in children]
        assert record["trap"] == (any(lost) and not all(lost))
        best = [
            cell
            for move in record["moves"]
            if (move["outcome"], move["remoteness"]) == (outcome, record["remoteness"] - 1)
            for cell in move["cells"]
        ]
        assert record["best_moves"] == sorted(best, key=self.names.index)
        assert {cell for move in record["moves"] if move["best"] for cell in move["cells"]} == set(best)
        assert int(record["finishes"]) == sum(int(child["finishes"]) * times for child, times in children)
        assert int(record["finishes_by_choices"]) == sum(int(child["finishes_by_choices"]) for child, _ in children)
        times_all = sum(times for _, times in children)
        for who, chance in chances.items():
            assert chance == sum(Fraction(child["random_play"][who]) * times for child, times in children) / times_all

    def check_from_predecessors(self, record: Record) -> None:
        """Ways, one ply on."""
        before = [self.records[name] for name in record["predecessors"]]
        steps = [
            len(move["cells"]) for parent in before for move in parent["moves"] if move["class"] == record["class"]
        ]
        assert len(steps) == len(before)
        assert self.parents[record["class"]] == record["predecessors"]
        if record["ply"] == 0:
            assert not before
            assert record["ways"] == record["ways_by_choices"] == "1"
        else:
            assert int(record["ways"]) == sum(int(p["ways"]) * n for p, n in zip(before, steps, strict=True))
            assert int(record["ways_by_choices"]) == sum(int(parent["ways_by_choices"]) for parent in before)
        assert int(record["games"]) == int(record["ways"]) * int(record["finishes"])
        assert int(record["games_by_choices"]) == int(record["ways_by_choices"]) * int(record["finishes_by_choices"])

    def check_cuts(self) -> None:
        """On the cut at every ply, all games pass: those through it, and those already over."""
        for key in ("games", "games_by_choices"):
            whole = int(next(iter(self.records.values()))[key])
            for ply in range(self.game.cells + 1):
                cut = [r for r in self.records.values() if r["ply"] == ply or (r["terminal"] and r["ply"] < ply)]
                assert sum(int(record[key]) for record in cut) == whole
