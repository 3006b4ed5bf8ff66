"""The record of every position: what a catalogue holds, how it is searched, and when two boards are the same."""
