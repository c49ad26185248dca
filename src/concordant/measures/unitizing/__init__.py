"""The work behind agreement on units: spans, how unlike they are, their best alignment, and chance."""
