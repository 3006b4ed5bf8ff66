"""What is refused: each call gets one sentence on standard error and the exit code that the reference gives."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from noughts.cli.command import NAMES
from noughts.verbs.table import BELOW, VERBS, request_of

pytestmark = pytest.mark.usefixtures("remembered")

BOT = [sys.executable, str(Path(__file__).parent.parent.parent / "examples" / "bots" / "centre_first.py")]
REFUSED = [
    (["breed", "3x3", "--population", "1"], 2, "a population of 1 cannot breed: take 3 bots or more"),
    (["breed", "3x3", "--against", "nobody"], 2, "unknown policy 'nobody'"),
    (["breed", "3x3", "--against", "missing.json"], 2, "missing.json"),
    (["breed", "3x3", "--fitness", "best"], 2, "--fitness 'best' is not known"),
    (["breed", "3x3", "--as", "X", "--against", "each-other"], 2, "cannot meet each other"),
    (["breed", "3x3", "--save", "bot.txt"], 2, "must name a policy file"),
    (["breed", "3x3", "--time", "soon"], 2, "not a length of time"),
    (["breed", "3x3", "--mutations", "-1"], 2, "the mutations cannot be -1"),
    (["breed", "3x3", "--limit", "10"], 3, "position classes"),
    (["positions", "3x3", "--ply", "10"], 2, "plies are 0 to 9"),
    (["positions", "3x3", "--ply", "-1"], 2, "plies are 0 to 9"),
    (["positions", "3x3", "--won", "draw"], 2, "--won 'draw' is not known"),
    (["positions", "3x3", "--label", "lost"], 2, "--label"),
    (["positions", "3x3", "--purple"], 2, "unknown option '--purple': noughts positions --help lists all\n"),
    (["count", "3x3", "--sam", "choices"], 2, "noughts count --help lists all; did you mean --same?\n"),
    (["positions", "3x3", "--same", "choices"], 2, "labelled, symmetry"),
    (["positions", "3x3", "--format", "xml"], 2, "use one of text"),
    (["positions", "3x3+misere", "--fork"], 2, "has no meaning"),
    (["positions", "5x5"], 3, "position classes"),
    (["positions", "3y3"], 2, "3y3"),
    (["positions", "1000x1000"], 3, "up to 64"),
    (["positions", "8x8:8"], 3, "at least"),
    (["positions", "4x4x4"], 3, "at least"),
    (["positions", "2x9:3", "--ply", "4"], 3, "noughts export"),
    (["export", "100x100", "-o", "out.csv"], 3, "up to 64"),
    (["site", "9x9", "-o", "site"], 3, "up to 64"),
    (["query", "7x7", "select 1"], 3, "at least"),
    (["same", "3x3", "X../.../...", "X../..."], 2, "is not a position"),
    (["same", "3x3", "X../.../...", "a1", "--format", "xml"], 2, "text, json"),
    (["same", "3x3", "a1 b2"], 2, "is missing: give two; noughts explain 3x3 'a1 b2' lists the images of one"),
    (["export", "3x3"], 2, "Missing option"),
    (["export", "3x3", "-o", "out.xls"], 2, "end the name in"),
    (["export", "3x3", "-o", "nowhere/out.csv"], 4, "the folder 'nowhere' does not exist"),
    (["export", "3x3", "-o", "out.csv", "--table", "games"], 2, "positions, classes, moves"),
    (["export", "3x3", "-o", "out.uci", "--table", "moves"], 2, "remove it"),
    (["export", "5x5", "-o", "out.csv"], 3, "5x5:5"),
    (["export", "4x4:4", "-o", "out.csv", "--memory", "10MB"], 3, "over the budget of 10 MB"),
    (["query", "4x5:4", "select 1"], 3, "over the budget"),
    (["query", "3x3", "drop table classes"], 2, "read-only"),
    (["query", "3x3", "select"], 2, "cannot be read"),
    (["query", "3x3", ""], 2, "is empty"),
    (["query", "3x3", "select * from moves", "--rows", "5"], 3, "more than 5 rows"),
    (["query", "3x3", "select 1", "--time", "soon"], 2, "soon"),
    (["query", "3x3", "select 1", "--format", "xml"], 2, "use one of table"),
    (["positions", "3x3", "--end", "full", "--trap"], 2, "trap has no meaning on 3x3:3 in play to the full board"),
    (["positions", "4x4", "--end", "full"], 3, "ask about a smaller board"),
    (["count", "3x3", "--engine", "frontier", "--moves", "win"], 3, "any move: remove --engine\n"),
    (["count", "4x4", "--engine", "played"], 3, "with a table of moves: remove --engine\n"),
    (["count", "5x5", "--engine", "plain"], 3, "but 5x5:5 has 25: remove --engine, or try a smaller board\n"),
    (["solve", "4x4+misere", "--engine", "threats"], 3, "but under misere a line loses: remove --engine\n"),
    (
        ["solve", "6x6:4", "--engine", "retrograde"],
        3,
        "6x6:4 has 36: ask about one position with",
    ),
    (["explain", "10x10:5", "e5 e6 f6"], 3, "100 MB and 50 s (a guess before the search)"),
    (["positions", "3x3", "--moves", "blok"], 2, "use one of any, win, block"),
    (["positions", "3x3+misere", "--moves", "win"], 2, "has no meaning on 3x3:3+misere"),
    (["site", "3x3", "--end", "full", "-o", "nowhere"], 2, "use one of line, decided"),
    (["count", "3y3"], 2, "'3y3' is not a board"),
    (["count", "3x3", "--dry-run", "--check"], 2, "--check cannot be used with --dry-run, which counts nothing"),
    (["count", "3x3..4x4", "--dry-run"], 2, "--dry-run cannot be used with a range of boards: name one board"),
    (["count", "3x3", "--dry-run", "--format", "csv"], 2, "use table, markdown or json"),
    (["count", "0x3"], 2, "side outside 1 to 1,000"),
    (["count", "999999x999999"], 2, "side outside"),
    (["count", "2x2x2x2"], 2, "4 sides"),
    (["count", "3x3:0"], 2, "0 in a row"),
    (["count", ""], 2, "'' is not a board"),
    (["count", "3" * 10000], 2, "(10,000 characters)"),
    (["count", "3÷3"], 2, "is not a board"),
    (["count", "3x3+tours"], 2, "+tours"),
    (["count", "3x3+torus+torus"], 2, "twice"),
    (["count", "3x3", "--moves", "sometimes"], 2, "'sometimes'"),
    (["count", "3x3", "--x-moves", ""], 2, "--x-moves '' is not known"),
    (["count", "3x3", "--end", "never"], 2, "'never'"),
    (["count", "3x3", "--same", ""], 2, "--same '' is not known"),
    (["count", "3x3", "--from", "X" * 12], 2, "is not a position"),
    (["count", "3x3", "--from", "XX./X../..O"], 2, "too many X"),
    (["count", "3x3", "--from", "XXX/OOO/..."], 2, "both have a line"),
    (["count", "3x3", "--from", ""], 2, "is not a position"),
    (["count", "3x3", "--from", "d4"], 2, "no cell"),
    (["count", "3x3", "--from", "é"], 2, "is not a position"),
    (["count", "3x3", "--from", "a1 b1 a2 b2 a3 b3"], 2, "after the game was over, won by X with a1-a2-a3"),
    (["count", "3x3", "--format", "xml"], 2, "'xml'"),
    (["count", "3x3", "--column", "games"], 2, "'games'"),
    (["count", "3x3", "--engine", "magic"], 2, "'magic'"),
    (["count", "3x3", "--memory", "lots"], 2, "'lots'"),
    (["count", "3x3", "--time", "soon"], 2, "'soon'"),
    (["count", "3x3", "--to-ply", "-1"], 2, "-1"),
    (["count", "3x3", "--explain", "--format", "csv"], 2, "--explain"),
    (["count", "3x3+misere", "--moves", "win"], 2, "has no meaning"),
    (["count", "5x5:4", "--same", "choices", "--moves", "win", "--memory", "100MB"], 3, "over the budget of 100 MB"),
    (["count", "4x4:5", "--same", "symmetry", "--symmetry", "lines", "--moves", "win"], 3, "20,922,789,888,000"),
    (["count", "1000x1000"], 3, "1,000,000 cells"),
    (["puzzle", "3x3", "--daily", "--seed", "3"], 2, "--daily cannot be used with --seed"),
    (["puzzle", "3x3", "--hints", "2", "--format", "svg"], 2, "--hints needs --format table"),
    (["puzzle", "3x3", "--about", "forks"], 2, "--about 'forks' is not known"),
    (["puzzle", "2x2"], 2, "found no puzzles on 2x2:2"),
    (["puzzle", "20x20:5"], 3, "400 cells"),
    (["puzzle", "3x3", "--number", "230"], 2, "only 229 puzzles"),
    (["referee", "3x3"], 2, "the command of the program is missing: add it at the end"),
    (["referee", "3x3", "--"], 2, "the command of the program is missing"),
    (["referee", "3x3", "python3", "--", "bot.py"], 2, "'python3' is before --"),
    (["referee", "3x3", "--", "/nowhere/bot"], 2, "cannot start '/nowhere/bot': No such file"),
    (["referee", "0x3", "--", *BOT], 2, "0x3"),
    (["referee", "--as", "Z", "--", *BOT], 2, "--as 'Z' is not known"),
    (["referee", "--move-time", "soon", "--", *BOT], 2, "'soon' is not a length of time"),
    (["referee", "--move-time", "0", "--", *BOT], 2, "the move time cannot be 0"),
    (["referee", "--same", "class", "--", *BOT], 2, "--same 'class' is not known"),
    (["referee", "--games", "0", "--", *BOT], 2, "--games"),
    (["breed", "3x3", "--save"], 2, "'--save' requires an argument: see noughts breed --help"),
    (["referee", "--seed", "1", "--seed", "2", "--", *BOT], 2, "--seed is given twice"),
    (["referee", "4x4", "--", *BOT], 3, "19,877,464 questions"),
    (
        ["referee", "3x3", "--", sys.executable, "-c", "print('hello')"],
        1,
        "did not greet: it ended with the exit code 0",
    ),
    (["sheet", "3x3", "--kind", "wim"], 2, "--kind 'wim' is not known: use one of win, win-at-once"),
    (["sheet", "3x3", "--kind", "poster-tree", "--seed", "1"], 2, "remove --seed"),
    (["sheet", "3x3", "--kind", "crib", "--number", "2"], 2, "remove --number"),
    (["sheet", "3x3", "--paper", "letter"], 2, "--paper needs pages to print"),
    (
        ["sheet", "3x3", "--paper", "a2", "--format", "svg"],
        2,
        "a worksheet cannot be printed on a2: choose a4 or letter",
    ),
    (
        ["sheet", "3x3", "--paper", "a5", "--format", "svg"],
        2,
        "unknown paper 'a5': choose a4 or letter or a3 or a2 or a6",
    ),
    (["solve", "3y3"], 2, "3y3"),
    (["solve", "3x3", "XXX/OOO/..."], 2, "both have a line"),
    (["solve", "3x3", "XX./.../..."], 2, "too many X"),
    (["solve", "3x3", "XX./XOO/XOO"], 2, "X has a line and yet O moved"),
    (["solve", "3x3", ""], 2, "is not a position"),
    (["solve", "3x3", "X" * 10000], 2, "is not a position"),
    (["solve", "3x3", "XÖ./.../..."], 2, "is not a position"),
    (["solve", "3x3", "--format", "yaml"], 2, "--format"),
    (["solve", "3x3", "--same", "choices"], 2, "--same"),
    (["solve", "3x3", "--engine", "magic"], 2, "--engine 'magic' is not known"),
    (["solve", "3x3", "--resume"], 2, "--save"),
    (["solve", "4x4:4+gravity", "--engine", "columns", "--save", "t", "--by-ply"], 2, "needs one position"),
    (["solve", "4x4:4+gravity", "--engine", "columns", "--save", ".", "--resume"], 2, "has no search"),
    (["solve", "3x3", "--workers", "2"], 2, "or --proof FILE"),
    (["solve", "3x3", "a1", "--by-ply"], 2, "remove the position"),
    (["solve", "3x3", "--table", "/nowhere/at/all"], 2, "does not hold a table"),
    (["solve", "3x3", "--engine", "search", "--by-ply"], 3, "single positions only"),
    (["solve", "3x3", "--engine", "search", "--remoteness"], 3, "plies to the end"),
    (["solve", "5x5:4", "--by-ply", "--memory", "200MB"], 3, "needs about"),
    (["solve", "8x8:5", "--engine", "retrograde"], 3, "30 cells"),
    (["solve", "9x9+misere"], 3, "but 9x9:9+misere has 81: try a smaller board"),
    (["solve", "9x9:5"], 3, "finds no win from the empty board of 9x9:5, and no pairs that guard every line"),
    (["solve", "8x8:5", "--time", "0.1s"], 3, "not settled after"),
    (["solve", "3x3", "--by-ply", "--all-moves"], 2, "--all-moves needs one position"),
    (["solve", "3x3", "--all-moves", "--engine", "blocking"], 2, "--all-moves extends a search"),
    (["solve", "3x3", "--time", "soon"], 2, "not a length of time"),
    (["solve", "6x6:4", "--save", "never-made"], 3, "30 cells"),
    (["solve", "5x5:4", "--save", "never-made", "--memory", "200MB"], 3, "needs about"),
    (["solve", "9+infinite", "a1"], 2, "a position cannot be used with 9+infinite"),
    (["solve", "9+infinite", "--by-ply"], 2, "--by-ply cannot be used"),
    (["solve", "9+infinite", "--engine", "search"], 2, "--engine cannot be used"),
    (["solve", "9+infinite", "--format", "csv"], 2, "--format csv cannot be used"),
    (["solve", "9+infinite", "--time", "1s"], 2, "--time cannot be used"),
    (["solve", "9+infinite", "--values-only"], 2, "--remoteness/--values-only cannot be used"),
    (["solve", "3x3", "--dry-run"], 2, "add --save DIR"),
    (["solve", "3x3", "a1", "--save", "t", "--dry-run"], 2, "the position cannot be used with --dry-run"),
    (["solve", "3x3", "--save", "t", "--dry-run", "--resume"], 2, "--resume cannot be used with --dry-run"),
    (["solve", "3x3", "--save", "t", "--dry-run", "--by-ply"], 2, "--by-ply cannot be used with --dry-run"),
    (["openings", "3x3", "--from", "XXX/OO./..."], 2, "the game is over in XXX/OO./...: X has won with"),
    (["explain", "3x3", "a1 a2 b1 b2 c1 c2"], 2, "plays c2 after the game was over, won by X with a1-b1-c1"),
    (["explain", "3x3", "XX./.../..."], 2, "too many X"),
    (["explain", "3x3", "nonsense"], 2, "is not a position of 3x3:3"),
    (["explain", "3y3"], 2, "3y3"),
    (["explain", "3x3", "--format", "gif"], 2, "--format 'gif' is not known"),
    (["explain", "3x3", "-o", "board.bmp"], 2, "cannot tell the format"),
    (["explain", "3x3", "--theme", "sepia"], 2, "--theme 'sepia' is not known"),
    (["explain", "3x3", "-o", "/nowhere/board.svg"], 4, "the folder '/nowhere' does not exist"),
    (["tree", "3x3", "--kind", "bushy"], 2, "--kind 'bushy' is not known"),
    (["tree", "3x3+misere"], 2, "mean the opposite under misere"),
    (["tree", "3x3", "--paper", "a4"], 2, "--paper needs a PDF"),
    (["tree", "3x3", "--format", "pdf", "--paper", "a5"], 2, "unknown paper 'a5'"),
    (["tree", "3x3", "--kind", "full", "--limit", "700"], 3, "at least 701 nodes"),
    (["tree", "9x9:5"], 3, "9x9:5"),
    (["openings", "9x9:9"], 3, "9x9:9"),
    (["patterns", "6x6:6"], 3, "can be filled in"),
    (["patterns", "3x3x3:3"], 3, "use a board of up to 24 cells"),
    (["payoff", "--games", "10"], 2, "--x perfect --o random"),
    (["payoff", "3x3", "--points", "X"], 2, "is not a payoff"),
    (["match", "3x3", "--x", "wise"], 2, "unknown policy 'wise'"),
    (["match", "3x3", "--x", "none.json"], 2, "cannot read the policy"),
    (["match", "5x5:4", "--x", "random"], 3, "20,249,378,904 position classes"),
    (["match", "3x3+misere", "--o", "fork"], 2, "under misere"),
    (["whatis", "3x3"], 2, "'3x3' is a board: add the number"),
    (["whatis", "3x0", "5"], 2, "3x0"),
    (["whatis", "26830", "--all", "--format", "json"], 2, "--all cannot be used with --format json"),
    (["patterns", "3x3", "--by", "X"], 2, "add --force NAME"),
    (["patterns", "3x3", "--save", "x.json"], 2, "add --force NAME"),
    (["patterns", "3x3", "--force", "Arrow", "--save", "arrow.txt"], 2, "end the name in .json"),
    (["patterns", "3x3", "--force", "Arrow", "--by", "Y"], 2, "use one of X, O"),
    (["payoff", "3x3", "--save", "x.json"], 2, "add --strategy X or --strategy O"),
    (["payoff", "3x3", "--strategy", "X", "--o", "random"], 2, "remove --x and --o"),
    (["match", "3x3", "--x", "best", "--save", "best.txt"], 2, "end the name in .json"),
    (["blindfold", "3y3"], 2, ""),
    (["blindfold", "3x3", "--blind", "Z"], 2, ""),
    (["blindfold", "3x3", "--told", "everything"], 2, ""),
    (["blindfold", "3x3", "--collision", "crash"], 2, ""),
    (["blindfold", "3x3", "--goal", "lose"], 2, ""),
    (["blindfold", "3x3", "--first", "z9"], 2, ""),
    (["blindfold", "3x3", "--first", ""], 2, ""),
    (["blindfold", "3x3", "--opening", "a1"], 2, ""),
    (["blindfold", "3x3", "--opening-told"], 2, ""),
    (["blindfold", "3x3", "--safe"], 2, ""),
    (["blindfold", "3x3", "--with", "everything"], 2, ""),
    (["blindfold", "3x3", "--format", "gif"], 2, ""),
    (["blindfold", "3x3", "--blind", "O", "--format", "text"], 2, ""),
    (["blindfold", "3x3", "--blind", "both", "--told", "nothing"], 2, ""),
    (["blindfold", "3x3", "--blind", "O", "--opening-told", "--opening", "a1", "--first", "a1"], 2, ""),
    (["blindfold", "play", "3x3", "--as", "referee"], 2, ""),
    (["blindfold", "play", "3x3", "--opponent", "nobody"], 2, ""),
    (["blindfold", "play", "3x3", "--blind", "both"], 2, ""),
    (["cuont", "3x3"], 2, "unknown verb 'cuont': noughts --help lists all; did you mean count?"),
    (["position", "3x3"], 2, "did you mean positions?"),
    (
        ["breed", "3x3+wild", "--genes", "real"],
        2,
        "either player can complete a line, so real decisions have no meaning",
    ),
    (["sheet", "3x3+wild", "--kind", "fork"], 2, "cannot be used with +wild: noughts solve and noughts explain answer"),
    (["match", "2x3:3+order", "random", "fork"], 2, "the policy fork is not made for 2x3:3+order: choose random"),
    (["match", "3x3+wild", "--x", "random", "--games", "3"], 2, "a running score is not made for 3x3:3+wild"),
    (["play", "3x3+chaos", "--x", "block"], 2, "the policy block is not made for 3x3:3+chaos: choose random, perfect"),
    (
        ["solve", "3x3+wild", "a1"],
        2,
        "not a move on 3x3:3+wild: write the mark before the cell, as in Xa1 or Oa1",
    ),
    (["count", "3x3+wild+order"], 2, "has the rules of two games, +wild and +order: choose one"),
    (["3x0"], 2, "'3x0' has a side outside 1 to 1,000"),
    (["xyzzy"], 2, "unknown verb 'xyzzy': noughts --help lists all\n"),
    (["Endings", "3x3"], 2, "unknown verb 'Endings': use noughts positions BOARD --terminal\n"),
    (["count", "3x3", "--same", "choice"], 2, "one of labelled, symmetry, choices; did you mean choices?"),
    (["count", "3x3", "--moves", "prefect"], 2, "did you mean perfect?"),
    (["count", "3x3", "--column", "x-win"], 2, "did you mean x_wins or"),
    (["count", "3x3", "--engine", "subst"], 2, "did you mean subset?"),
    (["count", "3x3", "--format", "jsn"], 2, "--format 'jsn' is not known: use one of table, json"),
    (["puzzle", "--theme", "Fork"], 2, "use one of light, dark, auto; fork is for --about"),
    (["count", "3x3", "--same", "perfect"], 2, "symmetry, choices; perfect is for --moves"),
    (["count", "3x3", "--format", "jsn"], 2, "did you mean json"),
    (["solve", "3x3", "--engine", "retro"], 2, "did you mean retrograde?"),
    (["positions", "3x3", "--label", "X can force a in"], 2, "did you mean X can force a win"),
    (["explain", "3x3", "--theme", "drak"], 2, "use one of light, dark, auto; did you mean dark?"),
    (["tree", "3x3", "--kind", "opening"], 2, "did you mean openings?"),
    (["match", "3x3", "--x", "blok"], 2, "did you mean block?"),
    (["payoff", "3x3", "--points", "Iland=0-1"], 2, "did you mean Island?"),
    (["export", "3x3", "-o", "x.csv", "--table", "clases"], 2, "did you mean classes?"),
    (["blindfold", "--goal", "never"], 2, "did you mean never-lose?"),
    (["blindfold", "--with", "vlue"], 2, "did you mean value?"),
    (["blindfold", "chekc", "x.json"], 2, "did you mean check?"),
    (["blindfold", "play", "--as", "blnd"], 2, "did you mean blind?"),
    (["menace", "4x4"], 3, "1,270,723 position classes"),
    (["menace", "3x3", "--games", "9000000"], 3, "games take about"),
    (["menace", "3x3", "--expect", "2"], 3, "ways"),
    (["menace", "3x3", "--runs", "2", "--save", "a.json"], 2, "--save writes one machine"),
    (["menace", "3x3", "--reward", "x"], 2, "--reward 'x' is not a list of numbers"),
    (["menace", "3x3", "--beads", "none"], 2, "the beads cannot be 'none'"),
    (["menace", "1x1", "-o", "labels.svg"], 2, "so it has 0 boxes to label"),
    (["menace", "3x3", "--save", "machine.txt"], 2, "must name a policy file"),
    (["menace", "3x3+misere", "--against", "block"], 2, "under misere try perfect"),
    (["menace", "3x3", "--load", "none.json"], 2, "cannot read the machine"),
    (["blindfold", "5x5:4", "--with", "information_sets"], 3, ""),
    (["blindfold", "9x9"], 3, ""),
    (["blindfold", "5x5:5"], 3, ""),
    (["breed", "5x5:4"], 3, ""),
    (["breed", "3x3+misere", "--genes", "real"], 2, "ask for all genes"),
    (["engine", "--strength", "bloc"], 2, "did you mean block?"),
    (["engine", "--cells", "numbers"], 2, "remove --cells"),
    (["engine", "3x3+misere", "--strength", "block"], 2, "completes and blocks lines"),
    (["solve", "3x3", "--format", "csv"], 2, "add --by-ply"),
    (["solve", "3x3", "a1", "--format", "bfile"], 2, "add --by-ply"),
    (["solve", "3x3", "--column", "x_wins"], 2, "add --by-ply"),
    (["solve", "3x3", "-o", "answer.svg"], 2, "add --by-ply"),
    (["count", ".."], 2, ""),
    (["count", "3x3.."], 2, ""),
    (["count", "..3x3"], 2, ""),
    (["count", "3x3..2x2"], 2, ""),
    (["count", "1x1..2x3"], 2, ""),
    (["count", "3x3:3..5x5"], 2, ""),
    (["count", "3x3..3x3x3"], 2, ""),
    (["count", "3x3...4x4"], 2, ""),
    (["count", "3x3..x"], 2, ""),
    (["count", "3x3:3..5x5:4"], 2, ""),
    (["count", "2x2..3x3", "--check"], 2, ""),
    (["count", "2x2..3x3", "--explain"], 2, ""),
    (["count", "2x2..3x3", "--format", "svg"], 2, ""),
    (["count", "2x2..3x3", "--column", "games"], 2, ""),
    (["nonsense"], 2, "--help"),
    (["count", "--nope"], 2, "--help"),
    (["count", "3x3", "4x4"], 2, "--help"),
    (["count", "3x3", "\udcff"], 2, r"\udcff"),
    (["\udcff"], 2, r"\udcff"),
    (["whatis"], 2, "--help"),
    (["count", "3x3", "--on", "nowhere"], 2, "is not an address of a scheduler"),
    (["count", "3x3", "--on", "tcp://a:1", "--workers", "2"], 2, "give their number or an address, not both"),
    (["count", "3x3", "--workers", "0"], 2, "--workers"),
    (["count", "3x3", "--workers", "100000"], 2, "give 1 to 256"),
]


@pytest.mark.parametrize(("words", "code", "said"), REFUSED, ids=[" ".join(each[0])[:40] for each in REFUSED])
def test_what_is_refused_gets_one_sentence(run, monkeypatch, tmp_path, words, code, said):
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.code == code
    assert said in result.one_sentence()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", [*VERBS, *BELOW])
def test_text_that_is_not_text_is_refused_in_every_option(run, monkeypatch, tmp_path, verb):
    monkeypatch.chdir(tmp_path)
    for option in request_of(verb).options():
        if option.kind == "text" and not option.is_argument and not NAMES.search(option.metavar):
            result = run(*verb.split(), *["3x3"] * (verb != "serve"), f"--{option.name.replace('_', '-')}", "\udcff")
            assert result.code == 2, option
            result.one_sentence()
    assert list(tmp_path.iterdir()) == []


NAMED = [
    ["solve", "4x4", "zz", "--save", "table"],
    ["solve", "4x4", "a1 a1", "--save", "table"],
    ["solve", "4x4", "a1", "--save", "table", "--proof", "nowhere/x"],
    ["solve", "4x4", "a1", "--save", "table", "--memory", "much"],
    ["count", "4x4", "--from", "zz", "--resume", "table"],
    ["site", "3x3", "--moves", "blok", "-o", "table"],
]


@pytest.mark.parametrize("words", NAMED, ids=" ".join)
def test_everything_is_checked_before_a_folder_is_made(run, monkeypatch, tmp_path, words):
    monkeypatch.chdir(tmp_path)
    assert run(*words).code in (2, 4)
    assert list(tmp_path.iterdir()) == []


IN_FOLDERS = [
    ["solve", "4x4", "--save", "table"],
    ["count", "3x3", "--resume", "state"],
    ["export", "3x3", "-o", "x.csv"],
    ["solve", "3x3", "--proof", "x.proof"],
    ["menace", "3x3", "--save", "x.json"],
]


@pytest.mark.parametrize("words", IN_FOLDERS, ids=" ".join)
@pytest.mark.parametrize(("flags", "reason"), [(os.ST_RDONLY, "Read-only file system"), (0, "Permission denied")])
def test_a_folder_that_cannot_be_written_to_is_named_with_the_reason(run, monkeypatch, tmp_path, words, flags, reason):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("noughts.machine.files.os.access", lambda path, mode: False)
    monkeypatch.setattr("noughts.machine.files.os.statvfs", lambda path: SimpleNamespace(f_flag=flags))
    result = run(*words)
    assert (result.code, reason in result.one_sentence()) == (4, True)


@pytest.mark.parametrize(
    ("free", "says", "says_not"),
    [
        (65_536, "room for 65.5 kB: name another disk", "--values-only"),
        (500_000, "add --values-only, or name", "65.5 kB"),
    ],
)
def test_a_full_disk_is_no_budget(run, monkeypatch, tmp_path, free, says, says_not):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("noughts.machine.budget.shutil.disk_usage", lambda path: SimpleNamespace(free=free))
    said = run("solve", "4x4", "--save", "table")
    assert said.code == 4
    assert says in said.one_sentence()
    assert says_not not in said.one_sentence()


@pytest.mark.parametrize("verb", [*VERBS, *BELOW])
def test_a_dash_is_standard_output_or_refused(run, monkeypatch, tmp_path, verb):
    monkeypatch.chdir(tmp_path)
    for option in request_of(verb).options():
        if not option.is_argument and option.metavar.startswith(("FILE", "DIR")):
            result = run(*verb.split(), *["3x3"] * (verb != "serve"), f"--{option.name.replace('_', '-')}", "-")
            assert result.code == 2, option
            assert "standard output" in result.one_sentence()
    assert list(tmp_path.iterdir()) == []


def test_a_dash_is_where_an_answer_goes(run):
    assert run("count", "3x3", "-o", "-").out == run("count", "3x3").out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["breed", "3x3", "--generations", "x"], "'x' is not a whole number of 1 or more"),
        (["breed", "3x3", "--mutations", "x"], "'x' is not a number:"),
        (["puzzle", "3x3", "--hints", "4"], "'4' is not a whole number from 0 to 3"),
        (["match", "3x3", "--games", "1.5"], "'1.5' is not a whole number of 1 or more"),
    ],
)
def test_a_number_that_cannot_be_is_refused_with_what_would_work(run, words, says):
    refused = run(*words)
    assert (refused.code, says in refused.one_sentence()) == (2, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["solve", "5x5:4", "--save", "--dry-run"],
            "--save needs DIR, but --dry-run follows: write --save DIR --dry-run",
        ),
        (["solve", "3x3", "--proof", "--time", "3s"], "--proof needs FILE, but --time follows"),
        (["openings", "3x3", "--output", "-o", "x"], "--output needs FILE, but -o follows"),
    ],
)
def test_an_option_is_no_value_of_another(run, monkeypatch, tmp_path, words, says):
    monkeypatch.chdir(tmp_path)
    refused = run(*words)
    assert (refused.code, says in refused.one_sentence()) == (2, True)
    assert not list(tmp_path.iterdir())
