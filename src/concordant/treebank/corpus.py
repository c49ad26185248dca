"""Vistas of a treebank: the chosen analyses as brackets, dependencies and logical forms (Castro 2011, 2.6.2).

What deep analyses hold is much and bound to one theory, so other programs are given one side of it at a time, in the
form that they read: Penn brackets, CoNLL-U, and MRS, EDS and DMRS as PyDelphin writes them.

A dependency tree needs heads, and derivations do not name them. A rule's head is the daughter that the name of the rule
calls `hd` (`sb-hd_mc_c`: the second), or the one that a table of the grammar's rules names, else the first. How many
were taken for the head for want of better knowledge is counted.
"""

import csv
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from concordant.errors import InputError, nearest
from concordant.treebank.analyses import from_table, read_lexicon, understood
from concordant.treebank.profile import Annotation, read_profile
from concordant.treebank.relations import delphin
from concordant.treebank.suites import find_suites
from concordant.treebank.trees import Tree
from concordant.treebank.written import folder_written_whole

ESCAPED = str.maketrans({"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"})


class Word(NamedTuple):
    """A word of a dependency tree: its form, its lexical entry, the place of its head (0: none) and their relation."""

    form: str
    entry: str
    head: int
    relation: str


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """What is known of a grammar: the types of its lexical entries, and which daughter is the head of which rule."""

    types: Mapping[str, str]
    heads: Mapping[str, int]


def brackets(tree: Tree, types: Mapping[str, str]) -> str:
    """Penn brackets in one line; words stand below their lexical types where these are known, else below their entries.

    >>> brackets(Tree("s", 0, 1, (Tree("ri_v1", 0, 1, ("ri",)),)), {"ri_v1": "v_le"})
    '(s (v_le ri))'
    """
    label = types.get(tree.label, tree.label) if tree.is_preterminal else tree.label
    parts = [brackets(one, types) if isinstance(one, Tree) else one.translate(ESCAPED) for one in tree.children]
    return f"({label} {' '.join(parts)})"


def head_of(node: Tree, heads: Mapping[str, int]) -> int | None:
    """The place of the head among the daughters; None where nothing says which it is.

    >>> head_of(Tree("sb-hd_mc_c", 0, 2, (Tree("a", 0, 1, ("a",)), Tree("b", 1, 2, ("b",)))), {})
    1
    """
    n = len(node.children)
    if n == 1:
        return 0
    if node.label in heads:
        return heads[node.label] if heads[node.label] < n else None
    parts = node.label.partition("_")[0].split("-")
    return next((i for i, part in enumerate(parts[:n]) if part.startswith("hd")), None)


def dependencies(tree: Tree, heads: Mapping[str, int], guessed: Counter[str] | None = None) -> list[Word]:
    """The words with their heads; a word that is no head hangs from that of the constituent it joins, by its rule.

    Rules whose head nothing names are counted in `guessed`: their first daughter is taken.
    """
    leaves = [node for node in tree.nodes() if node.is_preterminal]
    place = {id(node): i for i, node in enumerate(leaves, 1)}
    links = [(0, "root")] * (len(leaves) + 1)

    def lift(node: Tree) -> int:
        inner = [child for child in node.children if isinstance(child, Tree)]
        if not inner:
            return place[id(node)]
        known = head_of(node, heads)
        if known is None and guessed is not None:
            guessed[node.label] += 1
        tops = [lift(child) for child in inner]
        top = tops[known or 0]
        for other in tops:
            if other != top:
                links[other] = (top, node.label)
        return top

    lift(tree)
    return [Word(" ".join(leaf.words()), leaf.label, *links[i]) for i, leaf in enumerate(leaves, 1)]


@dataclass(kw_only=True)
class Making:
    """One suite's vistas while they are made: the grammar, and the rules whose head was guessed."""

    known: Knowledge
    guessed: Counter[str]

    def penn(self, one: Annotation) -> str | None:
        """The derivation tree in brackets."""
        tree = one.chosen.tree() if one.chosen else None
        return None if tree is None else f"({brackets(tree, self.known.types)})"

    def conll(self, one: Annotation) -> str | None:
        """The derivation's dependencies, with lexical types as parts of speech and stems of entries as lemmas."""
        tree = one.chosen.tree() if one.chosen else None
        if tree is None:
            return None
        lines = [f"# sent_id = {one.sentence}", f"# text = {' '.join(one.text.split())}"]
        for i, word in enumerate(dependencies(tree, self.known.heads, self.guessed), 1):
            stem, kind = word.entry.partition("_")[0] or "_", self.known.types.get(word.entry, "_")
            lines.append("\t".join(map(str, (i, word.form, stem, "_", kind, "_", word.head, word.relation, "_", "_"))))
        return "\n".join(lines) + "\n"

    def mrs(self, one: Annotation) -> str | None:
        """Minimal Recursion Semantics; the sentence stands in it as its surface."""
        return self.encoded(one, "simplemrs", lambda mrs: mrs)

    def eds(self, one: Annotation) -> str | None:
        """Elementary dependencies, which begin with the sentence's number."""
        return self.encoded(one, "eds", lambda mrs: delphin("eds").from_mrs(mrs))

    def dmrs(self, one: Annotation) -> str | None:
        """Dependency MRS, which begins with the sentence's number."""
        return self.encoded(one, "simpledmrs", lambda mrs: delphin("dmrs").from_mrs(mrs))

    def encoded(self, one: Annotation, codec: str, convert: Callable[[Any], Any]) -> str | None:
        """The MRS of the chosen analysis in another form, in one line."""
        mrs = one.chosen.semantics() if one.chosen else None
        form = None if mrs is None else understood(lambda: convert(mrs))
        if form is None:
            return None
        form.identifier, form.surface = one.sentence, one.text
        line: str = delphin(f"codecs.{codec}").encode(form, indent=False)
        return " ".join(line.split())


