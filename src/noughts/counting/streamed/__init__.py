"""Sums over the class graph by streaming: numbers of paths from layer to layer, in the order of the perfect index."""
