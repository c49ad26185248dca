"""HTTP only: the raters' pages, the researcher's pages, the treebanking page."""
