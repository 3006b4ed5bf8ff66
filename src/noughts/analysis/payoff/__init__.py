"""Points for endings, drawn patterns, guarantees, and what play comes to."""
