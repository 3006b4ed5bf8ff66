"""The judge of proofs of a value: works out what each player's part guarantees, by playing everything else."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from noughts.blindfold.game.referee import Referee, Truth
from noughts.blindfold.game.rules import BlindRules
from noughts.blindfold.game.spelling import PROOF_FORMAT, label, marks_text
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import InputError, shown
from noughts.machine.reading import require_version

__all__ = ["ProofVerdict", "judge_proof"]

_PAYOFF = {"win": Fraction(1), "draw": Fraction(0), "loss": Fraction(-1)}


@dataclass(frozen=True)
class ProofVerdict:
    """What the proof claims and what its parts guarantee, from the blind player's viewpoint, on average."""

    board: Board
    rules: BlindRules
    opening: Cell | None
    claimed: tuple[Fraction, Fraction]
    lower: Fraction
    upper: Fraction

    @property
    def holds(self) -> bool:
        """Whether the parts guarantee what is claimed."""
        return self.lower >= self.claimed[0] and self.upper <= self.claimed[1]

    def as_dict(self) -> dict[str, Any]:
        """Return what the proof guarantees for JSON, values as text."""
        return {
            "board": self.board.spec,
            "blind": self.rules.blind,
            "holds": self.holds,
            "claimed": [str(bound) for bound in self.claimed],
            "lower": str(self.lower),
            "upper": str(self.upper),
        }


def judge_proof(document: dict[str, Any]) -> ProofVerdict:
    """Return what both parts of a proof guarantee. Raises InputError where it is incomplete or cannot be read.

    Cost: histories that either part can meet, times the replies or calls there.
    """
    try:
        return _Court(document).verdict()
    except RecursionError:
        raise InputError("the proof is nested too deeply: no game is so long") from None


def _fraction(text: object, where: str) -> Fraction:
    try:
        if isinstance(text, str) and len(text) < 10_000 and "e" not in text.lower():
            return Fraction(text)
    except (ValueError, ZeroDivisionError):
        pass
    raise InputError(f'{where} is {shown(repr(text))}: write a fraction such as "1/2"')


def _entry(value: object, key: str, where: str) -> Any:
    if not isinstance(value, dict) or key not in value:
        raise InputError(f"the proof has no entry {key!r} {where}: every possible answer needs one")
    return value[key]


