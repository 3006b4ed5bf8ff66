"""Queries read the catalogue and nothing else: what writes, runs on or returns too much is stopped."""

from __future__ import annotations

import random
import sqlite3
import time as clock
from pathlib import Path

import pytest

import noughts
from noughts.exporting.api import ask_database
from noughts.exporting.api import query as ask
from noughts.exporting.columns import Source
from noughts.exporting.files import database_for, source_for
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOUGHTS_CACHE", str(tmp_path_factory.mktemp("cache")))
        board = Board.parse("3x3")
        return database_for(board, lambda: source_for(board))


COUNTS = {
    "select count(*) from classes": 765,
    "select count(*) from positions": 5478,
    "select count(*) from classes where terminal": 138,
    "select count(*) from classes where decision": 593,
    "select count(*) from classes where real_decision": 96,
    "select count(*) from classes where decision and to_move = 'X'": 304,
    "select sum(games) from classes where ply = 4": 255168,
    "select sum(games_by_choices) from classes where ply = 4": 26830,
    "select sum(orbit) from classes": 5478,
    "select sum(games) from positions where ply = 3": 255168,
    "with t as (select class, count(*) n from positions group by 1) select count(*) from t join classes c "
    "on c.position = t.class where n = orbit": 765,
    "select count(*) from classes where pattern = 'Island'": 1,
    "select count(*) from classes where random_x > 0.5": 414,
    "select count(*) from classes where random_x_numerator * 2 > random_denominator": 414,
    "select sum(random_x_numerator + random_o_numerator > random_denominator) from classes": 0,
    "select sum(json_array_length(best_moves)) from classes where ply = 0": 9,
    "select count(*) from classes, json_each(best_moves) m where m.value = 'b2' and ply = 1": 2,
}


def test_counts_through_sql(database: Path) -> None:
    asked = ", ".join(f"({sql})" for sql in COUNTS)
    assert ask_database(database, f"select {asked}").rows == (tuple(COUNTS.values()),)


BOARDS = ["X../.O./...", "..X/.O./...", ".../.O./..X", "--x,-o-,---", "a1 b2", "c3 b2"]


COLUMNS = ["child = {}", 'm."child" == {}', "child IS {}", "child in ({})", "child in ('a1 b1', {})", "{} = m.child"]


def test_a_board_in_any_form_stands_for_its_class() -> None:
    asked = [column.format(f"'{board}'") for column in COLUMNS for board in BOARDS]
    found = ask(
        "3x3", " union all ".join(f"select distinct class from moves m where {each} and cells = 'b2'" for each in asked)
    )
    assert found.rows == (("X../.../...",),) * len(asked)
    for board in BOARDS:
        assert (f"'{board}' is read as its class X../.O./..." in found.notes) == (board != BOARDS[0])


def test_a_position_is_a_class_only_among_classes() -> None:
    count = "select count(*) from {} where position = '..X/.O./...'"
    assert ask("3x3", count.format("classes")).rows == ask("3x3", count.format("positions")).rows == ((1,),)
    found = ask("3x3", "select position, class from positions where position = '--X,-O-,---'")
    assert found.rows == (("..X/.O./...", "X../.O./..."),)
    assert found.as_dict()["notes"] == ["'--X,-O-,---' is read as ..X/.O./..."]
    others = ask("3x3", "select count(*) from classes where position not in ('c3', 'c3 b2')")
    assert others.rows == ((763,),)


@pytest.mark.parametrize("cells", ["b1 a2", "A2, b1", "4 2", '["b1","a2"]'])
def test_cells_in_any_spelling_stand_for_their_list(cells: str) -> None:
    for condition in (f"cells = '{cells}'", f"'{cells}' = moves.cells", f"cells in ('c1', '{cells}')"):
        found = ask("3x3", f"select child from moves where class = 'c3' and {condition}")
        assert found.rows == (("XO./.../...",),)
    assert "no cell 'd4'" in ask("3x3", "select * from moves where cells = 'd4'").notes[0]


def test_large_tables_are_built_only_on_demand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path))
    words = rf"the tables of 4x4:4 would take about [0-9.]+ GB in {tmp_path} and [0-9]+ s: add --yes"
    with pytest.raises(BudgetError, match=words):
        ask("4x4", "select 1")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr("noughts.exporting.api._FREE_DISK", 1000)
    with pytest.raises(BudgetError, match="kB"):
        ask("2x2", "select 1")
    assert ask("2x2", "select count(*) from classes", yes=True).rows == ((len(noughts.analysis.catalogue("2x2")),),)
    assert ask("2x2", "select count(*) from classes").rows == ((6,),)


@pytest.mark.parametrize(
    "sql",
    [
        "drop table classes",
        "delete from moves",
        "update classes set ply = 0",
        "insert into classes select * from classes",
        "create table mine (a)",
        "create temp table mine (a)",
        "attach 'other.sqlite' as other",
        "pragma writable_schema = 1",
        "vacuum into 'copy.sqlite'",
        "begin",
        "reindex",
        "select load_extension('x')",
        "with t as (select 1) delete from moves",
    ],
)
def test_what_writes_is_refused(database: Path, sql: str) -> None:
    before = database.read_bytes()
    with pytest.raises(InputError, match=r"read-only|cannot be read"):
        ask_database(database, sql)
    assert database.read_bytes() == before
    assert sorted(database.parent.iterdir()) == [database]


