"""Reports about play: values, explanations, openings, trees, patterns, points, matches."""