FILES = {
    "penn": "trees.mrg",
    "conll": "dependencies.conllu",
    "mrs": "logical-forms.mrs",
    "eds": "logical-forms.eds",
    "dmrs": "logical-forms.dmrs",
}
SENTENCES = "sentences.csv"


@dataclass(frozen=True, kw_only=True)
class Vistas:
    """What was written: the files, how many sentences each form has, how many were accepted, and guessed heads."""

    files: tuple[Path, ...]
    n_sentences: int
    n_accepted: int
    counts: Mapping[str, int]
    guessed: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        """The counts."""
        return {**self.__dict__, "files": [str(file) for file in self.files]}


def write_vistas(
    source: str | Path,
    output: str | Path,
    *,
    forms: Collection[str] | str | None = None,
    lexicon: str | Path | None = None,
    heads: str | Path | None = None,
) -> Vistas:
    """Write what was chosen in a profile, or in a directory of suites, to the new folder `output`.

    `forms` are some of penn, conll, mrs, eds, dmrs (all unless said). Sentences stand in the order of the profile;
    those that were not accepted are left out, and `sentences.csv` says of each what became of it. `lexicon` gives words
    their lexical types, `heads` rules the number of the daughter that is their head.
    """
    chosen = [forms] if isinstance(forms, str) else list(forms or FILES)
    for form in chosen:
        if form not in FILES:
            raise InputError(f"there is no vista {form!r}", hint=nearest(form, tuple(FILES)))
    known = Knowledge(types=read_lexicon(lexicon) if lexicon else {}, heads=read_heads(heads) if heads else {})
    counts, guessed, totals = Counter(dict.fromkeys(chosen, 0)), Counter[str](), Counter[str]()
    written: list[Path] = []
    with folder_written_whole(Path(output)) as beside:
        for suite, path in find_suites(Path(source)).items():
            folder = beside / suite
            folder.mkdir(parents=True, exist_ok=True)
            making = Making(known=known, guessed=guessed)
            counts.update(_write_suite(making, path, folder, chosen, totals))
            written += [Path(output) / suite / name for name in (*(FILES[form] for form in chosen), SENTENCES)]
        if not totals["accepted"]:
            raise InputError("no sentence is accepted in it", file=source, hint="is it annotated, not only parsed?")
    return Vistas(
        files=tuple(written), n_sentences=totals["all"], n_accepted=totals["accepted"], counts=counts, guessed=guessed
    )


def _write_suite(making: Making, path: Path, folder: Path, forms: Sequence[str], totals: Counter[str]) -> Counter[str]:
    """The files of one suite; how many sentences each form has."""
    found: dict[str, list[str]] = {form: [] for form in forms}
    with (folder / SENTENCES).open("w", encoding="utf-8", newline="") as table:
        rows = csv.writer(table)
        rows.writerow(("sentence", "text", "status", *forms))
        for one in read_profile(path).annotations.values():
            totals.update(("all", one.status))
            made = {form: getattr(making, form)(one) if one.status == "accepted" else None for form in forms}
            rows.writerow((one.sentence, one.text, one.status, *("yes" if made[form] else "no" for form in forms)))
            for form, text in made.items():
                if text:
                    found[form].append(text)
    for form, texts in found.items():
        (folder / FILES[form]).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return Counter({form: len(texts) for form, texts in found.items()})


def read_heads(path: str | Path) -> dict[str, int]:
    """Rules with the place of the daughter that is their head, which the file counts from 1."""
    numbers = from_table(Path(path))
    if wrong := next((rule for rule, number in numbers.items() if not number.isdecimal() or number == "0"), None):
        what = f"{numbers[wrong]!r} is no daughter of the rule {wrong!r}"
        raise InputError(what, file=path, hint="write rule<TAB>1 where the first is the head")
    return {rule: int(number) - 1 for rule, number in numbers.items()}
