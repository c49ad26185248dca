"""Treebank annotation: profile -> discriminants -> options, compared between two annotators.

The names below are loaded when first used, so that the catalogue of measures, which knows trees, stays quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concordant.treebank.comparison import Comparison, Lost, compare
    from concordant.treebank.sentences import Sentence

__all__ = ["Comparison", "Lost", "Sentence", "compare"]


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{'sentences' if name == 'Sentence' else 'comparison'}"), name)
