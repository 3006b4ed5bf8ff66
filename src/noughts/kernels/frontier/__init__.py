"""States and values of counting without listing."""
