"""The web explorer: pages that a server gives, or that are written to a folder, from one set of kinds of page."""
