"""Run the command line with `python -m noughts`."""

from noughts.cli.entry import main

main()
