"""Tables of all positions, too large for memory: what they take, and how they are made, in portions, by workers."""
