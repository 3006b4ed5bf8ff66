# %% [markdown]
# # Is my bot any good?
# A bot is a function from a position to a move. noughts plays it on every line, in exact fractions.

# %%
import noughts
from noughts import Move, Position


def first_try(position: Position) -> Move:
    """Complete a line if there is one; else the centre, a corner, an edge."""
    wins = position.threats(position.to_move)
    free = next(cell for cell in ("b2", "a1", "c1", "a3", "c3", "b1", "a2", "c2", "b3") if cell in position.blanks)
    return wins[0] if wins else Move(position.board, free)


# %% Its worst opponent: how often does it lose, and where does it go wrong?
judged = noughts.evaluate("3x3", first_try)
print(judged)
blunder = judged["O"].blunders[0]
print(f"as O in {blunder.position} it plays {blunder.cell}: {blunder.before} becomes {blunder.after}")


# %% A second try also blocks.
def second_try(position: Position) -> Move:
    """Complete a line, else block one, else as before."""
    wins, threats = position.threats(position.to_move), position.threats("X") + position.threats("O")
    return first_try(position) if wins or not threats else threats[0]


# %% All meet all, each once with X.
print(noughts.match("3x3", {"first": first_try, "second": second_try, "perfect": "perfect"}))

# %% Save it for `noughts match`, `noughts check` and `noughts serve --bot second.json`.
noughts.bots.policy("3x3", second_try).save("second.json", "3x3")
print("never loses:", noughts.check("second.json").holds)
