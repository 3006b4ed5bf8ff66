"""Policies: named, from tables, functions, genomes and programs, and how they play games."""
