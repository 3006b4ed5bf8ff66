"""The slow, obvious oracle of blindfold play: worlds are strings, histories are played one by one. Imports nothing.

A world is (cells, last, chance). The cells are a string with `B` for the blind player, `S` for the sighted one and `.`
for blank. `last` is the sighted player's last cell or None, `chance` its chance under random replies.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

World = tuple[str, int | None, Fraction]


class Rules(NamedTuple):
    """Lines as sets of cells; blind is X or O; lose_turn and told as in the package; goal never-lose or always-win."""

    cells: int
    lines: tuple[frozenset[int], ...]
    misere: bool
    blind: str
    opening_told: bool
    lose_turn: bool
    told: str
    goal: str


class Found(NamedTuple):
    """What there is from a history on: the good calls, the fewest places, the plans, chances, histories, sets."""

    good: tuple[int, ...]
    smallest: int
    plans: int
    chance: Fraction
    good_chance: Fraction
    histories: int
    sets: frozenset[tuple[frozenset[int], frozenset[int]]]


def ending(world: str, mark: str, rules: Rules) -> str:
    """win, loss or draw for the blind player after `mark` moved, or an empty string."""
    if any(all(world[cell] == mark for cell in line) for line in rules.lines):
        return "win" if (mark == "B") != rules.misere else "loss"
    return "" if "." in world else "draw"


def put(world: str, cell: int, mark: str) -> str:
    return world[:cell] + mark + world[cell + 1 :]


def replies(worlds: list[World], rules: Rules) -> tuple[list[str], Fraction, list[World]]:
    """Play every reply: the endings met, the chance of a win at once, the worlds that go on."""
    endings: list[str] = []
    won, going = Fraction(), list[World]()
    for world, _, chance in worlds:
        blank = [cell for cell in range(rules.cells) if world[cell] == "."]
        for cell in blank:
            after = put(world, cell, "S")
            end = ending(after, "S", rules)
            if end:
                endings.append(end)
                won += chance / len(blank) if end == "win" else 0
            else:
                going.append((after, cell, chance / len(blank)))
    return endings, won, going


def call(
    worlds: list[World], cell: int, rules: Rules
) -> tuple[list[str], Fraction, list[tuple[set[int], list[World]]]]:
    """Play a call in every world: endings, the chance to win at once, and per answer the named cells and worlds."""
    endings: list[str] = []
    won = Fraction()
    placed: list[World] = []
    heard: dict[tuple[str, str], tuple[set[int], list[World]]] = {}
    for world, last, chance in worlds:
        if world[cell] == "S":
            cells = {i for i in range(rules.cells) if world[i] == "S"}
            told = cells if rules.told == "all" else {last} if rules.told == "last-move" and last is not None else set()
            key = ("silence", "") if rules.told == "nothing" else ("taken", str(sorted(told)))
            group = heard.setdefault(key, (told, []))
            if rules.lose_turn:
                ends, more, going = replies([(world, last, chance)], rules)
                endings += ends
                won += more
                group[1].extend(going)
            else:
                group[1].append((world, last, chance))
            continue
        after = put(world, cell, "B")
        end = ending(after, "B", rules)
        if end:
            endings.append(end)
            won += chance if end == "win" else 0
        else:
            placed.append((after, last, chance))
    ends, more, going = replies(placed, rules)
    key = ("silence", "") if rules.told == "nothing" else ("free", "")
    heard.setdefault(key, (set(), []))[1].extend(going)
    return endings + ends, won + more, [group for group in heard.values() if group[1]]


def explore(worlds: list[World], barred: frozenset[int], rules: Rules) -> Found:
    """Everything from a history on, by trying every call."""
    good, sizes, plans, histories = [], [], 0, 1
    chances, good_chances = [], [Fraction()]
    own = frozenset(i for i in range(rules.cells) if worlds[0][0][i] == "B")
    sets = {(own, barred - own)}
    for cell in range(rules.cells):
        if cell in barred:
            continue
        endings, won, groups = call(worlds, cell, rules)
        after = [explore(group, barred | {cell} | told, rules) for told, group in groups]
        bad = "loss" in endings or ("draw" in endings and rules.goal == "always-win")
        chances.append(won + sum(found.chance for found in after))
        histories += sum(found.histories for found in after)
        sets.update(*(found.sets for found in after))
        if not bad and all(found.good for found in after):
            good.append(cell)
            sizes.append(1 + sum(found.smallest for found in after))
            product = 1
            for found in after:
                product *= found.plans
            plans += product
            good_chances.append(won + sum(found.good_chance for found in after))
    smallest = min(sizes, default=0)
    return Found(tuple(good), smallest, plans, max(chances), max(good_chances), histories, frozenset(sets))


def can(worlds: list[World], barred: frozenset[int], rules: Rules) -> bool:
    """Whether some call is good from here on; stops at the first."""
    return any(is_good(worlds, barred, cell, rules) for cell in range(rules.cells) if cell not in barred)


def is_good(worlds: list[World], barred: frozenset[int], cell: int, rules: Rules) -> bool:
    endings, _, groups = call(worlds, cell, rules)
    if "loss" in endings or ("draw" in endings and rules.goal == "always-win"):
        return False
    return all(can(group, barred | {cell} | told, rules) for told, group in groups)


def starts(rules: Rules) -> list[tuple[frozenset[int], list[World]]]:
    """The worlds before the first call, and the cells that the referee names, for each possible answer."""
    empty: World = ("." * rules.cells, None, Fraction(1))
    if rules.blind == "X":
        return [(frozenset(), [empty])]
    _, _, going = replies([empty], rules)
    if rules.opening_told:
        return [(frozenset({world.index("S")}), [(world, last, chance)]) for world, last, chance in going]
    return [(frozenset(), going)] if going else []
