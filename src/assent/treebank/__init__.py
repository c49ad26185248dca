"""Treebank annotation: profile -> discriminants -> options, compared between two annotators."""

from assent.treebank.comparison import Comparison, Lost, compare
from assent.treebank.sentences import Sentence

__all__ = ["Comparison", "Lost", "Sentence", "compare"]
