"""BEFORE: sampling, sets, ordering, preference pairs; all of it ends in a frozen plan."""
