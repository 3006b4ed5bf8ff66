"""The page to play on: a board whose cells are moves, an opponent, hints, and the mistakes at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from typing import Any, NamedTuple

from noughts.analysis.explain.mistakes import PlayedMove
from noughts.analysis.explain.review import Review
from noughts.analysis.explain.wording import how_it_goes
from noughts.analysis.policies.hinting import Hint, hint_steps
from noughts.analysis.policies.playing import (
    HUMAN,
    OPPONENT,
    SIDES,
    Opponent,
    Playing,
    manners,
    opponents,
    play_on,
    reply_values_at,
)
from noughts.analysis.policies.policy import GRADES
from noughts.analysis.policies.tablebots import TableBot, table_bot
from noughts.counting.engines import answer as count_games
from noughts.counting.engines import ask as question_of
from noughts.counting.question import Sameness, convention
from noughts.drawing.chart import question_tree
from noughts.present.forms import as_json
from noughts.rules.arguments import offered
from noughts.rules.board import Board
from noughts.rules.errors import InputError, shown
from noughts.rules.marks import Cell, Player
from noughts.rules.play import EndRule, MoveRule
from noughts.rules.position import parse_game, parse_position
from noughts.rules.values import begun
from noughts.web.addresses import game_slug, position_slug
from noughts.web.boards import BoardView, Card, board_view, mark_keys, mistake_picture, picture
from noughts.web.links import Links, PageAnswer
from noughts.web.pages.characters import characters, what_next
from noughts.web.pages.rules import tiles
from noughts.web.pages.story import bar, chart, reviewed, story
from noughts.web.render import require_reach
from noughts.web.request import Ask, Query, query_of
from noughts.web.values import Known, is_valued_whole, known, live, notes


@dataclass(frozen=True)
class Given:
    """The contents of the address: who plays, the moves so far, the seed."""

    board: Board
    x: str
    o: str
    moves: tuple[Cell, ...]
    seed: str
    table_bots: tuple[TableBot, ...] = ()
    """Further opponents: the server's bots for this board, and the genomes in use."""
    mark: Player = "X"
    """The mark that a click places, where players choose it."""
    values: bool = False
    """Whether the cells show what each move does."""

    def playing(self) -> Playing:
        """Return the game with the opponent's reply. Raises InputError."""
        others = {each.opponent: each.policy for each in self.table_bots}
        return play_on(self.board, self.x, self.o, self.moves, self.seed, reply_values_at, others)


_USUAL = {"x": HUMAN, "o": OPPONENT, "seed": "0", "mark": "X"}
_STEPS = 3
"""The steps of a hint."""


def begin(ask: Ask) -> Given:
    """Return the contents of the address. Raises InputError."""
    require_reach("play", ask.on)
    moves = parse_game(ask.on, (ask.given("g") or "").replace("-", " "))
    board, sides = ask.on, (ask.given("x") or HUMAN, ask.given("o") or OPPONENT)
    table_bots = {each.name: each for each in ask.table_bots if each.board == board}
    players: tuple[Player, ...] = ("X", "O")
    for player, side in zip(players, sides, strict=True):
        found = table_bot(board, side, ask.table_bots)
        if found is None and side not in SIDES:
            raise InputError(f"{player.lower()} cannot be {shown(side)}: choose {offered(side, (*SIDES, *table_bots))}")
        if found is not None:
            _require_side(found, player, (*SIDES, *table_bots))
            table_bots[found.name] = found
    mark: Player = "O" if ask.given("mark") == "O" else "X"
    return Given(board, *sides, moves, ask.given("seed") or "0", tuple(table_bots.values()), mark,
                 ask.given("values") is not None)  # fmt: skip


def _require_side(found: TableBot, side: Player, names: Sequence[str]) -> None:
    """Raise InputError where a bot cannot play a side to the end."""
    if side in found.sides:
        return
    at = found.lacks[side]
    only = f": it plays {found.sides[0]} only" if found.sides else ""
    others = [name for name in names if name != found.name]
    raise InputError(
        f"{shown(found.name)} cannot play {side}, as it has no moves for {at}{only}; choose for {side} one of "
        f"{', '.join(others)}"
    )


_ONLY_BLIND = ("told", "collision", "opening_told", "goal", "as", "opponent", "show")
_ONLY_SEEN = ("x", "o", "hint", "values")


