"""Reports about what is printed: worksheets with their answers, cards, labels, posters."""
