"""A bot that was bred: whether it ever loses, its exact record, and how the generations went."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from noughts.bots.breeding import GENERATIONS, MUTATIONS, POPULATION, Bred, Generation, breed
from noughts.drawing.chart import Curve, draw_curves
from noughts.drawing.svg import Svg
from noughts.present.forms import Forms, chart_forms, report_forms, table_forms
from noughts.present.report import How, Look, Report, Table, many, try_next, typed
from noughts.rules.board import Board
from noughts.rules.errors import InvalidQuestion
from noughts.rules.position import completing_cells
from noughts.rules.values import decimal, digit_count, percentage
from noughts.verbs.request import (
    DATA,
    PICTURES,
    Caller,
    Limited,
    VerbAnswer,
    argument,
    option,
    writable,
)

_SILENT = 8
"""Generations that are not worth a line in a log."""


@dataclass(frozen=True, kw_only=True)
class BreedRequest(Limited):
    """Breed bots for BOARD: tables with a move for each decision, selected, crossed and mutated.

    Their fitness is exact, on every line of play. It ends with a bot that never loses; Ctrl-C or SIGTERM gives
    the best so far. Pictures are the learning curve.
    """

    forms = ("table", "json", *DATA, *PICTURES)

    board: str | Board = argument(default="3x3")
    as_: str = option("Whom the bots play as.", "both", choices=("X", "O", "both"))
    genes: str = option("Breed all decisions, or the real ones.", "all", choices=("all", "real"))
    against: tuple[str, ...] = option(
        "An opponent, any policy (random); give it once for each.",
        (),
        metavar="random|block|best|each-other|FILE.json|...",
    )
    fitness: str = option("What counts.", "never-lose", choices=("never-lose", "result"))
    population: int = option("Bots in a generation.", POPULATION, metavar="N")
    generations: int = option("Stop after so many.", GENERATIONS, least=1, metavar="N")
    time: str | None = option("Stop after so long, with the best so far: 10s, 5m.", metavar="TIME")
    seed: int = option("What chance is drawn from.", 0, least=0, metavar="N")
    mutations: float = option("Genes of a child that change, on average.", MUTATIONS, metavar="N")
    save: str | None = option("Write the bot as a policy file.", metavar="FILE.json")

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the bot, bred while the caller watches."""
        path, course = writable(self.save, policy=True), list[Generation]()

        def watch(found: Generation) -> None:
            course.append(found)
            is_logged = found.number & (found.number - 1) == 0 and found.number > _SILENT
            caller.show(lambda width: live_lines(course, width), generation_line(found) if is_logged else None)

        settings = self.parts(
            "as_", "genes", "fitness", "population", "mutations", "generations", "seed", "time", "limit"
        )
        with caller.ending() as ended:
            bred = breed(self.board, against=self.against or ("random",), watch=watch, **settings)
        if path is not None:
            caller.write(path, bred.bot.as_dict())
        code = 128 + ended[0] if ended else 130 if bred.stopped == "interrupted" else 0
        return VerbAnswer(bred, forms(bred, caller.look), lambda: code)


_ROWS = 10
"""Generations that are shown, besides the last."""
_MOST_DIGITS = 12
"""Digits up to which a number of bots is said in full."""
_BLOCKS = "▁▂▃▄▅▆▇█"
_WORDS = {"result": "chance to win less chance to lose", "never-lose": "chance not to lose"}


def forms(bred: Bred, look: Look) -> Forms:
    """Return a bot in every form; pictures are its learning curve, and the other tables its generations."""
    return {
        **report_forms(lambda: report(bred), bred.as_dict, look),
        **table_forms(lambda _: [_course(bred, exact=True)], lambda: _headline(bred)),
        **chart_forms(lambda: curve(bred, look.theme), look=look),
    }


def report(bred: Bred) -> Report:
    """Return what there is to say about a bot."""
    return Report.of(
        [_headline(bred), *_loses(bred), _possible(bred)],
        [_record(bred), *_about_others(bred)],
        [f"Fitness ({_WORDS[bred.fitness]}) of the fittest bot and of all on average:", _course(bred)],
        [
            How(
                "every fitness is exact, by one pass over the position classes that a bot can come to, in whole "
                "numbers, and is what match gives. That a bot never loses is found by every reply to it. Seed "
                f"{bred.seed} gives the same bots on any number of threads."
            ),
            try_next(*_next(bred)),
        ],
    )


