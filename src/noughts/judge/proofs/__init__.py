"""The judge of proofs: reads a certificate and plays every reply; imports nothing of what found it."""