@pytest.mark.parametrize(
    ("sql", "word"),
    [
        ("", "is empty"),
        ("-- nothing", "is empty"),
        ("selec 1", "cannot be read"),
        ("select 1; select 2", "more than one statement"),
        ("select * from nowhere", "the tables are positions, classes, moves"),
        ("select nowhere from classes", r"lists the columns$"),
        ("select ply from classes join moves on class = position where outcome = 'X'", r"table and a dot before it"),
        ("select json_each.value from moves, json_each(child)", "columns of cells alone hold lists"),
        ("update sqlite_master set sql = ''", "may not be modified"),
    ],
)
def test_bad_sql_gets_a_sentence(database: Path, sql: str, word: str) -> None:
    with pytest.raises(InputError, match=word):
        ask_database(database, sql)


@pytest.mark.parametrize(
    "sql",
    [
        "with recursive t(n) as (select 1 union all select n + 1 from t) select max(n) from t",
        "select instr(zeroblob(9000000), zeroblob(4500000) || x'01')",
    ],
)
def test_a_query_without_end_is_stopped(database: Path, sql: str) -> None:
    """Within a second of the time, even where one function of SQL, which takes minutes, looks at no clock."""
    begun = clock.monotonic()
    with pytest.raises(BudgetError, match=r"ran longer than 0\.3 s"):
        ask_database(database, sql, time=0.3)
    assert clock.monotonic() - begun < 45  # a loaded machine starts a process slowly
    assert ask_database(database, "select count(*) from classes", time=5).rows == ((765,),)


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("select * from positions", "more than 1,000 rows"),
        ("select zeroblob(900000000)", "too much memory"),
        ("select hex(zeroblob(4000000)) from classes", "MB of text"),
    ],
)
def test_a_query_that_returns_too_much_is_stopped(database: Path, sql: str, words: str) -> None:
    with pytest.raises(BudgetError, match=words):
        ask_database(database, sql, rows=1000)


def test_the_database_is_kept_by_board_and_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path))
    board, built = Board.parse("2x2:2"), []

    def source() -> Source:
        built.append(1)
        return source_for(board)

    first = database_for(board, source)
    assert database_for(board, source) == first
    assert len(built) == 1
    monkeypatch.setattr("noughts.exporting.files.__version__", "999")
    assert database_for(board, source) != first
    assert len(built) == 2
    other = Board.from_lines(4, [(0, 1)])
    assert database_for(other, lambda: source_for(other)) != first
    with sqlite3.connect(first) as connection:
        assert connection.execute("select value from about where name = 'board'").fetchone() == ("2x2:2",)
    connection.close()


def test_no_damage_to_a_database_is_answered_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any bit, any missing end, any other database: each is seen, and the database built again."""
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path))
    board, dice = Board.parse("2x3:2"), random.Random(18)
    path = database_for(board, lambda: source_for(board))
    whole = path.read_bytes()
    other = Board.from_lines(6, board.lines, name=board.spec)
    strange = database_for(other, lambda: source_for(other)).read_bytes()
    damaged = [strange, whole + b"\0", whole[: len(whole) // 2], whole[:40]]
    for _ in range(200):
        bad = bytearray(whole)
        bad[dice.randrange(len(bad))] ^= 1 << dice.randrange(8)
        damaged.append(bytes(bad))
    asked: list[bytes] = []
    monkeypatch.setattr("noughts.exporting.files.write_database", lambda *given: asked.append(b""))
    monkeypatch.setattr("noughts.exporting.files.put_seal", lambda *given: None)
    for number, content in enumerate(damaged, 1):
        path.write_bytes(content)
        database_for(board, lambda: source_for(board))
        assert len(asked) == number
    path.write_bytes(whole)
    database_for(board, lambda: source_for(board))
    assert len(asked) == len(damaged)


@pytest.mark.parametrize(
    ("sql", "word"),
    [
        (
            'select "nowhere" from classes',
            r"\(no such column: nowhere\): .* text stands in single quotes, as in 'nowhere'$",
        ),
        ('select * from classes where label = "draw"', r"text stands in single quotes, as in 'draw'$"),
        ('select * from classes c where c."class" = 1', r"class is a column of positions and moves$"),
        ("select orbit from positions", r"orbit is a column of classes$"),
    ],
)
def test_a_name_that_no_column_has_is_not_read_as_text(database: Path, sql: str, word: str) -> None:
    with pytest.raises(InputError, match=word):
        ask_database(database, sql)


@pytest.mark.parametrize("board", ["2x3:2", "3x3+gravity", "2x2+wild", "2x2:2+notakto*2"])
def test_a_decision_is_what_its_sentence_says(board: str) -> None:
    """On the last cell of a wild board two marks are two moves, and under gravity two blank cells may be one."""
    rows = noughts.query(board, "select position, decision from classes").rows
    for position, decision in rows:
        at = noughts.rules.parse_position(board, str(position))
        choices = len(at.blanks if board == "2x3:2" else at.moves())
        assert decision == (not at.is_terminal and choices > 1), position
