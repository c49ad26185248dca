"""`python -m assent` is the command line."""

from assent.cli import main

main()
