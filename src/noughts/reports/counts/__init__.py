"""Reports about counts: one convention, all conventions, boards in a row, readings of a number, verification."""