def _headline(bred: Bred) -> str:
    genes = len(bred.bot.pool.genes)
    kind = "real decision" if bred.bot.pool.kind == "real" else "decision"
    players = {"X": "as X", "O": "as O", "both": "as X and O"}[bred.seat]
    fate = "never loses" if bred.never_loses else "still loses"
    if bred.stopped == "every bot":
        count = bred.possible_bots
        first = f", the fittest of all {count:,} possible bots" if count > 1 else ""
        return f"{bred.board}, a bot bred {players} on {many(genes, kind)}: it {fate}{first}."
    ended = {
        "never loses": "",
        "best possible": " (no bot can be fitter)",
        "generations": "",
        "time": " (its time was up)",
        "interrupted": " (it was interrupted)",
    }[bred.stopped]
    return (
        f"{bred.board}, a bot bred {players} on {many(genes, kind)}: it {fate}, after "
        f"{many(bred.generations, 'generation')} of {bred.population:,} bots{ended}."
    )


def _loses(bred: Bred) -> list[str]:
    """Return the first game that it still loses; and whether anybody could do better there."""
    sentences = []
    if bred.loss is not None:
        moves = " ".join(bred.loss.names)
        sentences.append(f"The first game that it loses, of the shortest: as {bred.loss.player}, {moves}.")
    if not bred.can_be_held:
        loser = "O" if bred.outcome == "X" else "X"
        sentences.append(f"Under best play {bred.outcome} wins {bred.board}: no bot that plays {loser} never loses.")
    return sentences


def _possible(bred: Bred) -> str:
    count, genes = bred.possible_bots, bred.bot.pool.genes
    digits = digit_count(count)
    number = f"{count:,}" if digits <= _MOST_DIGITS else f"a number of {digits} digits"
    if not genes:
        return "There is nothing to breed, for the bot has no choice: 1 bot is possible."
    if bred.stopped == "every bot":
        judged = "Each of them was judged, once."
    elif bred.evaluations > count:
        judged = f"{bred.evaluations:,} were judged, so some more than once."
    else:
        judged = f"{bred.evaluations:,} of them were judged, some perhaps more than once."
    return f"So many different bots are possible: {number}, the product of the numbers of choices. {judged}"


def _record(bred: Bred) -> Table:
    rows = []
    for name, each in bred.chances.items():
        for player, odds in zip(bred.bot.pool.players, each, strict=True):
            exact = [str(chance) for chance in (odds.win, odds.draw, odds.loss)]
            about = [percentage(chance) for chance in (odds.win, odds.draw, odds.loss)]
            rows.append([name, player, *(f"{e} ({a})" if "/" in e else a for e, a in zip(exact, about, strict=True))])
    return Table(["against", "bot is", "wins", "draws", "loses"], rows, frozenset({0, 1}))


def _about_others(bred: Bred) -> list[str]:
    """Return who `best` and `each-other` are, where they were opponents."""
    sentences = []
    if "best" in bred.chances:
        sentences.append(
            "best plays the best response to the bot: what it holds against that, it holds against every play."
        )
    if "each-other" in bred.chances:
        sentences.append("each-other is the rest of the bot's generation, one game with each as X and one as O.")
    return sentences


def _course(bred: Bred, exact: bool = False) -> Table:
    """Return the generations: all with exact values, or a few of them with about what they are."""
    chosen = bred.course if exact else _few(bred.course)
    rows = [
        [
            str(each.number) if exact else f"{each.number:,}",
            str(each.best) if exact else decimal(each.best, 6),
            str(each.mean) if exact else decimal(each.mean, 6),
            "yes" if each.never_loses else "no",
        ]
        for each in chosen
    ]
    return Table(["generation", "fittest", "mean", "never loses"], rows, frozenset({3}))


