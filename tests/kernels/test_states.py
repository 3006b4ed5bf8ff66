"""The classes of any game, uncompiled too: as many, as large, ended and led on to as listing all games has it."""

from __future__ import annotations

import pytest

from noughts.kernels.states import FILLED, LINED
from noughts.solving.class_layers import ClassLayers
from tests import naive
from tests.games import OTHERS


@pytest.mark.parametrize(
    "name", [name for name in OTHERS if name not in ("3x3:3+notakto", "4x3:3+gravity", "3x4:3+gravity")]
)
def test_layers_are_those_of_all_games(name: str) -> None:
    other = OTHERS[name]
    found = ClassLayers(other.game)
    listed = naive.listed(other.rules)
    assert len(found.layers) == len(listed)
    for depth, (layer, paths) in enumerate(zip(found.layers, listed, strict=True)):
        outcomes = {path.positions[-1]: path.outcome for path in paths}
        classes = {naive.position_class(position, other.group) for position in outcomes}
        assert (layer.states.size, int(layer.orbits.sum())) == (len(classes), len(outcomes))
        moves = 0
        for state, end in zip(layer.states, layer.ends, strict=True):
            x, o = found.sets(state)
            text = "".join("X" if x >> cell & 1 else "O" if o >> cell & 1 else "." for cell in range(other.board.cells))
            ended = dict(zip((LINED, FILLED), found.outcomes(depth), strict=True)).get(int(end))
            assert ended == outcomes[text], text
            moves += 0 if ended else len(other.rules.moves(text))
        assert sum(edges.parents.size for edges in found.edges(depth)) == moves
