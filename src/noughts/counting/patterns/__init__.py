"""What the engines without a tree count on, and how a census follows from it."""
