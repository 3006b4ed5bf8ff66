"""Cells, positions and moves as text: parse and format are inverse, every spelling is read, mistakes are explained."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.rules.arguments import nearby, offered, plain
from noughts.rules.board import Board, parse_specification
from noughts.rules.cells import cell_name, cells_as, column_name, parse_cell
from noughts.rules.errors import BudgetError, InputError, InvalidCell, InvalidPosition
from noughts.rules.position import (
    Position,
    format_position,
    format_start,
    is_game,
    parse_game,
    parse_moves,
    parse_position,
)
from noughts.rules.values import roughly
from tests.boards import FLOWER

boards = st.sampled_from(
    [Board.parse(spec) for spec in ("3x3", "3x4", "4x3", "1x5", "5x1", "1x1", "2x3x4", "3x2x1", "1x1x2", "2x30", "8x8")]
    + [Board.from_lines(*FLOWER)]
)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    board = draw(boards)
    text = draw(st.text(".XO", min_size=board.cells, max_size=board.cells))
    x, o = (sum(1 << cell for cell, mark in enumerate(text) if mark == player) for player in "XO")
    return Position(board, x, o)


@given(positions())
def test_positions_are_read_as_printed(position: Position) -> None:
    text = format_position(position)
    assert str(position) == text
    assert parse_position(position.board, text) == position


@given(positions(), st.sampled_from("-_ "), st.sampled_from(["/", ",", "", "\n", "\r\n"]), st.booleans())
def test_every_spelling_of_a_position_is_read(position: Position, blank: str, joint: str, lower: bool) -> None:
    text = format_position(position).replace(".", blank).replace("/", joint)
    assert parse_position(position.board, text.lower() if lower else text) == position
    assert parse_position(position.board, text.replace("|", "" if joint == "" else joint)) == position


@given(boards, st.data())
def test_cells_are_read_as_printed(board: Board, data: st.DataObject) -> None:
    cell = data.draw(st.integers(0, board.cells - 1))
    name = cell_name(board, cell)
    assert parse_cell(board, name) == parse_cell(board, f" {name.upper()} ") == cell
    assert parse_cell(board, str(cell + 1)) == cell


@given(boards, st.randoms(use_true_random=False), st.sampled_from([" ", ",", ", ", "\n", ";"]))
def test_moves_lead_to_the_position_they_play(board: Board, random: Random, joint: str) -> None:
    position = Position(board)
    names: list[str] = []
    while not position.is_terminal and (not names or random.random() < 0.8):
        blank = [cell for cell in range(board.cells) if position.blanks >> cell & 1]
        cell = random.choice(blank)
        names.append(cell_name(board, cell))
        position = position.play(cell)
    assert parse_position(board, joint.join(names)) == position
    if board.shape is not None and not board.is_solid:
        assert parse_position(board, "".join(names)) == position


@pytest.mark.parametrize(
    "name", ["", "d1", "a4", "a0", "0", "10", "1a", "a", "a1.2", "é1", "a" * 10_000, "a1 b2", "-1", "²"]
)
def test_unknown_cells_get_one_sentence(name: str) -> None:
    with pytest.raises(InvalidCell) as caught:
        parse_cell(Board.parse("3x3"), name)
    message = str(caught.value)
    assert "\n" not in message
    assert "3x3:3" in message
    assert "a1" in message
    assert len(message) < 200


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "X",
        "X.O/.X.",
        "X.O/.X./..OO",
        "X.O|.X.|..O",
        "XYO/.X./..O",
        "X.O/.X./..Ø",
        "." * 10,
        "x" * 10_000,
        "a1 a1",
        "a1 d4",
        "a1 a2 b1 b2 c1 c2",
        "a1b",
        "10",
        "\x00" * 9,
        "X.O//.X.",
        "a1 é2",
    ],
)
def test_what_is_no_position_gets_one_sentence(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_position(Board.parse("3x3"), text)
    message = str(caught.value)
    assert "\n" not in message
    assert message.isascii()
    assert len(message) < 250
    assert caught.value.exit_code == 2


def test_moves_after_the_end_are_refused() -> None:
    with pytest.raises(InvalidPosition, match="plays c2 after the game was over, won by X with a1-b1-c1: leave out"):
        parse_position(Board.parse("3x3"), "a1 a2 b1 b2 c1 c2")
    with pytest.raises(InvalidPosition, match="after the game was over, won by O as X completed a1-b1-c1: leave out"):
        parse_position(Board.parse("3x3+misere"), "a1 a2 b1 b2 c1 c2")
    with pytest.raises(InvalidPosition, match="plays a1 after the game was over, drawn on the full board: leave out"):
        parse_position(Board.parse("2x2:3"), "a1 a2 b1 b2 a1")


@pytest.mark.parametrize("text", ["X", "a1", 5])
def test_positions_of_boards_too_large_to_count_are_refused(text: object) -> None:
    with pytest.raises(BudgetError, match="has 4,100 cells: choose a board of up to 4,096"):
        parse_position(Board.parse("82x50"), text)  # type: ignore[arg-type]  # 5 is no text
    with pytest.raises(BudgetError, match="has 4,100 cells"):
        parse_game(Board.parse("82x50"), "a1")


def drawn(position: Position, *, rule: str = "", spaces: bool = True, border: bool = False, cut: bool = False) -> str:
    """Draw a board with bars between its cells, layer below layer; written from the marks alone."""
    shape = position.board.shape
    assert shape is not None
    rows, columns, layers = shape
    marks = [position.mark_at(cell) or " " for cell in range(position.board.cells)]
    lines = []
    for row in range(rows * layers):
        cells = marks[row * columns : (row + 1) * columns]
        line = " | ".join(cells) if spaces else "|".join(cells)
        line = f"| {line} |" if border else line
        lines.append(line.rstrip() if cut else line)
    return f"\n{rule}\n".join(lines) if rule else "\n".join(lines)


@given(
    positions(),
    st.sampled_from(["", "---+---+---", "-----------", "---|---|---", "+===+"]),
    st.booleans(),
    st.booleans(),
)
def test_boards_drawn_with_bars_are_read(position: Position, rule: str, spaces: bool, border: bool) -> None:
    shape = position.board.shape
    if shape is None or shape[1] < 2:
        return
    text = drawn(position, rule=rule, spaces=spaces, border=border)
    for spelling in (text, text.lower(), text.replace("\n", "\r\n"), f"\n{text}\n"):
        assert parse_position(position.board, spelling) == position
    if not border:
        assert parse_position(position.board, drawn(position, rule=rule, cut=True)) == position


def test_shourds_rows_are_read_on_one_line_and_with_lines_of_a_box() -> None:
    expected = parse_position("3x3", "XO./.X./..O")
    for text in (
        "X | O |   /   | X |   /   |   | O",
        "x|o|,|x|,||o",
        "X │ O │  \n──┼───┼──\n  │ X │  \n──┼───┼──\n  │   │ O",
    ):
        assert parse_position("3x3", text) == expected
    assert parse_position("2x2", "- | x\no | -") == parse_position("2x2", ".X/O.")
    assert parse_position("3x3", "x|-|-\n-|-|-\n-|-|o") == parse_position("3x3", "X../.../..O")
    assert parse_position("3x3", "x|-|-|\n-|-|-|\n-|-|o|") == parse_position("3x3", "X../.../..O")
    assert parse_position("3x3", "|x|-|-\n|-|-|-\n|-|-|o") == parse_position("3x3", "X../.../..O")
    for rule in ("=|=|=", "-+|+-", "--|--|--", "---"):
        assert parse_position("2x2", f"x|o\n{rule}\n |x") == parse_position("2x2", "XO/.X")


def test_bars_between_layers_mean_what_they_did() -> None:
    board = Board.parse("2x2x2")
    assert str(parse_position(board, "XO/..|../.X")) == "XO/..|../.X"
    assert str(parse_position(board, "X|O\n | \n\n | \n |X")) == "XO/..|../.X"
    assert str(parse_position("1x1x3:3", "X|O| ")) == "X|O|."


@pytest.mark.parametrize(
    "text", ["X | O", "X | O | X | O\n | | \n | | ", "| X | O |\n | | \n | | ", "XX|O|\n||\n||", "X|O|Z\n||\n||"]
)
def test_drawings_of_other_boards_are_refused(text: str) -> None:
    with pytest.raises(InvalidPosition, match="is not a position of 3x3:3: write 3 rows of 3"):
        parse_position("3x3", text)


# Where notation begins and ends: the longest texts, the last rows and layers, every sign, every sentence in full.


def sentence(call, *given) -> str:
    with pytest.raises(InputError) as caught:
        call(*given)
    return str(caught.value)


@pytest.mark.parametrize("space", ["\u00a0", "\u2007", "\u202f", "\u3000"])
def test_every_kind_of_space_is_a_space(space: str) -> None:
    assert plain(f"a{space}b") == "a b"
    assert str(parse_position("3x3", f"a1{space}b2")) == "X../.O./..."


def test_every_full_width_sign_is_the_plain_one_and_its_neighbours_are_not() -> None:
    signs = [chr(code) for code in range(0x21, 0x7F)]
    assert plain("".join(chr(ord(sign) + 0xFEE0) for sign in signs)) == "".join(signs)
    assert [plain(sign) for sign in ("\uff00", "\uff5f", "\u2006", "\u2008", "\u202e", "\u2030", "\u3001")] == [
        *("\uff00", "\uff5f", "\u2006", "\u2008", "\u202e", "\u2030", "\u3001")
    ]
    assert plain("e\u0301\ufeff\u200b") == "\u00e9"


@pytest.mark.parametrize("mark", "×✕✖❌⨯хХ○◯⭕оО")
def test_every_sign_for_a_mark_is_read(mark: str) -> None:
    assert plain(mark) in "xo"
    assert str(parse_position("1x2:2", f"{mark}.")) == ("X." if plain(mark) == "x" else "O.")


@pytest.mark.parametrize("blank", "·•□⬜–—−‐‑-_. ")
def test_every_sign_for_a_blank_is_read(blank: str) -> None:
    assert str(parse_position("1x3:2", f"x{blank}o")) == "X.O"


def test_the_longest_board_and_the_longest_position() -> None:
    text = "3x3:3+misere"
    assert Board.parse(text + " " * (100 - len(text))) == Board.parse(text)
    assert "is not a board" in sentence(Board.parse, text + " " * (101 - len(text)))
    wide = Board.parse("2x40:2")
    rows = "X" + "." * 39 + "/" + "." * 39 + "O"
    assert str(parse_position(wide, rows + "\n" * (4000 - len(rows)))) == rows
    assert "is not a position of" in sentence(parse_position, wide, rows + "\n" * (4001 - len(rows)))
    assert parse_cell("3x3", "b2" + " " * 38) == 4
    assert "3x3:3 has no cell" in sentence(parse_cell, "3x3", "b2" + " " * 39)


@pytest.mark.parametrize(("spec", "layers"), [("2x3x4", 4), ("1x2x1", 1), ("3x4", 0), ("30x28:3", 0)])
def test_the_first_and_last_cells_and_those_beyond(spec: str, layers: int) -> None:
    board = Board.parse(spec)
    assert board.shape is not None
    rows, columns, _ = board.shape
    for cell in (0, columns - 1, board.cells // 2, board.cells - 1):
        assert parse_cell(board, cell_name(board, cell)) == parse_cell(board, str(cell + 1)) == cell
    deep = f".{layers}" if layers else ""
    assert parse_cell(board, f"{column_name(columns - 1)}{rows}{deep}") == board.cells - 1
    beyond = [f"{column_name(columns)}{rows}{deep}", f"a{rows + 1}{deep}", f"a0{deep}", "0", str(board.cells + 1)]
    first, last = cell_name(board, 0), cell_name(board, board.cells - 1)
    for name in [*beyond, *[f"a1.{layers + 1}", "a1.0"] * bool(layers)]:
        said = sentence(parse_cell, board, name)
        assert said == f"{board} has no cell {name!r}: cells are {first} to {last}, or by number 1 to {board.cells}"
    for cell in (-1, board.cells):
        assert sentence(parse_cell, board, cell) == (
            f"{board} has no cell {cell}: cells are 0 to {board.cells - 1} as integers, {first} to {last} as text"
        )


def test_layers_are_asked_for_where_there_are_some_and_left_out_where_not() -> None:
    assert sentence(parse_cell, "2x2x2", "B1") == "2x2x2:2 has no cell 'B1': add the layer, as in b1.1"
    assert sentence(parse_cell, "2x2", "b1.2") == "2x2:2 has no cell 'b1.2': remove the layer: b1"
    assert parse_cell("2x2", "b1.1") == 1
    lines = Board.from_lines(3, [(0, 1)])
    assert sentence(parse_cell, lines, "a1") == f"{lines} has no cell 'a1': cells are 1 to 3"
    assert (parse_cell(lines, "3"), cell_name(lines, 2)) == (2, "3")
    with cells_as("numbers"):
        assert sentence(parse_cell, "3x3", "d4") == "3x3:3 has no cell 'd4': cells are 1 to 9"
        assert [cell_name("2x2x2", cell) for cell in (0, 7)] == ["1", "8"]
        assert parse_cell("3x3", "b2") == 4


@pytest.mark.parametrize(
    ("given", "words", "told"),
    [
        ("choice", ["labelled", "symmetry", "choices"], "; did you mean choices?"),
        ("LINES ", ["board", "line"], "; did you mean line?"),
        ("forced_wins", ["forced-wins", "full"], "; did you mean forced-wins?"),
        ("op", ["openings", "operator", "opera"], "; did you mean openings or operator?"),
        ("ex", ["explanation", "expectations", "exhaustively"], "; did you mean explanation or expectations?"),
        ("e", ["explanation"], ""),
        ("zz", ["explanation"], ""),
        ("", ["explanation"], ""),
        (3, ["3"], ""),
    ],
)
def test_a_word_that_is_nearly_right_is_offered(given: object, words: list[str], told: str) -> None:
    assert nearby(given, words) == told
    assert offered(given, words) == f"{', '.join(words)}{told}"


@pytest.mark.parametrize(
    ("spec", "text", "said"),
    [
        (
            "3x3",
            "XX",
            "'XX' is not a position of 3x3:3: write 3 rows of 3 with X, O and ., as in 'XO./.../...'",
        ),
        ("1x4:2", "X", "'X' is not a position of 1x4:2: write 1 row of 4 with X, O and ., as in 'XO..'"),
        ("1x2", "X", "'X' is not a position of 1x2:1: write 1 row of 2 with X, O and ., as in 'XO'"),
        ("1x1", "XO", "'XO' is not a position of 1x1:1: write 1 row of 1 with X, O and ., as in 'X'"),
        (
            *("2x1x2", "X"),
            "'X' is not a position of 2x1x2:1: write 2 layers of 2 rows of 1 with X, O and ., as in 'X/O|./.'",
        ),
        ("9x9", "X", "'X' is not a position of 9x9:9: write 9 rows of 9 with X, O and ., as in"),
        (
            "10x11",
            "X",
            "'X' is not a position of 10x11:10: write 10 rows of 11 with X, O and ., as in 'X.O/",
        ),
        (
            "10x10",
            "X",
            "'X' is not a position of 10x10:10: write 10 rows of 10 with X, O and ., as in 'XO..",
        ),
    ],
)
def test_what_is_no_position_is_said_in_full(spec: str, text: str, said: str) -> None:
    whole = sentence(parse_position, spec, text)
    assert whole.startswith(said)
    assert whole.endswith(", or moves")
    if said.endswith("'"):
        assert whole == f"{said}, or moves"


def test_rows_are_joined_by_anything_and_layers_by_bars() -> None:
    for text in ("X.O/.X.", "x.o,.x.", "X.O\n.X.", "X.O\r\n.X.", "X.O.X.", " X.O/.X.\n".strip(" "), "X O/ X "):
        assert str(parse_position("2x3:2", text)) == "X.O/.X.", text
    for text in ("X./.O|../..", "X./.O/../..", "X..O|....", "X..O....", "X. / .O | .. / .."):
        assert str(parse_position("2x2x2:2", text)) == "X./.O|../..", text
    for text in ("X./.O/..", "X./.O|..", "X.|.O|..|..", "X.../O...", "X./.O|../..|../.."):
        assert sentence(parse_position, "2x2x2:2", text).startswith(f"{text!r} is not a position of 2x2x2:2")
    lines = Board.from_lines(3, [(0, 1)])
    assert str(parse_position(lines, "XO.")) == "XO."
    assert sentence(parse_position, lines, "XO").startswith(
        f"'XO' is not a position of {lines}: write 3 cells with X, O"
    )


def test_moves_stand_apart_or_in_one_word() -> None:
    board = Board.parse("3x3")
    for text in ("a1 b2 c3", "A1,b2;C3", " a1b2c3 ", "1 5 9", "a1  b2 ,c3", "a1b2 9"):
        assert parse_game(board, text) == (0, 4, 8), text
        assert str(parse_moves(board, text)) == "X../.O./..X"
    assert parse_game(Board.parse("2x2x2"), "a1.1b2.2") == (0, 7)
    assert [is_game(each, board) for each in ("a1", "5", "X..", "", 5, None)] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    assert (parse_game(board, ""), parse_moves(board, "")) == ((), Position(board))


def test_a_position_of_another_board_is_refused_and_its_own_is_returned() -> None:
    at = parse_position("3x3", "a1")
    assert parse_position("3x3", at) is at
    assert sentence(parse_position, "3x3+torus", at) == (
        "X../.../... is a position of 3x3:3, not of 3x3:3+torus: give both for one board"
    )
    assert (format_position(at), format_start(at), format_start(Position(at.board))) == (
        *("X../.../...", " from X../.../...", ""),
    )


@pytest.mark.parametrize("spec", ["1x1", "3x4", "2x3x2", "1x5"])
def test_every_cell_is_called_by_its_index_its_number_and_its_name(spec: str) -> None:
    for cell in range(Board.parse(spec).cells):
        assert [parse_cell(spec, given) for given in (cell, str(cell + 1), cell_name(spec, cell))] == [cell] * 3


@pytest.mark.parametrize(
    ("spec", "shown"),
    [("1x1", "'X'"), ("1x2", "'XO'"), ("2x2", "'XO/..'"), ("1x100:5", f"'XO{'.' * 98}'"), ("1x101:5", "'X.O/.X./..O'")],
)
def test_a_position_that_cannot_be_read_is_answered_by_one_that_can(spec: str, shown: str) -> None:
    assert f"with X, O and ., as in {shown}, or moves" in sentence(parse_position, spec, "z")


def test_an_infinite_board_is_for_solving_alone() -> None:
    said = "only noughts solve takes the infinite board '9+infinite', without a position: write sides"
    for read in (parse_specification, Board.parse):
        assert sentence(read, "9+infinite") == f"{said}, as in 15x15:9"


def test_errors_are_of_their_kinds() -> None:
    with pytest.raises(InvalidCell, match="has no cell 'z'"):
        parse_cell("3x3", "z")
    with pytest.raises(InvalidPosition, match="'z' is not a position"):
        parse_position("3x3", "z")


def test_digits_that_only_look_like_some_of_ours_are_full_width_ones() -> None:
    assert parse_cell("3x3", "５") == parse_cell("3x3", "b２") == 4
    for other in ("٥", "५", "b٢"):
        with pytest.raises(InvalidCell, match="3x3:3 has no cell"):
            parse_cell("3x3", other)


def test_large_numbers_are_said_roughly() -> None:
    said = {10**18 - 1: "999,999,999,999,999,999", 10**18: "1.0e+18", 10**299: "1.0e+299", 10**300: "about 10^300"}
    assert {number: roughly(number) for number in said} == said


def test_with_gravity_a_column_names_the_move_in_it() -> None:
    board = Board.parse("Connect Four")
    for text in ("d d e", "dde", "D6 D5 E6", "d6d5e"):
        assert str(parse_position(board, text)).endswith("/...O.../...XX.."), text
    told = [is_game(each, board) for each in ("d", "dd", "x", "...", "XO", "h")]
    assert told == [True, True, False, False, False, True]
    assert sentence(parse_position, board, "d5").endswith(": the moves there are a6 b6 c6 d6 e6 f6 g6")
    assert sentence(parse_position, board, "ddddddd").startswith("column d is full in ")
    assert sentence(parse_position, board, "h") == "6x7:4+gravity has no column 'h': the last one is g"
