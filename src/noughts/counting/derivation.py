"""The derivation of a census by ply, which a reader can check by hand: what is placed, ordered and subtracted.

For free play on small boards it follows the literature on 3x3. Choose the winner's marks and the last of them, and
order the rest. Then place the loser's marks, and subtract the games where the loser had a line before. Positions are
all boards with these numbers of marks, less those where play had ended before. Elsewhere each open path counts once
for each of its moves. The games that end there are the ways into each position where play ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, factorial, perm

from noughts.counting.census import Census, PlyCounts, exactly
from noughts.counting.class_sums import CLASS_LIMIT, ending_ways, is_short, move_counts
from noughts.counting.line_sets import SUBSET_LIMIT, LineSets
from noughts.counting.plain import fixed_counts
from noughts.counting.question import Question
from noughts.rules.errors import InvalidQuestion
from noughts.rules.marks import OUTCOMES, Outcome, Player, opponent
from noughts.rules.values import begun

FIXED_LIMIT = 9
"""On boards of up to this many cells games up to symmetry are derived by Burnside's lemma."""
_MOST_WAYS = 40
"""Different numbers of ways into positions that are listed; of more only the least and the most."""
_MOST_CLASSES = 8
"""Classes of full boards whose sizes are listed."""


@dataclass(frozen=True)
class WonBy:
    """The games that a player wins at a ply by one kind of line (under misere the opponent completes it)."""

    player: Player
    by: str
    games: int
    gross: int
    """The games before subtracting those in which the other player had a line earlier."""

    def as_dict(self) -> dict[str, object]:
        """Return the record for JSON, with the count as a decimal string."""
        return {"player": self.player, "by": self.by, "games": str(self.games)}


