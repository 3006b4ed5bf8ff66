# %% [markdown]
# # What has my agent really learned?
# Tabular Q-learning against a random opponent in a Gymnasium environment, then its exact value.

# %%
from collections import defaultdict

import gymnasium
import numpy as np
from numpy.typing import NDArray

import noughts
import noughts.training

env = gymnasium.make("noughts/Board-v0", board="3x3", opponent="random", role="either")
dice = np.random.default_rng(1)
table: defaultdict[tuple[int, ...], NDArray[np.float64]] = defaultdict(lambda: np.zeros(9))

# %% Learn: explore one move in five, and move each value half of the way to what followed.
for game in range(4000):
    observation, info = env.reset(seed=game)
    over = False
    while not over:
        at, legal = tuple(observation.tolist()), np.flatnonzero(info["action_mask"])
        explores = dice.random() < 0.2
        action = dice.choice(legal) if explores else legal[table[at][legal].argmax()]
        observation, reward, over, _, info = env.step(int(action))
        follows = 0.0 if over else table[tuple(observation.tolist())][info["action_mask"] == 1].max()
        table[at][action] += 0.5 * (reward + follows - table[at][action])

# %% Against the opponent that it trained with it looks strong; against the best response it is not.
agent = noughts.bots.array_policy("3x3", lambda seen: table[tuple(seen.tolist())], greedy=True)
judged = noughts.evaluate("3x3", agent)
for role in ("X", "O"):
    print(
        f"{role}: {float(judged[role].value):.3f} against random, {judged[role].guaranteed} against the best response"
    )
print("never loses:", judged.never_loses, "  NashConv:", judged.nash_conv)
