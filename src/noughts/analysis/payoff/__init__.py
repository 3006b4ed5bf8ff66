"""Points for endings, drawn patterns, guarantees, and the results of play."""
