"""Reading discriminants off an analysis: whether a certain one holds, in a log or not, and all that hold.

Logs hold only what was clicked and what followed, so two annotators who reach the same tree by different routes log
different discriminants. What a log leaves out the chosen tree knows: a constituent is there or it is not.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from assent.treebank.analyses import Analysis
from assent.treebank.discriminants import CONSTITUENT, DEPENDENCY, LEXICAL_TYPE, TWIG, Discriminant
from assent.treebank.trees import Tree


class ChosenAnalysis:
    """An analysis with the questions that discriminants ask of it, each answered yes, no or None: cannot be told."""

    def __init__(self, analysis: Analysis, lexicon: Mapping[str, str]) -> None:
        """`lexicon` maps lexical entries to lexical types; without it questions about types stay open."""
        self.analysis = analysis
        self._lexicon = lexicon

    @cached_property
    def tree(self) -> Tree | None:
        """The derivation tree."""
        return self.analysis.tree()

    @cached_property
    def dependencies(self) -> Any | None:
        """The elementary dependency structure."""
        return self.analysis.dependencies()

    def holds(self, discriminant: Discriminant) -> bool | None:
        """Whether the discriminant is true of this analysis; None when that cannot be told."""
        if discriminant.type == DEPENDENCY:
            return discriminant.key in self._dependency_keys if self._dependency_keys else None
        if self.tree is None:
            return None
        if discriminant.type == CONSTITUENT:
            return (discriminant.key, discriminant.start, discriminant.end) in self._constituents
        if discriminant.type == TWIG:
            return self._has_twig(discriminant)
        return self._has_lexical_type(discriminant) if discriminant.type == LEXICAL_TYPE else None

    def discriminants(self) -> frozenset[Discriminant]:
        """All discriminants that hold of this analysis, each under one name; `holds` says yes to every one of them.

        Rules are constituents, words have lexical types (their entries where the lexicon does not know them), a chain
        of several nodes over the same words is a twig, and the MRS gives the dependencies.
        """
        found = {Discriminant(DEPENDENCY, key, 0, 0) for key in _dependency_names(self.dependencies)}
        for node in self.tree.nodes() if self.tree else ():
            kind = LEXICAL_TYPE if node.is_preterminal else CONSTITUENT
            found.add(Discriminant(kind, self._part(node), node.start, node.end))
        for (start, end), chain in self._chains.items():
            if len(chain) > 1:
                found.add(Discriminant(TWIG, "@".join(map(self._part, chain)), start, end))
        return frozenset(found)

    def _part(self, node: Tree) -> str:
        """What discriminants call a node: its rule, or for a word the lexical type."""
        return self._lexicon.get(node.label, node.label) if node.is_preterminal else node.label

    @cached_property
    def _constituents(self) -> frozenset[tuple[str, int, int]]:
        nodes = self.tree.nodes() if self.tree else ()
        return frozenset((node.label, node.start, node.end) for node in nodes)

    @cached_property
    def _chains(self) -> dict[tuple[int, int], list[Tree]]:
        """For each span the unary chain of nodes over it, top down, the root symbol left out."""
        chains: dict[tuple[int, int], list[Tree]] = {}
        for node in _below_root(self.tree) if self.tree else ():
            chains.setdefault((node.start, node.end), []).append(node)
        return chains

    def _has_twig(self, twig: Discriminant) -> bool | None:
        """A twig is a whole unary chain; at a word its last part is the lexical type, not the entry."""
        chain = self._chains.get((twig.start, twig.end), [])
        parts = twig.key.split("@")
        if not chain or len(parts) != len(chain) or parts[:-1] != [node.label for node in chain[:-1]]:
            return False
        return self._last_part(chain[-1], parts[-1])

    def _has_lexical_type(self, wanted: Discriminant) -> bool | None:
        chain = self._chains.get((wanted.start, wanted.end), [])
        return self._last_part(chain[-1], wanted.key) if chain and chain[-1].is_preterminal else False

    def _last_part(self, node: Tree, wanted: str) -> bool | None:
        """Whether a node is a rule of that name or, being a word, of that lexical type (None: type unknown)."""
        if not node.is_preterminal or node.label == wanted:
            return node.label == wanted
        known = self._lexicon.get(node.label)
        return None if known is None else known == wanted

    @cached_property
    def _dependency_keys(self) -> frozenset[str]:
        structure = self.dependencies
        return frozenset() if structure is None else frozenset(_dependency_keys(structure))


def _below_root(tree: Tree) -> Iterator[Tree]:
    """All nodes but a root symbol: the top node if its only daughter covers the same words and it is no rule."""
    nodes = tree.nodes()
    if tree.label.startswith("root"):
        next(nodes)
    return nodes


def _dependency_keys(structure: Any) -> Iterator[str]:
    """The keys that [incr tsdb()] gives to the dependencies of an EDS, in lower case.

    `predicate ROLE predicate` for an argument, `predicate FEATURE value` for a property of its variable, and the
    predicate alone when it has neither. A name shows its constant, `named(Rei)`, except where the log leaves it out;
    the bound variable is called ARG0 there and BV in an EDS.
    """
    nodes = {node.id: node for node in structure.nodes}
    for node in structure.nodes:
        for source in _names(node):
            yield source
            for role, target in node.edges.items():
                for name in _names(nodes[target]) if target in nodes else ():
                    yield f"{source} {role} {name}".lower()
                    yield f"{source} {'ARG0' if role == 'BV' else role} {name}".lower()
            for feature, value in node.properties.items():
                yield f"{source} {feature} {value}".lower()


def _names(node: Any) -> tuple[str, ...]:
    plain = str(node.predicate).lower()
    return (plain, f"{plain}({str(node.carg).lower()})") if node.carg else (plain,)


def _dependency_names(structure: Any | None) -> Iterator[str]:
    """The dependencies of an EDS, each once: names with their constants, the bound variable as ARG0."""
    nodes = {node.id: node for node in structure.nodes} if structure is not None else {}
    for node in nodes.values():
        source = _names(node)[-1]
        links = [("ARG0" if role == "BV" else role, nodes[end]) for role, end in node.edges.items() if end in nodes]
        found = [f"{source} {role} {_names(target)[-1]}" for role, target in links]
        found += [f"{source} {feature} {value}" for feature, value in node.properties.items()]
        yield from (name.lower() for name in found or [source])
