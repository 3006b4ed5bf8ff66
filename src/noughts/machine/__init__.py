"""Memory and time, workers and clusters, files, other programs and optional packages."""
