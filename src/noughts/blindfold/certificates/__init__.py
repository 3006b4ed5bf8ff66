"""Strategies and proofs on file, and their judges."""
