"""What there is to say about bots."""

"""What the command line and the explorer say about bots."""
