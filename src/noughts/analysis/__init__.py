"""What to play and why: explanations, openings, trees, patterns, puzzles, records, and meanings of numbers."""
