"""Treebank annotation: profiles, discriminants, options, trees."""
