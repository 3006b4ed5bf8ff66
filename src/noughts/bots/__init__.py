"""Bots: policies bred, judged on every line, reduced to a card, taught by beads; each is a policy of `analysis`."""
