"""What the program asks of the computer: memory and time, workers, files, and a line that tells how far it is."""
