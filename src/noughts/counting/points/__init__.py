"""Counting by values at points: the graph of a frontier, built once, through which batches of points stream."""
