"""Published numbers with their convention and source, as package data."""
