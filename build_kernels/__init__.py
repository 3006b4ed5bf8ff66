"""Compile the kernels of noughts before they are installed."""

LEVELS = ("v2", "v3")
"""The levels of x86-64 that kernels are compiled for; the best that the processor has is chosen at import."""
NUMBA = "0.68.1"
"""The version of Numba whose private names `lowering` uses."""
