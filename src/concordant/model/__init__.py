"""WHAT was judged: scales, judgements, continua, studies. Frozen values; no files, no statistics."""
