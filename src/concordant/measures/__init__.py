"""HOW MUCH people agree: the catalogue of coefficients."""
