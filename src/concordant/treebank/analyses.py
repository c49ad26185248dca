"""One analysis of a sentence: its derivation tree and dependencies, and the discriminants that hold of it.

Both are decoded by PyDelphin when asked for. Logs hold only what was clicked and what followed, so two annotators who
reach the same tree by different routes log different discriminants. What a log leaves out the chosen tree knows: a
constituent is there or it is not. Which type a word has the lexicon says.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from concordant.errors import InputError
from concordant.treebank.discriminants import CONSTITUENT, DEPENDENCY, LEXICAL_TYPE, TWIG, Discriminant
from concordant.treebank.relations import delphin, read_text, unescape
from concordant.treebank.trees import Tree

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

    def semantics(self) -> Any | None:
        """The MRS as PyDelphin reads it; None when there is none or it makes no sense."""
        return understood(lambda: delphin("codecs.simplemrs").decode(unescape(self.mrs))) if self.mrs else None

    def dependencies(self) -> Any | None:
        """The elementary dependency structure (PyDelphin's EDS); None when there is no MRS or it makes no sense."""
        mrs = self.semantics()
        # PyDelphin's own node names do: unique_ids would rename them as the LKB does, and nobody sees them
        return None if mrs is None else understood(lambda: delphin("eds").from_mrs(mrs, unique_ids=False))


def understood(make: Callable[[], Any]) -> Any | None:
    """What PyDelphin makes of something; None where it makes no sense to it."""
    try:
        return make()
    except (delphin("exceptions").PyDelphinException, ValueError, KeyError, IndexError, StopIteration):
        return None  # the last error is that of an MRS cut short


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
        chain, parts = self._chains.get((discriminant.start, discriminant.end), []), discriminant.key.split("@")
        if discriminant.type == TWIG:  # a whole unary chain; at a word its last part is the lexical type, not the entry
            is_chain = bool(chain) and len(parts) == len(chain) and parts[:-1] == [node.label for node in chain[:-1]]
            return self._last_part(chain[-1], parts[-1]) if is_chain else False
        if discriminant.type == LEXICAL_TYPE:
            return self._last_part(chain[-1], discriminant.key) if chain and chain[-1].is_preterminal else False
        return None

    def discriminants(self) -> frozenset[Discriminant]:
        """All discriminants that hold of this analysis, each under one name; `holds` says yes to every one of them.

        Rules are constituents, words have lexical types (their entries where the lexicon does not know them), a chain
        of several nodes over the same words is a twig, and the MRS gives the dependencies.
        """
        found = {Discriminant(DEPENDENCY, key, 0, 0) for key in dependency_names(self.dependencies)}
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
        nodes = self.tree.nodes() if self.tree else iter(())
        if self.tree and self.tree.label.startswith("root"):
            next(nodes)
        for node in nodes:
            chains.setdefault((node.start, node.end), []).append(node)
        return chains

    def _last_part(self, node: Tree, wanted: str) -> bool | None:
        """Whether a node is a rule of that name or, being a word, of that lexical type (None: type unknown)."""
        if not node.is_preterminal or node.label == wanted:
            return node.label == wanted
        known = self._lexicon.get(node.label)
        return None if known is None else known == wanted

    @cached_property
    def _dependency_keys(self) -> frozenset[str]:
        return frozenset(_dependency_keys(self.dependencies) if self.dependencies is not None else ())


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


def dependency_names(structure: Any | None) -> Iterator[str]:
    """The dependencies of an EDS, each once: names with their constants, the bound variable as ARG0."""
    nodes = {node.id: node for node in structure.nodes} if structure is not None else {}
    for node in nodes.values():
        source = _names(node)[-1]
        links = [("ARG0" if role == "BV" else role, nodes[end]) for role, end in node.edges.items() if end in nodes]
        found = [f"{source} {role} {_names(target)[-1]}" for role, target in links]
        found += [f"{source} {feature} {value}" for feature, value in node.properties.items()]
        yield from (name.lower() for name in found or [source])


def read_lexicon(path: str | Path) -> dict[str, str]:
    """Lexical entry -> lexical type, both in lower case, from a .tdl file or a .tsv with those two columns."""
    file = Path(path)
    if not file.is_file():
        raise InputError("there is no such lexicon", file=file)
    lexicon = from_tdl(file) if file.suffix == ".tdl" else from_table(file)
    if not lexicon:
        raise InputError("no lexical entry in it", file=file, hint="give a grammar's lexicon.tdl or entry<TAB>type")
    return lexicon


def from_table(file: Path) -> dict[str, str]:
    """Rows of entry and type; a header naming the columns may stand first."""
    lexicon: dict[str, str] = {}
    for row, line in enumerate(read_text(file, "lexicon").splitlines(), start=1):
        cells = line.split("\t")
        if len(cells) != 2:
            raise InputError(f"{len(cells)} columns instead of 2", file=file, row=row, hint="write entry<TAB>type")
        lexicon[cells[0].lower()] = cells[1].lower()
    lexicon.pop("lexical_entry", None)
    return lexicon


def from_tdl(file: Path) -> dict[str, str]:
    """The lexical entries of a grammar with the first type they are made from."""
    tdl = delphin("tdl")
    try:
        events = list(tdl.iterparse(str(file)))
    except (tdl.TDLSyntaxError, UnicodeDecodeError) as error:
        raise InputError(f"not TDL: {error}", file=file) from error
    entries = [entry for kind, entry, _ in events if kind == "TypeDefinition" and entry.supertypes]
    return {str(entry.identifier).lower(): str(entry.supertypes[0]).lower() for entry in entries}
