"""The catalogue as a static site: pages that open from a folder, without server, network or JavaScript."""
