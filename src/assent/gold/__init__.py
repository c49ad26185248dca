"""WHAT TO KEEP: consensus, weights, scores and ranks."""
