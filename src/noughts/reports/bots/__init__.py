"""What there is to say about bots."""
