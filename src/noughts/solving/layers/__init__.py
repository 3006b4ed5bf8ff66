"""Layers of position classes, one ply after another, by workers: what counting and solving share."""