def _is_blind(ask: Ask) -> bool:
    """Tell whether a game is played blindfold. Raises InputError for parameters of the other kind of play."""
    if ask.given("blind") == "both":
        raise InputError("two blind players cannot share one page: use blind=X or blind=O, with opponent=blind on 3x3")
    blind = ask.given("blind") is not None
    stray = next((name for name in (_ONLY_SEEN if blind else _ONLY_BLIND) if ask.given(name) is not None), None)
    if stray is not None and blind:
        raise InputError(f"{stray} cannot be used in blindfold play: choose your side with as=blind or as=sighted")
    if stray is not None:
        raise InputError(f"{stray} needs blindfold play: add blind=X or blind=O, or remove {stray}")
    return blind


def answer_play(ask: Ask) -> PageAnswer:
    """Return the page of a game in progress. Raises InputError."""
    if _is_blind(ask):
        from noughts.web.pages.blindfold import answer_blindplay  # a page of blindfold play alone needs its room

        return answer_blindplay(ask)
    given = begin(ask)
    game = given.playing()

    return PageAnswer(
        "play.html",
        "Play",
        lambda links: _context(ask, links, given, game),
        {"json": lambda: as_json(game.as_dict())},
    )


def link_to(links: Links, given: Given, **other: Any) -> str | None:
    """Return the link to this game with changes: x, o, g (moves), seed, hint, mark."""
    at = {"x": given.x, "o": given.o, "g": given.moves, "seed": given.seed, "mark": given.mark,
          "values": "1" if given.values else None, **other}  # fmt: skip
    at["g"] = game_slug(given.board, at["g"])
    return links.to(Ask("play", given.board, query=_without(_USUAL, at)))


def _without(usual: Mapping[str, str], query: Mapping[str, Any]) -> Query:
    """Return parameters without those that have their default."""
    return query_of({key: None if str(value) == usual.get(key) else value for key, value in query.items()})


def board_of(
    links: Links, given: Given, game: Playing, *, hint: Hint | None = None, step: int = 0, facts: Known | None = None
) -> BoardView:
    """Return the board of a game; its blank cells are links when a person is to move.

    `hint` is shown as far as `step`; `facts` are what each move does, if the cells show it.
    """
    at = game.position
    turn = not game.is_over and game.seat(at.to_move) == HUMAN
    chooses = turn and given.board.rules.chooses_mark
    words = " ".join(hint.steps[:step]) if hint else ""
    best = hint.best if hint and step >= len(hint.steps) else ()
    undo = _undo(links, given, game)
    back = game.moves[len(game.undone) :] if game.undone is not None and game.people else ()

    def to(move: Cell) -> str | None:
        return link_to(links, given, g=(*game.moves, move)) if turn else None

    return board_view(
        at,
        to=to,
        notes=notes(facts.moves) if facts and turn else None,
        best=best or (facts.marked if facts and turn else ()),
        look=hint.region if hint and not best else (),
        last=game.moves[-1] if game.moves else None,
        back=dict.fromkeys((move % at.board.cells for move in back), undo),
        places=given.mark if chooses else "",
        label=f"{game.board}, {game.sentence}",
        live=words or live(game),
        hint=words if step >= _STEPS else "",
        keys={
            "undo": undo,
            "hint": link_to(links, given, g=game.moves, hint=min(step + 1, _STEPS)) if turn else None,
            "best": to(best[0]) if best and turn else None,
            **mark_keys(given.mark * chooses, lambda mark: link_to(links, given, g=game.moves, mark=mark or "X")),
        },
        unkeyed=_unkeyed(game.is_over, turn),
    )


def _unkeyed(is_over: bool, turn: bool) -> dict[str, str]:
    """Return why the page gives no hint, and no best move before a hint."""
    if is_over or not turn:
        return dict.fromkeys(("best", "hint"), "The game is over." if is_over else "It is not your move.")
    return {"best": "To play the best move, first ask for hints: press h three times."}


def _undo(links: Links, given: Given, game: Playing) -> str | None:
    return None if game.undone is None else link_to(links, given, g=game.undone)


