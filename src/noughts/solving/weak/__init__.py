"""The weak game: Maker wants a line of the board, Breaker a cell of every line; and Breaker's proofs of a draw."""
