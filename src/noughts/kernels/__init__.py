"""Arrays and integers in, arrays and integers out: the compiled inner loops. Nothing is checked here."""