def _context(ask: Ask, links: Links, given: Given, game: Playing) -> dict[str, Any]:
    at, rules = game.position, given.board.rules
    sides = {each.name: each.sides for each in game.others}

    def can_play(name: str, side: Player) -> bool:
        return name not in sides or side in sides[name]

    step = 0 if game.is_over else min(int(ask.given("hint") or 0), _STEPS)
    hint = hint_steps(at) if step else None
    facts = known(at) if given.values else None
    found = reviewed(game.board, game.moves) if game.is_over else None
    against = next((name for name in (given.x, given.o) if name != HUMAN), OPPONENT)
    lessons, fresh = lessons_of(found, links, against) if found else [], str(int(given.seed) + 1)
    return {
        "game": game,
        "view": board_of(links, given, game, hint=hint, step=step, facts=facts),
        "hint": hint.steps[:step] if hint else (),
        "more_hint": hint is None or step < len(hint.steps),
        "bar": bar(given.board, facts.facts.outcome, facts.facts.remoteness) if facts else "",
        "valued": given.values,
        "unvalued": facts is not None and not any(move.kind for move in facts.moves),
        **_ended(links, given, game, found, lessons),
        "sentences": found.sentences if found else ("This board is too large for a page to find the losing move.",),
        "lessons": lessons,
        "can_swap": given.x != given.o and can_play(given.o, "X") and can_play(given.x, "O"),
        "sides": [("X", given.x), ("O", given.o)],
        "draw": _draws(ask, given, game),
        "characters": [
            (each, link_to(links, given, **_against(given, each.opponent.name), g=(), seed=fresh))
            for each in characters(given.board, game.people[0] if len(game.people) == 1 else "X")
        ],
        "seated_by": [game.opponent("X"), game.opponent("O")],
        "seated": [(player, game.opponent(player)) for player in ("X", "O")],
        "choices": (*opponents(given.board), *game.others),
        "abouts": manners(given.board, whole=is_valued_whole(given.board))
        | {each.name: each.about for each in game.others},
        "seed": given.seed,
        "moves": story(given.board, game.moves, found.course if found else None, partial(_stepped, links, game), 0),
        "rules": how_it_goes(given.board),
        "loses": "" if rules.line_wins or game.is_over else f"{begun(rules.goal)}.",
        "players": dict(zip(("X", "O"), rules.labels, strict=True)),
        "to": {
            "undo": _undo(links, given, game),
            "hint": link_to(links, given, g=game.moves, hint=step + 1),
            "values": link_to(links, given, g=game.moves, values=None if given.values else "1"),
            "new": link_to(links, given, g=(), seed=fresh),
            "swap": link_to(links, given, x=given.o, o=given.x, g=(), seed=fresh),
            "next": None if game.awaited is None else link_to(links, given, g=(*game.moves, game.awaited)),
            "game": links.game(game.moves) if game.moves else None,
            "position": links.position(at),
        },
    }


def _stepped(links: Links, game: Playing, ply: int) -> str | None:
    """Return the link to the page of the whole game after some of its moves."""
    line = game_slug(game.board, game.moves) if ply < len(game.moves) else None
    return links.game(game.moves[:ply], line=line)


def _ended(
    links: Links, given: Given, game: Playing, found: Review | None, lessons: Sequence[LessonView]
) -> dict[str, Any]:
    """Return what stands on the page of a finished game: its course, and what to try next."""
    if not game.is_over:
        return {"chart": "", "next": None, "next_to": None}
    mine = [each for each in lessons if each.made.player in game.people]
    lost = mine[-1] if mine and game.winner not in (None, *game.people) else None
    following, fresh = what_next(game, lost and lost.made, bool(mine) or found is None), str(int(given.seed) + 1)
    to = None
    if following is not None and following.again and lost is not None:
        to = lost.again
    elif following is not None and following.swap:
        to = link_to(links, given, x=given.o, o=given.x, g=(), seed=fresh)
    elif following is not None:
        to = link_to(links, given, **_against(given, following.opponent), g=(), seed=fresh)
    course = found.course if found else None
    return {"chart": chart(given.board, course, len(game.moves)), "next": following, "next_to": to}


def _levels(board: Board) -> list[Opponent]:
    """Return the opponents in sight: those whose only difference is how often they err."""
    return [each for each in opponents(board) if each.name in GRADES]


def _against(given: Given, name: str) -> dict[str, str]:
    """Return who plays X and O with another opponent in the place of the one there is."""
    return {"x": name, "o": HUMAN} if given.o == HUMAN != given.x else {"x": HUMAN, "o": name}


def _draws(ask: Ask, given: Given, game: Playing) -> str:
    """Return what a script does about a new game without a seed, so that the replies vary from game to game.

    It adds a seed to the links, or where an opponent has begun, to the address of the page.
    """
    if ask.given("seed") is not None or given.moves or len(game.people) == 2:
        return ""
    return "links" if not game.moves and game.people else "page"


class LessonView(NamedTuple):
    """A mistake on a page: the move, the board after it with arrows, and the link to play on from before it."""

    made: PlayedMove
    picture: str
    again: str | None


