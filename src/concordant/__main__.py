"""`python -m concordant` is the command line."""

from concordant.cli import main

main()
