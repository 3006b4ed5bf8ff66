# %% [markdown]
# # Exact answers from Python
# Boards and positions are values; each verb is a function with the same answer as the command line.

# %%
import noughts
from noughts import Board, Position

# %% A position: what is blank, what threatens, who wins?
position = Position("3x4:3").play("b2").play("a1").play("c2")
print(position, "to move:", position.to_move, " blank:", position.blanks, " X completes:", *position.threats("X"))
solution = noughts.solve(position.board)
print("best play:", solution.outcome(position), "in", solution.remoteness(position), "plies")

# %% Follow best play to the end.
while not position.is_terminal:
    position = position.play(noughts.explain(position.board, position, solution=solution).best_moves[0].cell)
print(position, "won by", position.winner, "with", *position.completed_lines("X"))

# %% Count under three conventions, and on a board of your own lines.
for same in ("labelled", "symmetry", "choices"):
    print(f"{same:9} {noughts.count('3x3', same=same).totals.finished:,}")
triangle = Board.from_lines(6, [(0, 1, 3), (0, 2, 5), (3, 4, 5)], name="triangle")
print("triangle:", noughts.count(triangle).totals.finished)

# %% Look back at a game, and say why a move was bad.
review = noughts.review("3x3", "a1 b1 a2 a3 b2 c1 c2")
print(*review.sentences, sep="\n")
print(noughts.explain("3x3", "a1").sentences[0])

# %% Errors are one sentence, and say what works.
try:
    Position("3x3").play("d1")
except noughts.InputError as error:
    print(error)
