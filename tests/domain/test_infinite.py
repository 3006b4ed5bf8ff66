"""How the infinite board is written, and that it is no board with sides."""

from __future__ import annotations

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import InvalidBoard, InvalidType
from noughts.domain.infinite import format_infinite, infinite_k, is_infinite


@pytest.mark.parametrize("text", ["9+infinite", "infinite:9", " 9 + Infinite", "INFINITE:9", "９+infinite"])
def test_it_is_read(text: str) -> None:
    assert is_infinite(text)
    assert infinite_k(text) == 9
    assert infinite_k(format_infinite(9)) == 9


@pytest.mark.parametrize(
    "text",
    ["9x9+infinite", "9x9:9+infinite", "9+infinite+torus", "9+misere+infinite", "infinite", "+infinite", "-1+infinite",
     "0+infinite", "1000001+infinite", "9" * 400 + "+infinite", "infinite:9:9", "3x3", ""],
)  # fmt: skip
def test_what_is_none_gets_one_sentence(text: str) -> None:
    with pytest.raises(InvalidBoard, match=r"write (only how many in a row win, as in )?9\+infinite") as caught:
        infinite_k(text)
    assert "\n" not in str(caught.value)


def test_only_text_is_read() -> None:
    wrong: object = 9
    with pytest.raises(InvalidType, match="an infinite board"):
        infinite_k(wrong)  # type: ignore[arg-type]
    assert not is_infinite(wrong)


@pytest.mark.parametrize("text", ["9+infinite", "infinite:9", "15x15:9+infinite"])
def test_it_is_no_board(text: str) -> None:
    with pytest.raises(InvalidBoard, match="which only noughts solve takes"):
        Board.parse(text)
