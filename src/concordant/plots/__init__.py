"""Pictures of judgements, with matplotlib's Figure (never pyplot)."""
