"""`noughts breed`: a bred bot, whether it can lose, its exact record, and its generations."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from noughts.bots.breeding import (
    BY_GENES,
    GENERATIONS,
    MUTATIONS,
    POPULATION,
    Bred,
    Generation,
    breed,
    usual_population,
)
from noughts.bots.layered import has_layers
from noughts.drawing.chart import Curve, draw_curves
from noughts.drawing.svg import Svg
from noughts.machine.workers import silent
from noughts.present.forms import Forms, chart_forms, report_forms, table_forms
from noughts.present.report import How, Look, Report, Table, few, many, try_next, typed
from noughts.rules.board import Board
from noughts.rules.errors import InvalidQuestion
from noughts.rules.position import Position
from noughts.rules.values import decimal, digit_count, percentage
from noughts.verbs.request import DATA, PICTURES, Caller, Limited, VerbAnswer, argument, option, writable


@dataclass(frozen=True, kw_only=True)
class BreedRequest(Limited):
    """Breeding of bots for BOARD: tables with one move for each decision, selected, crossed and mutated.

    Fitness is exact over every line of play. Breeding ends with a bot that never loses. Ctrl-C and SIGTERM give the
    best bot so far. Pictures show the learning curve.
    """

    forms = ("table", "json", *DATA, *PICTURES)

    board: str | Board = argument(default="3x3")
    as_: str = option("Side to play", "both", choices=("X", "O", "both"))
    genes: str = option("Decisions to breed: all, or the real ones", "all", choices=("all", "real"))
    against: tuple[str, ...] = option(
        "Opponent, any policy; repeat the option for more",
        (),
        metavar="random|block|best|each-other|FILE.json|...",
        usual="random",
    )
    fitness: str = option("Fitness: chance not to lose, or result", "never-lose", choices=("never-lose", "result"))
    population: int | None = option(
        "Number of bots in a generation", metavar="N", usual=f"{POPULATION}, {BY_GENES} on boards such as 4x4"
    )
    generations: int = option("Maximum number of generations", GENERATIONS, least=1, metavar="N")
    time: str | None = option("Time limit, such as 10s or 5m", metavar="TIME")
    seed: int = option("Random seed", 0, least=0, metavar="N")
    mutations: float = option("Mean number of mutated genes of a child", MUTATIONS, metavar="N")
    save: str | None = option("File for the bot as a policy", metavar="FILE.json")

    def answer(self, caller: Caller) -> VerbAnswer:
        """Breed the bot, and report each generation to the caller."""
        path, progress = writable(self.save, policy=True), caller.progress or silent

        def watch(found: Generation) -> None:
            progress(found.number, 0, f"generations, fittest {decimal(found.best, 6)}, mean {decimal(found.mean, 6)}")

        settings = self.parts(
            "as_", "genes", "fitness", "population", "mutations", "generations", "seed", "time", "limit"
        )
        with caller.ending() as ended:
            bred = breed(self.board, against=self.against or ("random",), watch=watch, **settings)
        if path is not None:
            caller.write(path, bred.bot.as_dict())
        code = 128 + ended[0] if ended else 130 if bred.stopped == "interrupted" else 0
        return VerbAnswer(bred, forms(bred, caller.look), lambda: code)


_MOST_DIGITS = 12
"""Digits up to which a number of bots is written in full."""
_WORDS = {"result": "chance to win minus chance to lose", "never-lose": "chance not to lose"}


def forms(bred: Bred, look: Look) -> Forms:
    """Return a bot in every form: pictures show the learning curve, tables for programs the generations."""
    return {
        **report_forms(lambda: report(bred), bred.as_dict, look),
        **table_forms(lambda _: [_course(bred, exact=True)], lambda: _headline(bred)),
        **chart_forms(lambda: curve(bred, look.theme), look=look),
    }


def report(bred: Bred) -> Report:
    """Return the report on a bot."""
    second = f"noughts {'check plays every reply to it' if has_layers(bred.board) else 'match gives the same'}"
    return Report.of(
        [_headline(bred), *_loses(bred), _possible(bred)],
        [_record(bred), *_about_others(bred)],
        [f"Fitness ({_WORDS[bred.fitness]}) of the fittest bot and of all on average:", _course(bred)],
        [
            How(
                "one pass in whole numbers over the position classes that a bot can reach gives its exact fitness; "
                f"{second}. A bot never loses if no reply beats it. Seed "
                f"{bred.seed} gives the same bots on any number of threads."
            ),
            try_next(*_next(bred)),
        ],
    )


def _headline(bred: Bred) -> str:
    genes = len(bred.bot.pool.genes)
    kind = "real decision" if bred.bot.pool.kind == "real" else "decision"
    players = _seats(bred)
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


def _seats(bred: Bred) -> str:
    """Return the side of a bot in words: `as X and O`."""
    return f"as {' and '.join(map(bred.board.rules.named, bred.bot.pool.players))}"


def _loses(bred: Bred) -> list[str]:
    """Return the first game that the bot loses, and whether a loss can be avoided."""
    sentences, name = [], bred.board.rules.named
    if bred.loss is not None:
        moves = " ".join(bred.loss.names)
        sentences.append(f"The first of its shortest losses: as {name(bred.loss.player)}, {moves}.")
    if not bred.can_be_held:
        winner, loser = ("X", "O") if bred.outcome == "X" else ("O", "X")
        best = f"Under best play {name(winner)} wins {bred.board}"
        sentences.append(f"{best}: no bot that plays {name(loser)} never loses.")
    return sentences


def _possible(bred: Bred) -> str:
    count, genes = bred.possible_bots, bred.bot.pool.genes
    digits = digit_count(count)
    number = f"{count:,}" if digits <= _MOST_DIGITS else f"a number of {digits:,} digits"
    if not genes:
        return "Breeding has nothing to change, because the bot has no choice: 1 bot is possible."
    if bred.stopped == "every bot":
        judged = "Each was judged once."
    elif bred.evaluations > count:
        judged = f"{bred.evaluations:,} were judged, so some more than once."
    else:
        judged = f"{bred.evaluations:,} of them were judged, some perhaps more than once."
    return f"Possible different bots: {number}, the product of the numbers of choices. {judged}"


def _record(bred: Bred) -> Table:
    rows, labels = [], bred.board.rules.labels
    for name, each in bred.chances.items():
        for player, odds in zip(bred.bot.pool.players, each, strict=True):
            exact = [str(chance) for chance in (odds.win, odds.draw, odds.loss)]
            about = [percentage(chance) for chance in (odds.win, odds.draw, odds.loss)]
            rows.append(
                [
                    name,
                    labels[player == "O"],
                    *(f"{e} ({a})" if "/" in e else a for e, a in zip(exact, about, strict=True)),
                ]
            )
    return Table(["against", "bot is", "wins", "draws", "loses"], rows, frozenset({0, 1}))


def _about_others(bred: Bred) -> list[str]:
    """Return what `best` and `each-other` mean, if they were opponents."""
    meanings = {
        "best": "best is the best response to the bot: no other opponent does better.",
        "each-other": "each-other is the rest of the bot's generation, one game with each as X and one as O.",
    }
    return [bred.board.rules.named(sentence) for name, sentence in meanings.items() if name in bred.chances]


def _course(bred: Bred, exact: bool = False) -> Table:
    """Return the generations: all with exact values, or a few with rounded ones."""
    chosen = bred.course if exact else few(bred.course)
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


def _next(bred: Bred) -> list[str]:
    board = bred.board
    seat = "" if bred.seat == "both" else f" --as {bred.seat}"
    side = "o" if bred.seat == "O" else "x"
    other = "x" if side == "o" else "o"
    judge = "noughts check bot.json" if has_layers(board) else f"noughts match {board} --{side} bot.json --{other} best"
    if bred.stopped == "every bot":
        return [f"noughts breed {again(bred)} --save bot.json", judge]
    genes = " --genes real" if _has_real_choices(bred) else ""
    return [
        f"noughts breed {board}{seat}{genes} --seed {bred.seed + 1} --save bot.json",
        judge,
        f"noughts breed {again(bred)} -o curve.svg",
    ]


def _has_real_choices(bred: Bred) -> bool:
    """Return whether breeding on real decisions differs, and has choices."""
    pool, board = bred.bot.pool, bred.board
    if pool.kind == "real" or not board.rules.has_threats or has_layers(board):
        return False
    return any(
        len(gene.choices) > 1 and not any(Position(board, gene.x, gene.o).threats(player) for player in ("X", "O"))
        for gene in pool.genes
    )


def again(bred: Bred) -> str:
    """Return the arguments of `noughts breed` for the same bot, without defaults."""
    rivals = "".join(f" --against {shlex.quote(name)}" for name in bred.chances)
    ended_early = bred.stopped in ("generations", "time", "interrupted")
    return (
        str(bred.board)
        + typed(("as", bred.seat, "both"), ("genes", "real" if bred.bot.pool.kind == "real" else None, None))
        + rivals * (list(bred.chances) != ["random"])
        + typed(
            ("fitness", bred.fitness, "never-lose"),
            ("population", bred.population, usual_population(bred.board)),
            ("mutations", bred.mutations, MUTATIONS),
            ("generations", bred.generations if ended_early else None, None),
            ("seed", bred.seed, None),
        )
    )


def curve(bred: Bred, theme: str = "light") -> Svg:
    """Return the learning curve: the best and the mean fitness of each generation."""
    if bred.stopped == "every bot":
        raise InvalidQuestion(
            f"{bred.board} has no learning curve, because only {many(bred.possible_bots, 'bot')} can be bred: use "
            "--format table"
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
    title = f"Bots bred on {bred.board} {_seats(bred)}, {many(len(bred.bot.pool.genes), 'gene')}"
    bounds = (-1, 1) if bred.fitness == "result" else (0, 1)
    curves = [Curve("fittest", best), Curve("mean of the generation", mean)]
    return draw_curves(curves, title, "generations", note, bounds=bounds, theme=theme)