def _few(course: Sequence[Generation]) -> list[Generation]:
    """Return some generations: the first and the last, and between them as many as fit."""
    step = max(1, -(-(len(course) - 1) // _ROWS))
    return [*course[: len(course) - 1 : step], course[-1]]


def _next(bred: Bred) -> list[str]:
    board = bred.board
    seat = "" if bred.seat == "both" else f" --as {bred.seat}"
    side = "o" if bred.seat == "O" else "x"
    other = "x" if side == "o" else "o"
    judge = f"noughts match {board} --{side} bot.json --{other} best"
    if bred.stopped == "every bot":
        return [f"noughts breed {again(bred)} --save bot.json", judge]
    genes = " --genes real" if _has_real_choices(bred) else ""
    return [
        f"noughts breed {board}{seat}{genes} --seed {bred.seed + 1} --save bot.json",
        judge,
        f"noughts breed {again(bred)} -o curve.svg",
    ]


def _has_real_choices(bred: Bred) -> bool:
    """Return whether breeding on real decisions is something else, and something to do."""
    pool, board = bred.bot.pool, bred.board
    if pool.kind == "real" or board.misere:
        return False
    return any(
        len(gene.choices) > 1
        and not any(completing_cells(board, mine, board.full & ~(gene.x | gene.o)) for mine in (gene.x, gene.o))
        for gene in pool.genes
    )


def again(bred: Bred) -> str:
    """Return what `noughts breed` is to be given for the same bot: all but what is as usual."""
    rivals = "".join(f" --against {shlex.quote(name)}" for name in bred.chances)
    ended_early = bred.stopped in ("generations", "time", "interrupted")
    return (
        str(bred.board)
        + typed(("as", bred.seat, "both"), ("genes", "real" if bred.bot.pool.kind == "real" else None, None))
        + rivals * (list(bred.chances) != ["random"])
        + typed(
            ("fitness", bred.fitness, "never-lose"),
            ("population", bred.population, POPULATION),
            ("mutations", bred.mutations, MUTATIONS),
            ("generations", bred.generations if ended_early else None, None),
            ("seed", bred.seed, None),
        )
    )


def curve(bred: Bred, theme: str = "light") -> Svg:
    """Return the learning curve: the fitness of the fittest bot and the mean, generation by generation."""
    if bred.stopped == "every bot":
        raise InvalidQuestion(
            f"there is no learning curve for {bred.board}, where {many(bred.possible_bots, 'bot')} can be bred: ask "
            "for the table, or for a larger board"
        )
    best = [(each.number, each.best) for each in bred.course]
    mean = [(each.number, each.mean) for each in bred.course]
    fate = "The fittest bot still loses in every generation."
    if bred.never_loses:
        fate = f"The fittest bot of generation {bred.generations} never loses."
    note = (
        f"Fitness: {_WORDS[bred.fitness]}, against {', '.join(bred.chances)}; exact. {fate} "
        f"{bred.population:,} bots a generation, seed {bred.seed}."
    )
    players = {"X": "as X", "O": "as O", "both": "as X and O"}[bred.seat]
    title = f"Bots bred on {bred.board} {players}, {many(len(bred.bot.pool.genes), 'gene')}"
    bounds = (-1, 1) if bred.fitness == "result" else (0, 1)
    curves = [Curve("fittest", best), Curve("mean of the generation", mean)]
    return draw_curves(curves, title, "generations", note, bounds=bounds, theme=theme)


def generation_line(found: Generation) -> str:
    """Return a generation in a line."""
    fate = "never loses" if found.never_loses else "still loses"
    return f"generation {found.number:,}: fittest {decimal(found.best, 6)}, mean {decimal(found.mean, 6)}, {fate}"


def live_lines(course: Sequence[Generation], width: int) -> list[str]:
    """Return the course so far in lines no wider than so many columns: two rows of blocks, and the last generation.

    The blocks rise from the lowest mean to the highest fitness of the course, which has at least one generation.
    """
    step = -(-len(course) // max(1, width - 9))
    shown = [*course[: len(course) - 1 : step], course[-1]]
    low, high = min(each.mean for each in shown), max(each.best for each in shown)

    def row(values: Sequence[Fraction]) -> str:
        scale = high - low or Fraction(1)
        return "".join(_BLOCKS[min(len(_BLOCKS) - 1, int((value - low) / scale * len(_BLOCKS)))] for value in values)

    lines = [
        f"fittest {row([each.best for each in shown])}",
        f"mean    {row([each.mean for each in shown])}",
        generation_line(course[-1]),
    ]
    return [line[:width] for line in lines]
