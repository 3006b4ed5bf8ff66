"""What can be done by plans without chance."""
