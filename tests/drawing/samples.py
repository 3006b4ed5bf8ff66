"""Pictures that the tests share: plain values only."""

from noughts.drawing.board import BoardPicture, Note
from noughts.drawing.chart import Series
from noughts.drawing.tree import TreeBoard, TreeLink, TreePicture

BOARDS = {
    "plain": BoardPicture((3, 3, 1), "X.O.X.O..", last=4, title="Three by three"),
    "full": BoardPicture(
        (3, 3, 1),
        "X.O.X.O..",
        lines=[(0, 4, 8)],
        threats={"X": [8], "O": [3, 8]},
        arrows=[(0, 4), (4, 7)],
        notes={1: Note("wins", "win"), 3: Note("draws", "draw"), 5: Note("loses", "loss"), 7: Note("a/b")},
    ),
    "wide": BoardPicture((3, 4, 1), "XXX.OO.O....", last=2, lines=[(0, 1, 2)], threats={"X": [3]}),
    "tall": BoardPicture((4, 3, 1), "XO.XO.X..O..", last=9, lines=[(0, 3, 6)], threats={"O": [2]}),
    "solid": BoardPicture((2, 3, 2), "X..O..X....O", last=11, lines=[(0, 6)], threats={"X": [1], "O": [5]}),
}

# A root with three children, one reached twice; a fork, and every kind of end.
TREE = TreePicture(
    (2, 3, 1),
    [
        TreeBoard(0, "......", captions=["1/3"]),
        TreeBoard(1, "X.....", captions=["1/2"], last=0),
        TreeBoard(2, ".X....", "X", ["X wins"], fork=True, last=1),
        TreeBoard(3, "..X...", "draw", ["draw"], last=2),
        TreeBoard(4, "XO....", "O", ["O wins"], last=1),
        TreeBoard(5, "X.O...", "draw", ["draw"], last=2),
    ],
    [TreeLink(0, 1, 4), TreeLink(0, 2, 2), TreeLink(0, 3), TreeLink(1, 4), TreeLink(1, 5, label="c1"), TreeLink(3, 5)],
    title="A small tree",
    note="six boards",
)

SERIES = [Series("positions", [1, 9, 72, 0]), Series("games", [0, 10, 255_168, None])]
PLIES = range(4)


def wide_tree(branches: int, leaves: int) -> TreePicture:
    """A root with branches of unlike sizes; the last leaf of each branch is shared with the next branch."""
    nodes, links = [TreeBoard(0, "." * 12, captions=["root"])], []
    previous = None
    for branch in range(branches):
        top = len(nodes)
        nodes.append(TreeBoard(top, "X" + "." * 11, captions=["a long caption"]))
        links.append(TreeLink(0, top, 1 + branch % 3))
        for leaf in range(1 + (leaves + branch) % leaves):
            nodes.append(
                TreeBoard(len(nodes), "XO" + "." * 10, ["X", "O", "draw"][leaf % 3], ["end"], fork=leaf % 2 == 0)
            )
            links.append(TreeLink(top, len(nodes) - 1))
        if previous is not None:
            links.append(TreeLink(top, previous))
        previous = len(nodes) - 1
    return TreePicture((3, 4, 1), nodes, links, "Unlike branches", "")