class _Court:
    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        _entry(document, "version", "at its head")
        require_version("the proof", document)
        if _entry(document, "format", "at its head") != PROOF_FORMAT:
            raise InputError(f"the proof is not of the format {PROOF_FORMAT}, version 1")
        self.board = Board.parse(self._head("board"))
        told = _entry(document, "opening_told", "at its head")
        if not isinstance(told, bool):
            raise InputError("'opening_told' must be true or false")
        blind, collision, said = (cast(Any, self._head(key)) for key in ("blind", "collision", "told"))
        self.rules = BlindRules(blind, told, collision, said)
        opening = _entry(document, "opening", "at its head")
        self.opening = None if opening is None else parse_cell(self.board, self._head("opening"))
        if self.rules.blind == "both" or (self.opening is None) == told:
            raise InputError("a proof is for one blind player, and for one opening where it is told")
        self.referee = Referee(self.board, self.rules)
        self.by_position: dict[Truth, Fraction] = {}

    def _head(self, key: str) -> str:
        value = _entry(self.document, key, "at its head")
        if not isinstance(value, str):
            raise InputError(f"{key!r} is {shown(repr(value))}: it must be a text")
        return value

    def verdict(self) -> ProofVerdict:
        """Judge both parts."""
        document = self.document
        claimed = tuple(_fraction(_entry(document, key, "at its head"), repr(key)) for key in ("lower", "upper"))
        first = self.referee.start(self.opening)
        blind = _entry(document, "blind_player", "at its head")
        lower = Fraction(-1) if blind is None else self.lower(blind, first)
        if document.get("by_position") is not None:
            upper = self.upper_by_position(document["by_position"], first)
        else:
            upper = self.upper(_entry(document, "by_history", "at its head"), self._starts(first))
        return ProofVerdict(self.board, self.rules, self.opening, (claimed[0], claimed[1]), lower, upper)

    def mix(self, value: object, allowed: set[Cell]) -> dict[Cell, Fraction]:
        """Return a mix of allowed cells that adds up to 1."""
        if not isinstance(value, dict):
            raise InputError("a mix is an object from cells to fractions that add up to 1")
        found = {
            parse_cell(self.board, name): _fraction(share, f"the share of {name}") for name, share in value.items()
        }
        if sum(found.values()) != 1 or any(share < 0 for share in found.values()):
            raise InputError(f"the shares of a mix ({shown(', '.join(value))}) are not fractions that add up to 1")
        for cell, share in found.items():
            if share and cell not in allowed:
                raise InputError(
                    f"the proof plays {cell_name(self.board, cell)} where it is taken or was called before"
                )
        return {cell: share for cell, share in found.items() if share}

    def _callable(self, truth: Truth) -> set[Cell]:
        return set(self.referee.cells - truth.known)

    def lower(self, node: object, truth: Truth) -> Fraction:
        """Return what the blind player's part makes sure of from a truth."""
        if truth.outcome is not None:
            return _PAYOFF[truth.outcome]
        if not truth.blind_to_act:
            after = [self.referee.reply(truth, cell) for cell in self.referee.blanks(truth)]
            if any(one.outcome == "loss" for one in after):
                return Fraction(-1)
            return min(self.lower(node, one) for one in after)
        total = Fraction()
        for cell, share in self.mix(_entry(node, "mix", "where it is to call"), self._callable(truth)).items():
            called = self.referee.call(truth, cell)
            total += share * self._after_call(node, cell, called)
        return total

    def _after_call(self, node: object, cell: Cell, called: Truth) -> Fraction:
        if called.outcome is not None:
            return _PAYOFF[called.outcome]
        following = [called] if called.blind_to_act else [
            self.referee.reply(called, reply) for reply in self.referee.blanks(called)
        ]  # fmt: skip
        if any(one.outcome == "loss" for one in following):
            return Fraction(-1)
        worst = [_PAYOFF[one.outcome] for one in following if one.outcome is not None]
        going = [one for one in following if one.outcome is None]
        if going:
            name = cell_name(self.board, cell)
            below = _entry(_entry(node, "after", "after a call"), name, "after its call")
            next_node = _entry(below, label(self.board, called.answer), f"after {name}")
            worst += [self.lower(next_node, one) for one in going]
        return min(worst)

    def _starts(self, first: Truth) -> dict[Truth, Fraction]:
        if first.blind_to_act or first.outcome is not None:
            return {first: Fraction(1)}
        shares = self.mix(_entry(self.document, "openings", "at its head"), set(self.referee.cells))
        return {self.referee.reply(first, cell): share for cell, share in shares.items()}

    def upper(self, node: object, weights: dict[Truth, Fraction]) -> Fraction:
        """Return the most that any blind player gets from truths with weights, against the opponent's part."""
        total = sum((w * _PAYOFF[t.outcome] for t, w in weights.items() if t.outcome is not None), Fraction())
        going = {truth: weight for truth, weight in weights.items() if truth.outcome is None}
        if not going:
            return total
        cells = self._callable(next(iter(going)))
        return total + max(self._upper_call(node, cell, going) for cell in sorted(cells))

    def _upper_call(self, node: object, cell: Cell, weights: dict[Truth, Fraction]) -> Fraction:
        name = cell_name(self.board, cell)
        total, groups = Fraction(), dict[str, dict[Truth, Fraction]]()
        for truth, weight in weights.items():
            called = self.referee.call(truth, cell)
            for after, share in self._replied(node, name, called).items():
                if after.outcome is not None:
                    total += weight * share * _PAYOFF[after.outcome]
                else:
                    group = groups.setdefault(label(self.board, called.answer), {})
                    group[after] = group.get(after, Fraction()) + weight * share
        for heard, group in groups.items():
            below = _entry(_entry(node, name, "for a call"), "after", f"after {name}")
            total += self.upper(_entry(below, heard, f"after {name}"), group)
        return total

    def _replied(self, node: object, name: str, called: Truth) -> dict[Truth, Fraction]:
        if called.outcome is not None or called.blind_to_act:
            return {called: Fraction(1)}
        replies = _entry(_entry(node, name, "for a call"), "replies", f"after {name}")
        key = marks_text(self.board, self.rules.blind, called)
        shares = self.mix(_entry(replies, key, f"after {name}"), set(self.referee.blanks(called)))
        return {self.referee.reply(called, cell): share for cell, share in shares.items()}

    def upper_by_position(self, replies: object, truth: Truth) -> Fraction:
        """Return the most that a player who sees everything gets against replies by position."""
        if truth.outcome is not None:
            return _PAYOFF[truth.outcome]
        if truth not in self.by_position:
            if truth.blind_to_act:
                after = [self.referee.call(truth, cell) for cell in sorted(self._callable(truth))]
                found = max(self.upper_by_position(replies, one) for one in after)
            else:
                name = _entry(replies, marks_text(self.board, self.rules.blind, truth), "among its positions")
                (cell,) = self.mix({name: "1"} if isinstance(name, str) else None, set(self.referee.blanks(truth)))
                found = self.upper_by_position(replies, self.referee.reply(truth, cell))
            self.by_position[truth] = found
        return self.by_position[truth]
