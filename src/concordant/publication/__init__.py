"""PUBLISH: a study as one archive that proves its numbers, and the check of archives and of printed tables."""
