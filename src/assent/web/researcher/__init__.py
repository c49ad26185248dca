"""The researchers' pages: signing in, and the studies of this server with the links for their raters."""
