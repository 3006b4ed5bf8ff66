"""The rules of play that specifications of boards can name, by their options; others can be added."""

from __future__ import annotations

import re

from noughts.rules.arguments import wrong_type
from noughts.rules.errors import InvalidQuestion, shown
from noughts.rules.gravity import Gravity
from noughts.rules.notakto import Notakto
from noughts.rules.play import PlayRules
from noughts.rules.wild import Chaos, Order, Wild

RULES: dict[str, type[PlayRules]] = {rules.option: rules for rules in (PlayRules, Gravity, Wild, Notakto, Order, Chaos)}
"""The rules of play by the options of a specification; each may have `+misere` or `+exact` too."""
_TAKEN = ("torus", "misere", "exact", "infinite")


def add_rules(rules: type[PlayRules]) -> type[PlayRules]:
    """Add rules of play under their `option`, so that `3x3+option` names a board with them; return the class.

    It can stand as a decorator above the class. Engines that know the rules of noughts refuse others; those that only
    ask the class count and solve them. Raises InvalidQuestion for an option that is not a word of small letters, or is
    taken.
    """
    if not (isinstance(rules, type) and issubclass(rules, PlayRules)):
        raise wrong_type("the rules", rules, "a subclass of PlayRules")
    option = rules.option
    if not re.fullmatch("[a-z]+", option):
        raise InvalidQuestion(f"the option {shown(option)} of {rules.__name__} is not in small letters: rename it")
    before = RULES.get(option)
    if option in _TAKEN or (before is not None and before.__qualname__ != rules.__qualname__):
        raise InvalidQuestion(f"the option {shown(option)} of {rules.__name__} is taken: rename it")
    RULES[option] = rules
    return rules
