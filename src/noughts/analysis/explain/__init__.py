"""Threats, forks, mistakes and openings, explained in words."""
