"""From a question to a census: how many positions and games there are, and by which engine."""
