"""Run the command line with `python -m noughts`."""

from noughts.cli.main import main

main()
