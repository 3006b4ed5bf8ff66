"""What to play and why: labels, threats, forced wins, opening theory, reduced trees, patterns, payoffs, policies."""