def lessons_of(found: Review, links: Links, against: str = OPPONENT) -> list[LessonView]:
    """Return the mistakes of a game; each can be tried again by the player who made it, against an opponent."""

    def again(made: PlayedMove) -> str | None:
        seats = (HUMAN, against) if made.player == "X" else (against, HUMAN)
        before = Given(found.board, *seats, tuple(found.cells[: made.number - 1]), "")
        return link_to(links, before, seed=None)

    return [LessonView(made, mistake_picture(made), again(made)) for made in found.lessons]


_HINTS = "Hints are on the page of this game: choose Hints and more, below the board."


_MOVES: tuple[tuple[MoveRule, str], ...] = (
    ("any", "any"),
    ("win", "win if you can"),
    ("block", "else block"),
    ("fork", "else fork"),
    ("perfect", "perfect"),
)
_ENDS: tuple[tuple[EndRule, str], ...] = (("line", "at a line"), ("decided", "when decided"), ("full", "when full"))
_SAMES: tuple[tuple[Sameness, str], ...] = (
    ("labelled", "same cells"),
    ("symmetry", "turned or flipped"),
    ("choices", "same choices"),
)


class Switch(NamedTuple):
    """One of the three questions: the parameter, the question, and its answers: value and words, the default first."""

    name: str
    words: str
    answers: tuple[tuple[str, str], ...]


QUESTIONS = (
    Switch("moves", "Which moves are allowed?", _MOVES),
    Switch("end", "When is the game over?", _ENDS),
    Switch("same", "When are two games the same?", _SAMES),
)


class Counted(NamedTuple):
    """One combination of answers: the number of games, and the convention in words."""

    answers: tuple[str, ...]
    games: int
    convention: str


@lru_cache(maxsize=1)
def counted() -> tuple[Counted, ...]:
    """Return the number of games of 3x3 for every combination of answers."""
    return tuple(_count(moves, end, same) for (moves, _), (end, _), (same, _) in product(_MOVES, _ENDS, _SAMES))


def _count(moves: MoveRule, end: EndRule, same: Sameness) -> Counted:
    found = count_games(question_of("3x3", moves=moves, end=end, same=same))
    return Counted((moves, end, same), found.totals.finished or 0, convention(found.question))


@lru_cache(maxsize=1)
def _tree() -> str:
    answers = [[(f"{each.name}-{value}", words) for value, words in each.answers] for each in QUESTIONS]
    return question_tree(
        answers, f"A tree of the three questions with {len(counted())} answers, the chosen path highlighted"
    )


def answer_start(ask: Ask) -> PageAnswer:
    """Return the start page. Raises InputError for an impossible game."""
    board = Board.parse("3x3")
    moves = parse_game(board, (ask.given("g") or "").replace("-", " "))
    given = Given(board, HUMAN, ask.given("o") or OPPONENT, moves, ask.given("seed") or "0")
    game = given.playing()
    return PageAnswer("start.html", "Tic-tac-toe, exactly", lambda links: _context_start(links, ask, given, game))


def _context_start(links: Links, ask: Ask, given: Given, game: Playing) -> dict[str, Any]:
    chosen = tuple(ask.given(each.name) or each.answers[0][0] for each in QUESTIONS)
    at = game.position

    def here(**other: Any) -> str | None:
        query = {"o": given.o, "seed": given.seed, "g": given.moves, **dict(zip(_NAMES, chosen, strict=True)), **other}
        query["g"] = game_slug(game.board, query["g"])
        return links.to(Ask("start", None, "", _without(_USUAL_START, query)))

    def count_of(each: Counted) -> str | None:
        query = _without({"moves": "any", "end": "line"}, dict(zip(_NAMES, each.answers, strict=True)))
        return links.to(Ask("count", game.board, "", query))

    undo = None if game.undone is None else here(g=game.undone)
    played = {"o": given.o, "seed": given.seed, "g": game_slug(game.board, game.moves)}
    return {
        "game": game,
        "view": board_view(
            at,
            to=lambda cell: None if game.is_over else here(g=(*game.moves, cell)),
            last=game.moves[-1] if game.moves else None,
            label=f"3x3, {game.sentence}",
            live=live(game),
            keys={"undo": undo},
            unkeyed=dict.fromkeys(("best", "hint"), "The game is over." if game.is_over else _HINTS),
        ),
        "undo": undo,
        "draw": _draws(ask, given, game),
        "new": here(g=(), seed=int(given.seed) + 1),
        "chips": [(each, here(o=each.name, g=())) for each in _levels(game.board)],
        "opponent": given.o,
        "more": links.to(Ask("play", game.board, "", _without({"seed": "0"}, played))),
        "puzzles": links.to(Ask("puzzles", game.board)),
        **_ending(game, links, here),
        "questions": QUESTIONS,
        "chosen": chosen,
        "kept": [(name, value) for name, value in ask.query if name not in _NAMES],
        "counted": [(each, count_of(each)) for each in counted()],
        "tree": _tree(),
        "samples": [  # answers that people give to one question: plain, up to symmetry, by choices
            (each.games, links.to(Ask("whatis", None, "", (("n", str(each.games)),))))
            for each in counted()
            if each.answers[:2] == ("any", "line")
        ],
        "cards": _cards(links, game.board),
        "gallery": _boards(links),
        "today": links.to(Ask("puzzles", game.board, "", (("daily", "today"), ("try", "1")))),
        "rules": links.to(Ask("rules")),
    }


