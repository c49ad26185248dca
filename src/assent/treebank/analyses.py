"""One analysis of a sentence: its derivation tree and its dependencies, decoded by PyDelphin when asked for."""

import re
from dataclasses import dataclass
from typing import Any

from assent.treebank.tables import delphin, unescape
from assent.treebank.trees import Tree

# The feature structures of tokens, which ACE puts after each word: most of a derivation's text and no part of its tree.
# They end at the first quotation mark without a backslash before it, escaped for the table or not.
_TOKENS = re.compile(r' \d+ "token \[[^"]*(?:(?<=\\)"[^"]*)*"')


@dataclass(frozen=True, slots=True)
class Analysis:
    """A row of the `result` table; derivation and MRS stay as in the file until someone needs them.

    Decoding is the dearest step of a comparison, and where two cells are equal one decoding does for both.
    """

    result: int
    derivation: str = ""
    mrs: str = ""

    def tree(self) -> Tree | None:
        """The derivation tree with lower-case labels; None when the cell is empty or not a derivation."""
        if not self.derivation:
            return None
        reader = delphin("derivation")
        try:
            return _convert(reader.from_string(unescape(_TOKENS.sub("", self.derivation))))
        except (reader.DerivationSyntaxError, ValueError, IndexError):
            return None

    def dependencies(self) -> Any | None:
        """The elementary dependency structure (PyDelphin's EDS); None when there is no MRS or it makes no sense."""
        if not self.mrs:
            return None
        syntax_error = delphin("exceptions").PyDelphinException
        try:
            mrs = delphin("codecs.simplemrs").decode(unescape(self.mrs))
            # PyDelphin's own node names do: unique_ids would rename them as the LKB does, and nobody sees them
            return delphin("eds").from_mrs(mrs, unique_ids=False)
        except (syntax_error, ValueError, KeyError, IndexError, StopIteration):  # the last for an MRS cut short
            return None


def _convert(node: Any) -> Tree:
    """A PyDelphin node as our tree.

    The root symbol on top (`root_strict`) has no vertices of its own and takes those of its daughter; it stays a node,
    because taking a sentence for a fragment or for a full clause is a difference between two analyses.
    """
    children = tuple(str(kid.form) if hasattr(kid, "form") else _convert(kid) for kid in node.daughters)
    inner = [child for child in children if isinstance(child, Tree)]
    start = node.start if node.start is not None else inner[0].start
    end = node.end if node.end is not None else inner[-1].end
    return Tree(str(node.entity).lower(), start, end, children)
