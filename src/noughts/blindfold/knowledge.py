"""What a blind player knows, read from text, and calls with their answers that lead there."""

from __future__ import annotations

import re
from typing import Any

from noughts.blindfold.beliefs import CallTree, InfoSet, ListGame, MergedGame
from noughts.blindfold.game import NO_CELL, Answer, BlindRules, Call, History, marks_after
from noughts.rules.arguments import wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion, shown
from noughts.rules.marks import Cell, cells_of, mask_of
from noughts.rules.position import parse_position

EXAMPLE = "'X b2 a1, taken c3'"
_TRIED = 20_000
"""The most states that a search for calls visits."""
_TEXT_LIMIT = 1_000


def read_state(board: Board, rules: BlindRules, text: str) -> History:
    """Return calls with their answers after which a player knows this, from the start on.

    The text has the player's marks and the cells known to be taken, `X b2 a1, taken c3`, or is a board with these.
    `last c3` adds the opponent's last move, where the referee names it, and `marks 3` the number of the opponent's
    marks, where the other parts leave it open. Where the referee says nothing the text is the list of calls,
    `called b2 a1`. Raises InvalidQuestion where play cannot lead there, InputError for other text, BudgetError where
    the search is too long.
    """
    if not isinstance(text, str):
        raise wrong_type("the state", text, f"text such as {EXAMPLE}")
    if rules.blind == "both":
        raise InvalidQuestion("--from needs one blind player: use --blind X or --blind O")
    if len(text) > _TEXT_LIMIT:
        raise InputError(f"a state of {len(text):,} characters is too long: write {EXAMPLE}")
    parts = _parts(board, rules, text)
    if rules.is_silent:
        return _list(board, rules, parts)
    if "called" in parts:
        raise InvalidQuestion(f"a list of calls needs --told nothing: write {_example(rules)}")
    return _Search(board, rules, parts).history()


def history_of(
    board: Board, rules: BlindRules, start: str, first: Cell | None, opening: Cell | None, wanted: set[str]
) -> History:
    """Return the history that leads to a state. Raises InvalidQuestion where other arguments contradict it."""
    if opening is not None:
        raise InvalidQuestion("--opening cannot be used with --from: name the opening as taken")
    if "value" in wanted:
        raise InvalidQuestion("--from has no value, which depends on the play before: remove value from --with")
    history = read_state(board, rules, start)
    own, known = marks_after(history)
    listed = {cell for cell, _ in history} if rules.is_silent else set()
    if first is not None and ((own | known) >> first & 1 or first in listed):
        raise InvalidQuestion(f"{cell_name(board, first)} is known there: choose another first call")
    return history


def follow(game: CallTree[Any], history: History) -> Any:
    """Return the state after a history that is possible in the game."""
    call, state = game.start(), None
    for cell, answer in history:
        if cell != NO_CELL:
            (call,) = (each for each in game.calls(state) if each.cell == cell)
        state = dict(call.branches)[answer]
    return state


def start_from(game: CallTree[Any], history: History) -> Call[Any]:
    """Return what can happen before the next call after a history: only that the player calls."""
    return Call(NO_CELL, False, False, False, ((Answer("start"), follow(game, history)),))


def _example(rules: BlindRules) -> str:
    listed = "'taken a1, called b2'" if rules.opening_told else "'called b2 a1'"
    return listed if rules.is_silent else EXAMPLE if rules.blind == "X" else "'O b2, taken a1 c3'"


_WORDS = {"x": "X", "o": "O", "taken": "taken", "last": "last", "marks": "marks", "called": "called"}


def _parts(board: Board, rules: BlindRules, text: str) -> dict[str, list[int]]:
    """Return the cells after each word of a state, in their order; `marks` has a number."""
    pieces = [piece for piece in re.split(r"[\s,;:=]+", text.lower()) if piece]
    if not pieces:
        raise InputError(f"the state is empty: write {_example(rules)}")
    if pieces[0] not in _WORDS or len(text.strip()) == board.cells == 1:
        return _marks(board, rules, text)
    found: dict[str, list[int]] = {}
    for piece in pieces:
        if piece in _WORDS:
            word = _WORDS[piece]
            word = "own" if word == rules.blind else "taken" if word == rules.opponent else word
            cells = found.setdefault(word, [])
        elif word == "marks":
            if not piece.isascii() or not piece.isdigit():
                raise InputError(f"{shown(piece)} is not a number of marks: write 'marks 3'")
            cells.append(int(piece))
        else:
            cells.append(parse_cell(board, piece))
    for word, what in (("last", "cell"), ("marks", "number")):
        if len(found.get(word, [0])) != 1:
            raise InputError(f"'{word}' takes exactly one {what}")
    return found


def _marks(board: Board, rules: BlindRules, text: str) -> dict[str, list[int]]:
    """Return the parts of a state that is a board with the known marks."""
    try:
        if re.search("[0-9]", text):
            raise InputError("moves")
        position = parse_position(board, text)
    except InputError:
        raise InputError(f"{shown(text)} is not a state: write {_example(rules)}, or a board") from None
    own, taken = (position.x, position.o) if rules.blind == "X" else (position.o, position.x)
    return {"own": list(cells_of(own)), "taken": list(cells_of(taken))}


