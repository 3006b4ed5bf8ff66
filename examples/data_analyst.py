# %% [markdown]
# # Every position as a table
# SQL on all positions, a data frame, and a database for other programs.

# %%
import sqlite3

import noughts

# %% Where is the first move worth most, if the rest is random? Chances are numbers, with exact fractions beside them.
openings = noughts.query(
    "3x3",
    """select m.cells, m.times, c.random_x, c.random_x_numerator || '/' || c.random_denominator as exactly
       from moves m join classes c on c.position = m.child where c.ply = 1 order by c.random_x desc""",
)
print(openings)

# %% How many positions of each label, and how likely is X to win there?
frame = noughts.query("3x3", "select label, orbit, random_x, decided from classes").to_pandas()
frame["boards_x"] = frame.random_x * frame.orbit
labels = frame.groupby("label")[["orbit", "boards_x"]].sum()
print(labels.assign(random_x=labels.boards_x / labels.orbit).round(3))

# %% The decisions that matter, with the cells to play.
decisions = noughts.positions("3x3", real_decision=True)
print(decisions.heading)
print(decisions.to_pandas()[["position", "best_moves", "games"]].head())

# %% All of it as one SQLite file.
print(noughts.export("3x3", "all.sqlite"))
with sqlite3.connect("all.sqlite") as database:
    print(database.execute("select count(*), sum(trap) from positions").fetchone())
