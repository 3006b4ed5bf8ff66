"""Reports about records: lists of positions, comparisons, rows of a query."""