def _list(board: Board, rules: BlindRules, parts: dict[str, list[int]]) -> History:
    """Return the history of a list of calls; O may have learned X's opening."""
    opened, called = parts.pop("taken", []), parts.pop("called", [])
    if parts or len(opened) != rules.opening_told:
        raise InvalidQuestion(f"a state is a list of calls where the referee says nothing: write {_example(rules)}")
    game = ListGame(board, rules)
    history: History = ((NO_CELL, Answer("opening", 1 << opened[0]) if opened else Answer("start")),)
    branches = dict(game.start().branches)
    for cell in [*called, None]:
        if history[-1][1] not in branches:
            raise InvalidQuestion("the game is over after these calls: ask about a shorter list")
        if cell is not None:
            calls = {call.cell: call for call in game.each_call(branches[history[-1][1]])}
            if cell not in calls:
                raise InvalidQuestion(f"{cell_name(board, cell)} is in the list already: name each cell once")
            branches = dict(calls[cell].branches)
            history += ((cell, Answer("next")),)
    return history


class _Search:
    """Looks for calls and answers that lead to a state."""

    def __init__(self, board: Board, rules: BlindRules, parts: dict[str, list[int]]) -> None:
        self.board, self.rules, self.parts = board, rules, parts
        self.game = MergedGame(board, rules)
        self.last = parts.get("last", [])
        self.own, self.known = mask_of(parts.get("own", [])), mask_of(parts.get("taken", []) + self.last)
        player = rules.blind
        for cell in cells_of(self.own & self.known):
            raise InvalidQuestion(f"{cell_name(board, cell)} cannot be both {player}'s and taken: name it once")
        if self.last and not rules.names_last:
            raise InvalidQuestion("'last' needs --told last-move: remove it")
        for who, marks in ((player, self.own), (rules.opponent, self.known)):
            if self.board.has_line(marks):
                raise InvalidQuestion(f"{who} has a line there, so the game is over: ask about an earlier state")
        if rules.opening_told and not self.known:
            raise InvalidQuestion("with --opening-told the state names X's opening: write 'O b2, taken a1'")

    def history(self) -> History:
        """Return the calls and answers. Raises InvalidQuestion where there are none, or the state is not clear."""
        any_last = [0] + [1 << cell for cell in cells_of(self.known) if self.rules.names_last]
        for last in [1 << cell for cell in self.last] or any_last:
            found = {hidden: self._to(InfoSet(self.own, self.known, hidden, last)) for hidden in self._sizes()}
            ways = {hidden: history for hidden, history in found.items() if history}
            if len(ways) > 1:
                choice = " or ".join(f"'marks {hidden}'" for hidden in ways)
                raise InvalidQuestion(f"the number of {self.rules.opponent}'s marks is open: add {choice}")
            for history in ways.values():
                return history
        raise InvalidQuestion(self._why_not())

    def _sizes(self) -> list[int]:
        """Return how many marks the opponent may have."""
        rules, known = self.rules, self.known.bit_count()
        given, least = self.parts.get("marks"), self.own.bit_count() + rules.lead
        sizes = range(max(known, least), self.board.cells)
        if not rules.loses_turn or rules.names_none:
            size = least + (known - rules.opening_told if rules.loses_turn else 0)
            sizes = range(size, size + 1)
        return [size for size in sizes if given is None or size in given]

    def _why_not(self) -> str:
        player, other = self.rules.blind, self.rules.opponent
        least, known = self.own.bit_count() + self.rules.lead, self.known.bit_count()
        if not self.rules.loses_turn and known > least:
            marks, cells = (f"{n} {word}{'s' * (n != 1)}" for n, word in ((least, "mark"), (known, "taken cell")))
            return f"{other} has {marks} when {player} calls, but the state has {cells}: name fewer"
        if self.own.bit_count() + max(least, known) >= self.board.cells:
            return f"the board is full by then, so {player} has no call: ask about an earlier state"
        return f"no calls and answers lead {player} to this state: ask about another"

    def _to(self, target: InfoSet) -> History | None:
        """Return the calls to a state, own marks first; None if there are none."""
        dead: set[InfoSet] = set()
        cells = [*cells_of(self.own), *cells_of(self.known)]

        def search(state: InfoSet, history: History) -> History | None:
            if state == target:
                return history
            if state in dead:
                return None
            if len(dead) > _TRIED:
                raise BudgetError(f"the search for calls to this state passed {_TRIED:,} states: name fewer cells")
            for cell in cells:
                if (state.own | state.known) >> cell & 1:
                    continue
                free, taken = self.game.parts(state, cell)
                found = onward((free if self.own >> cell & 1 else taken), history)
                if found is not None:
                    return found
            dead.add(state)
            return None

        def onward(call: Call[InfoSet], history: History) -> History | None:
            for answer, after in call.branches:
                if not after.known & ~self.known and after.hidden <= target.hidden:
                    found = search(after, (*history, (call.cell, answer)))
                    if found is not None:
                        return found
            return None

        return onward(self.game.start(), ())