@dataclass(frozen=True)
class Sum:
    """A part of a derivation: a heading and its lines, further in where a line is a part of the line before it."""

    heading: str
    lines: tuple[str, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the part for JSON."""
        return {"heading": self.heading, "lines": list(self.lines)}


@dataclass(frozen=True)
class Step(Sum):
    """The derivation of one ply and, if derived by sets, the wins by kind of line."""

    ply: int
    won_by: tuple[WonBy, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the step for JSON."""
        return {"ply": self.ply, **super().as_dict(), "won_by": [each.as_dict() for each in self.won_by]}


def derivation(census: Census) -> tuple[Step, ...]:
    """Return the derivation of a census, one step for each row. Assumes that the census has paths.

    Cost: a walk over all sets of cells on boards of up to 16 cells; else little.
    """
    question = census.question
    if question.starts != "X":
        raise InvalidQuestion("a derivation shows games that X starts: ask with starts X and exchange the marks")
    sets = LineSets(question.board) if _is_by_sets(question) else None
    moves = None if question.is_played else move_counts(question)
    ways = None if question.is_played or sets is not None else ending_ways(question)
    fixed = fixed_counts(question) if _is_by_orbits(question) else None
    steps = []
    for before, row in zip((None, *census.plies), census.plies, strict=False):
        heading, won = "", list[tuple[WonBy, list[str]]]()
        ends: dict[Outcome, list[str]] = {}
        if sets is not None:
            won = _won(sets, row) if question.end == "line" else []
            ends = _ends_by_sets(sets, row, won) if question.end == "line" else _ends_at_full(sets, row)
        elif fixed is not None:
            paths, *outcomes = zip(*fixed[row.ply - question.first_ply], strict=True)
            heading = f"Ply {row.ply}: {_orbits(paths, 'path')}."
            ends = {end: [_orbits(games, "game")] for end, games in zip(OUTCOMES, outcomes, strict=True)}
        elif ways is not None:
            what = "position" if question.same == "labelled" else "class"
            ends = {end: [_into(counts, what)] for end, counts in ways.get(row.ply, {}).items()}
        lines = (*_finished(question, row, ends), *_positions(question, row, sets))
        heading = heading or _paths(question, before, row, moves)
        steps.append(Step(heading, lines, row.ply, tuple(each for each, _ in won)))
    return tuple(steps)


def _is_in_any_order(question: Question) -> bool:
    """Return whether any blank cell may be marked, and each order of moves counts by itself."""
    return question.same == "labelled" and question.is_free and question.board.rules.is_marking


def _is_whole(question: Question) -> bool:
    """Return whether such games are counted from the empty board."""
    return _is_in_any_order(question) and question.first_ply == 0


def _is_by_sets(question: Question) -> bool:
    return _is_whole(question) and question.end != "decided" and question.board.cells <= SUBSET_LIMIT


def _is_by_orbits(question: Question) -> bool:
    return question.same == "symmetry" and question.board.cells <= FIXED_LIMIT and not question.is_played


def _why_bare(question: Question) -> str:
    """Return why the wins are not derived; empty where they are."""
    if _is_by_sets(question) or _is_by_orbits(question):
        return ""
    if question.is_played:
        return "a table of moves binds a player"
    if question.same == "symmetry":
        return f"up to symmetry that needs a board of up to {FIXED_LIMIT} cells"
    if _is_whole(question) and question.board.cells > SUBSET_LIMIT:
        return f"that needs a board of up to {SUBSET_LIMIT} cells"
    if question.end == "full":
        any_cell = "" if question.board.rules.is_marking else " on any blank cell"
        return f"on a full board that needs free play{any_cell} from the empty board, every order of moves counted"
    return "" if is_short(question) else f"that needs up to about {CLASS_LIMIT:,} position classes"


def _n(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"


def _of(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}{'es' if noun.endswith('s') else 's'}"


def _paths(question: Question, before: PlyCounts | None, row: PlyCounts, moves: dict[int, Counter[int]] | None) -> str:
    if row.paths is None:
        return f"Ply {row.ply}: {_n(row.positions)} position classes."
    if before is None or before.paths is None or before.finished is None:
        return f"Ply {row.ply}: {_of(row.paths, 'path')}, the start."
    still_open = before.paths - before.finished
    if _is_in_any_order(question):
        blanks = question.board.cells - before.ply
        return f"Ply {row.ply}: {still_open:,} open x {_of(blanks, 'blank cell')} = {_of(row.paths, 'path')}."
    if moves is not None and before.ply in moves:
        noun = "distinct choice" if question.same == "choices" else "move"
        parts = [f"{many:,} x {_of(each, noun)}" for each, many in sorted(moves[before.ply].items())]
        return f"Ply {row.ply}: {still_open:,} open; {' + '.join(parts)} = {_of(row.paths, 'path')}."
    return f"Ply {row.ply}: {still_open:,} open before, {_of(row.paths, 'path')} now."


def _orbits(fixed: Sequence[int], noun: str) -> str:
    """Return Burnside's lemma in numbers: the games that each symmetry fixes, divided by the symmetries."""
    terms = Counter(fixed)
    parts = [
        f"{paths:,}" if many == 1 else f"{many} x {paths:,}"
        for paths, many in sorted(terms.items(), reverse=True)
        if paths
    ]
    rest = f" ({terms[0]} of the {len(fixed)} symmetries fix{'es' * (terms[0] == 1)} none)" if terms[0] else ""
    total = parts[0] if len(parts) == 1 else f"({' + '.join(parts)})"
    return f"{total} / {len(fixed)} = {_of(exactly(sum(fixed), len(fixed)), noun)}{rest}"


def _into(counts: Counter[int], noun: str) -> str:
    """Return the games that end at a ply with one outcome as the ways into each position, added up."""
    total, many = sum(ways * each for ways, each in counts.items()), _of(counts.total(), noun)
    if len(counts) > _MOST_WAYS:
        return f"{total:,} ways into {many}: from {min(counts):,} to {max(counts):,} into each"
    parts = " + ".join(f"{each:,} x {ways:,}" for ways, each in sorted(counts.items()))
    return f"{parts} = {total:,} ({many}, each times the ways to reach it)"


def _won(sets: LineSets, row: PlyCounts) -> list[tuple[WonBy, list[str]]]:
    """Return the wins of a ply by kind of line, each with the lines of text that derive it."""
    if not row.x_wins and not row.o_wins:
        return []
    found = [(won, lines) for won, lines in _wins(sets, row.ply) if won.games]
    assert sum(won.games for won, _ in found) == (row.x_wins or 0) + (row.o_wins or 0)
    return found


def _ends_by_sets(sets: LineSets, row: PlyCounts, won: list[tuple[WonBy, list[str]]]) -> dict[Outcome, list[str]]:
    """Return for each outcome of a ply the lines of text that derive its games."""
    ends: dict[Outcome, list[str]] = {}
    if won:
        ends[won[0][0].player] = [
            *(
                text
                for kind, lines in won
                for text in (f"{kind.games:,} by {kind.by}:", *(f"  {line}" for line in lines))
            ),
            *(_together(sets, row.ply, [kind for kind, _ in won]) if len(won) > 1 else ()),
        ]
    if row.draws:
        p, q = (row.ply + 1) // 2, row.ply // 2
        boards, classes = len(sets.full_boards), sets.full_classes()
        assert row.draws == boards * factorial(p) * factorial(q)
        by_class = f", {' + '.join(map(str, classes))} by class" if 1 < len(classes) <= _MOST_CLASSES else ""
        ends["draw"] = [
            f"{boards:,} x {factorial(p):,} x {factorial(q):,} = {row.draws:,} "
            f"(full boards without a line{by_class}; orders of {_of(p, 'X')}; orders of {_of(q, 'O')})"
        ]
    return ends


def _ends_at_full(sets: LineSets, row: PlyCounts) -> dict[Outcome, list[str]]:
    """Return for each outcome of full boards the games with a first line at each ply, times the orders after it."""
    n = sets.board.cells
    if row.ply < n:
        return {}
    ends, totals = _ends_by_sets(sets, row, []), {"X": row.x_wins, "O": row.o_wins}
    won: dict[Player, dict[int, int]] = {"X": {}, "O": {}}
    for ply in range(1, n + 1):
        for kind, _ in _wins(sets, ply):
            won[kind.player][ply] = won[kind.player].get(ply, 0) + kind.games
    for player, by_ply in won.items():
        terms = [(games, n - ply) for ply, games in by_ply.items() if games]
        if terms:
            total = sum(games * factorial(left) for games, left in terms)
            assert total == totals[player]
            parts = " + ".join(f"{games:,} x {left}!" for games, left in terms)
            ends[player] = [f"{parts} = {total:,} (games by the ply of their first line, x orders of the blank cells)"]
    return ends


def _finished(question: Question, row: PlyCounts, ends: dict[Outcome, list[str]]) -> Iterator[str]:
    if row.finished is None or row.paths is None or not row.finished:
        return
    sides: tuple[tuple[Player, int | None], ...] = (("X", row.x_wins), ("O", row.o_wins))
    for player, wins in sides:
        if wins:
            lined = question.board.line_outcome(player)
            how = ends.get(player, [])
            completes = f", as {lined} completes a line" if question.end == "line" and lined != player else ""
            winner = begun(question.board.rules.name_of(player))
            completes = completes if question.board.rules.alternating else ""
            yield f"{winner} wins {'it' if row.paths == 1 else f'{wins:,} of them'}{completes}{':' if how else '.'}"
            yield from (f"  {line}" for line in how)
    if row.draws:
        how = ends.get("draw", [])
        which = "It is" if row.paths == 1 else f"{'All' if row.draws == row.paths else _n(row.draws)} of them are"
        why = "no continuation has a winner" if question.end == "decided" else "the board is full without a line"
        yield f"{which} drawn: {why}{':' if how else '.'}"
        yield from (f"  {line}" for line in how)
    left = row.paths - row.finished
    if left:
        yield f"Left open: {row.paths:,} - {row.finished:,} = {left:,}."


def _wins(sets: LineSets, ply: int) -> Iterator[tuple[WonBy, list[str]]]:
    """Yield for each kind of line the games that it wins at a ply, and the lines of text that derive their number."""
    board, p, q = sets.board, (ply + 1) // 2, ply // 2
    lined: Player = "X" if ply % 2 else "O"
    other = opponent(lined)
    orders, places = factorial(p - 1), perm(board.cells - p, q)
    for kind in sets.kinds(p, q, other):
        pairs = sum(last * many for last, many in kind.last.items())
        gross, each = pairs * orders * places, orders * factorial(q)
        wins = gross - kind.before * each
        parts = [f"{many:,} x {last}" for last, many in sorted(kind.last.items(), reverse=True) if last]
        lines = [
            f"{_of(pairs, 'way')} to choose {_of(p, 'cell')} of {lined} that hold {kind.words}, and the one marked "
            f"last: {' + '.join(parts) or '0'} (sets x cells that could be last)"
        ]
        if kind.parts:
            lines.append(f"  {kind.parts}")
        if kind.last[0]:
            lines.append(f"  ({_of(kind.last[0], 'set')} with lines that share no cell cannot arise and count 0)")
        lines.append(f"x {_of(orders, 'order')} of the other {_of(p - 1, lined)}")
        lines.append(
            f"x {_of(places, 'way')} to place and order {_of(q, other)} in {_of(board.cells - p, 'other cell')}"
        )
        lines.append(f"= {gross:,}")
        if gross != wins:
            before = f"{gross - wins:,} in which {other} had a line before"
            lines += [f"- {before}: {_of(kind.before, 'such choice')} x {_of(each, 'order')}", f"= {wins:,}"]
        yield WonBy(board.line_outcome(lined), kind.words, wins, gross), lines


def _together(sets: LineSets, ply: int, won: list[WonBy]) -> Iterator[str]:
    """Yield the sum of the kinds of line; before it, where each set holds one line, the product for all lines."""
    gross, wins = sum(kind.gross for kind in won), sum(kind.games for kind in won)
    n, p, q = sets.board.cells, (ply + 1) // 2, ply // 2
    lines = [line.bit_count() for line in sets.board.line_masks]
    k, rest = min(lines), p - min(lines)
    product = len(lines) * factorial(k) * comb(p - 1, rest) * perm(n - k, rest) * perm(n - p, q)
    if max(lines) == k and product == gross:
        lined, other = ("X", "O") if ply % 2 else ("O", "X")
        wasted = f"{comb(p - 1, rest):,} x {perm(n - k, rest):,} x " if rest else ""
        spare = f"; turns and cells of the other {_of(rest, lined) if rest > 1 else lined}" if rest else ""
        yield (
            f"At once: {len(lines):,} x {k}! x {wasted}{' x '.join(map(str, range(n - p, n - p - q, -1)))} = {gross:,} "
            f"(lines; orders of their marks{spare}; ways of {_of(q, other)})"
        )
    yield f"Together {f'{gross:,} - {gross - wins:,} = ' if gross != wins else ''}{wins:,}."


def _positions(question: Question, row: PlyCounts, sets: LineSets | None) -> Iterator[str]:
    """Yield how the positions of a ply arise, and those where play ends, for all games of free play on a board."""
    if row.positions is None or not _is_whole(question) or (sets is None and question.end != "full"):
        return
    n, p, q = question.board.cells, (row.ply + 1) // 2, row.ply // 2
    lined, other = ("X", "O") if row.ply % 2 else ("O", "X")
    total, divisor = perm(n, row.ply), " x ".join(f"{many}!" for many in (p, q) if many > 1)
    divisor = f" / ({divisor})" if " x " in divisor else f" / {divisor}" if divisor else ""
    boards = sets.boards(p, q) if sets is not None and question.end == "line" else None
    less = (
        [(boards.before, f"{other} had a line before"), (boards.apart, f"lines of {lined} share no cell")]
        if boards
        else []
    )
    less = [(many, why) for many, why in less if many]
    if divisor or less:
        whose = " and ".join(_of(many, mark) for many, mark in (((p, "X"), (q, "O"))) if many)
        why = "".join(f", less {many:,} on which {why}" for many, why in less)
        left = " - ".join([f"{total:,}{divisor}", *(f"{many:,}" for many, _ in less)])
        yield f"Positions: {left} = {row.positions:,} (boards with {whose}{why})."
    if boards is None or not row.terminal:
        return
    places = comb(n - p, q)
    assert row.positions == comb(n, p) * places - boards.before - boards.apart
    assert row.terminal == boards.sets * places - boards.both + boards.drawn
    drawn = f"{_of(boards.drawn, 'full board')} without a line"
    if not boards.sets:
        yield f"Terminal: {drawn}."
        return
    both = (f" - {boards.both:,}", f", less {boards.both:,} on which {other} has one too") if boards.both else ("", "")
    full = (f" + {boards.drawn:,}", f", and {drawn}") if boards.drawn else ("", "")
    yield (
        f"Terminal: {boards.sets:,} x {places:,}{both[0]}{full[0]} = {row.terminal:,} "
        f"(sets of {_of(p, lined)} with a line x places of {_of(q, other)}{both[1]}{full[1]})."
    )


def sums(census: Census) -> tuple[Sum, ...]:
    """Return the sums over all plies: from all orders of a full board, and of each column.

    The first is given for free play with every order of moves counted, if all games are over.
    """
    question, rows = census.question, census.plies
    found, lines = [], []
    is_over = bool(rows) and rows[-1].finished is not None and rows[-1].paths == rows[-1].finished
    if _is_in_any_order(question) and question.end != "full" and is_over:
        found.append(_from_all_orders(question, rows))
    n = question.board.cells
    is_sequences = _is_whole(question) and question.end == "full"
    formula = f" (the sum of {n}!/({n}-i)! / (orders of the Xs x orders of the Os))" if is_sequences else ""
    columns = (("Games", "finished", ""), ("Positions", "positions", formula), ("Terminal", "terminal", ""))
    for name, column, note in columns:
        terms = [getattr(row, column) for row in rows]
        if None not in terms and len([term for term in terms if term]) > 1:
            lines.append(f"{name}: {_plus(terms)} = {sum(terms):,}{note}.")
    paths = [row.paths or 0 for row in rows]
    if is_sequences and len(paths) > 2:
        lines.append(f"Sequences: {_plus(paths[1:])} = {sum(paths[1:]):,} (the sum of {n}!/({n}-i)! for i > 0).")
        lines.append(f"Paths: {sum(paths[1:]):,} + 1 = {sum(paths):,} (the sequence without a move is a path too).")
    if lines:
        found.append(Sum("In all:", tuple(lines)))
    if any(row.finished for row in rows) and (why := _why_bare(question)):
        found.append(Sum(f"How the wins arise is not shown: {why}.", ()))
    return tuple(found)


def _plus(terms: Sequence[int]) -> str:
    return " + ".join(f"{term:,}" for term in terms if term)


def _from_all_orders(question: Question, rows: Sequence[PlyCounts]) -> Sum:
    """Return how the games arise from all orders of a full board: a game that ends early is the start of several."""
    n, blanks = question.board.cells, question.board.cells - question.first_ply
    orders = factorial(blanks)
    cells = "a full board" if blanks == n else f"the {blanks} blank cells"
    heading = f"From all orders of {cells}: {blanks}! = {orders:,}."
    early = [(row.finished, n - row.ply) for row in rows if row.finished and n - row.ply > 1]
    if not early:
        return Sum(heading, ("No game is over with two cells blank, so each order is one game.",))
    removed, games = sum(many * factorial(left) for many, left in early), sum(many for many, _ in early)
    before = f"over before ply {n - 1}"
    whole = orders - removed + games
    assert whole == sum(row.finished or 0 for row in rows)
    lines = [
        "A game that is over with b cells blank is the start of b! orders.",
        f"{' + '.join(f'{many:,} x {left}!' for many, left in early)} = {removed:,} (orders of games {before}).",
        f"{_plus([many for many, _ in early])} = {games:,} (games {before}).",
        f"{orders:,} - {removed:,} + {games:,} = {whole:,} (games).",
    ]
    return Sum(heading, tuple(line for line in lines if len(early) > 1 or not line.startswith(f"{games:,} = ")))
