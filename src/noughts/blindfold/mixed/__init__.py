"""What can be done by chance: values and mixed strategies."""
