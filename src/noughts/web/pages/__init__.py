"""The kinds of page, a module each: `answer(ask)` returns what the page says and its data."""
