"""Breeding: bots that are tables, judged exactly by one backward pass each, selected, crossed and mutated."""
