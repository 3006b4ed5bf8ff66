"""Whatever is given, at whatever moment, on whatever machine: only documented ends."""