_NAMES = tuple(each.name for each in QUESTIONS)
_USUAL_START = {"o": OPPONENT, "seed": "0", **{each.name: each.answers[0][0] for each in QUESTIONS}}


def _ending(game: Playing, links: Links, here: Callable[..., str | None]) -> dict[str, Any]:
    """Return what follows a finished game: the mistake that gave it away, and the place to try again from."""
    found = reviewed(game.board, game.moves) if game.is_over else None
    if found is None:
        return {"why": "", "again": None, "whole": None}
    mine = [made for made in found.lessons if made.player in game.people]
    lost = mine[-1] if mine and game.winner not in game.people else None
    return {
        "why": " ".join([f"{lost.headline}.", *lost.why]) if lost else found.sentences[0],
        "again": here(g=game.moves[: lost.number - 1], seed=None) if lost else None,
        "whole": links.to(Ask("game", game.board, game_slug(game.board, game.moves))),
    }


def _cards(links: Links, board: Board) -> list[Card]:
    def page(kind: str, what: str = "", **query: str) -> str | None:
        return links.to(Ask(kind, board, what, query_of(query)))

    def drawn(text: str) -> str:
        return picture(parse_position(board, text))

    trap = parse_position(board, "X../.O./..X")
    return [
        Card(page("position", position_slug(trap), quiz="1"), "Why did I lose?",
             "A trap: O is to move, and some of these moves lose. Which?", picture(trap)),
        Card(page("openings"), "How to begin",
             "Every first move, every reply, and the value of each.", drawn(".../.X./...")),
        Card(page("tree", "reduced"), "All of it in one tree",
             "The game tree without equivalent boards and forced moves.",
             question_tree([[("", "")] * 3, [("", "")] * 3], "a tree")),
        Card(page("blindfold"), "Without looking",
             "Can you be sure not to lose if you never see the other player's moves?",
             picture(parse_position(board, ".../.X./..."), [2])),
        Card(page("play"), "Against an opponent",
             "From random moves to traps; each opponent explains how it chooses.", drawn("XO./.X./O..")),
        Card(page("crib"), "A card to carry",
             "The fewest boards to know if you never want to lose, to print.",
             picture(parse_position(board, "O../.X./..."), [8])),
        Card(page("menace"), "Matchboxes that learn",
             "MENACE: boxes of beads that learn as a class plays.", drawn("X../.../...")),
        Card(page("puzzles"), "Puzzles",
             "Only one move is right. Which? With hints, an answer with its reason, and a new puzzle each day.",
             drawn("X.O/.O./..X")),
        Card(page("sheets"), "To print",
             "Worksheets with their answers, flash cards, boards to play on, and posters.", drawn(".../.../...")),
        Card(page("positions"), "Every position",
             "All boards that can occur in a game, each with its own page.", drawn("XO./.XO/...")),
        Card(page("endings"), "How it ends",
             "Every finished board; turned or mirrored boards appear once.", drawn("XXX/OO./...")),
        Card(page("count"), "Every way to count",
             "All conventions side by side, ply by ply, with a derivation.", drawn("XOX/OXO/OXO")),
    ]  # fmt: skip


def _boards(links: Links) -> list[dict[str, Any]]:
    """Return the boards of the gallery with their pictures and links."""
    return [
        {
            **tile._asdict(),
            "spec": spec,
            "picture": picture(tile.at),
            "to": links.board(spec),
            "play": links.to(Ask("play", tile.at.board)),
        }
        for spec, tile in tiles().items()
    ]
