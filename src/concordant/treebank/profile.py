"""[incr tsdb()] profiles: what one annotator did with each sentence of a suite."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from concordant.treebank.analyses import Analysis
from concordant.treebank.discriminants import REJECTION, Decision, Discriminant, Status, is_option
from concordant.treebank.relations import Tables, unescape


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One sentence as one annotator left it: accepted with an analysis, rejected, or not (fully) decided.

    `versions` are the versions (t-version) under which something is on file about it, those from 1 on.
    """

    sentence: str
    parse: int = -1
    text: str = ""
    n_parses: int = 0
    status: Status = "undecided"
    decisions: tuple[Decision, ...] = ()
    chosen: Analysis | None = None
    analyses: tuple[Analysis, ...] = ()
    author: str = ""
    comment: str = ""
    has_trace: bool = True
    versions: tuple[int, ...] = ()

    @property
    def is_unparsed(self) -> bool:
        """Whether the grammar gave the sentence no analysis, so that there was nothing to annotate."""
        return self.n_parses == 0 and not self.decisions and self.status != "accepted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The annotations of a suite by sentence, and the lines that could not be read.

    `packed` are the parses whose analyses were taken from a packed forest.
    """

    path: Path
    annotations: Mapping[str, Annotation]
    broken: tuple[str, ...] = ()
    packed: frozenset[int] = frozenset()

    @property
    def n_decisions(self) -> int:
        """How many discriminants were decided in all."""
        return sum(len(annotation.decisions) for annotation in self.annotations.values())

    @property
    def author(self) -> str:
        """Who annotated, if the profile names one person throughout."""
        authors = {annotation.author for annotation in self.annotations.values() if annotation.author}
        return authors.pop() if len(authors) == 1 else ""


class _Verdict(NamedTuple):
    """What `tree` or `preference` says of a parse at one version (revision) of its annotation."""

    version: int
    value: int


@dataclass(slots=True)
class _Rows:
    """The rows of a profile grouped by parse, while it is being read: a method for each table files its cells."""

    items: dict[str, str] = field(default_factory=dict)
    parses: dict[int, tuple[str, int]] = field(default_factory=dict)
    results: dict[int, dict[int, Analysis]] = field(default_factory=lambda: defaultdict(dict))
    preferences: dict[int, _Verdict] = field(default_factory=dict)
    trees: dict[int, _Verdict] = field(default_factory=dict)
    remarks: dict[int, tuple[str, str]] = field(default_factory=dict)
    decisions: dict[int, tuple[int, list[Decision]]] = field(default_factory=dict)
    rejections: dict[int, int] = field(default_factory=dict)
    versions: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))

    def item(self, cells: list[str]) -> None:
        """A sentence and its text."""
        self.items[cells[0]] = unescape(cells[1])

    def parse(self, cells: list[str]) -> None:
        """The sentence of a parse, and how many analyses it has."""
        self.parses[int(cells[0])] = (cells[1], max(int(cells[2] or 0), 0))

    def result(self, cells: list[str]) -> None:
        """An analysis."""
        result = int(cells[1])
        self.results[int(cells[0])][result] = Analysis(result, cells[2], cells[3])

    def preference(self, cells: list[str]) -> None:
        """The analysis that was chosen."""
        self.keep_last(self.preferences, int(cells[0]), _Verdict(int(cells[1]), int(cells[2])))

    def tree(self, cells: list[str]) -> None:
        """How many analyses were left, and who said so."""
        parse, verdict = int(cells[0]), _Verdict(int(cells[1]), int(cells[2]))
        if self.keep_last(self.trees, parse, verdict):
            self.remarks[parse] = (unescape(cells[3]), unescape(cells[4]))

    def decision(self, cells: list[str]) -> None:
        """File a decision under its parse; a higher version replaces all that is known of lower ones."""
        parse, version, state, type_ = int(cells[0]), int(cells[1]), int(cells[2]), int(cells[3])
        self.versions[parse].add(version)
        if type_ == REJECTION and state == -1:
            self.rejections[parse] = max(version, self.rejections.get(parse, version))
        elif is_option(state, type_):
            key = unescape(cells[4]).lower()
            decision = Decision(state, Discriminant(type_, key, int(cells[5] or 0), int(cells[6] or 0)))
            known, decisions = self.decisions.get(parse, (version, []))
            if version > known:
                known, decisions = version, []
            if version == known:
                decisions.append(decision)
            self.decisions[parse] = known, decisions

    def keep_last(self, known: dict[int, _Verdict], parse: int, verdict: _Verdict) -> bool:
        """Remember the verdict of the highest version; of two with one version the later line."""
        self.versions[parse].add(verdict.version)
        is_last = parse not in known or verdict.version >= known[parse].version
        if is_last:
            known[parse] = verdict
        return is_last

    def annotation(self, parse: int, sentence: str, n_parses: int) -> Annotation:
        """What was said of one sentence.

        Chosen is the preferred analysis; of a profile thinned to one result per sentence that one, else one without a
        tree.
        """
        results, preference = self.results.get(parse, {}), self.preferences.get(parse)
        author, comment = self.remarks.get(parse, ("", ""))
        status, chosen = self.status(parse), None
        if status == "accepted" and preference is not None:
            chosen = results.get(preference.value)
        if status == "accepted" and chosen is None:
            none = Analysis(-1 if preference is None else preference.value)
            chosen = next(iter(results.values())) if len(results) == 1 else none
        return Annotation(
            sentence=sentence,
            parse=parse,
            text=self.items.get(sentence, ""),
            n_parses=n_parses or len(results),
            status=status,
            decisions=tuple(self.decisions.get(parse, (0, []))[1]),
            chosen=chosen,
            analyses=tuple(results.values()),
            author=author,
            comment=comment,
            has_trace=any(parse in table for table in (self.trees, self.preferences, self.decisions, self.rejections)),
            versions=tuple(sorted(version for version in self.versions[parse] if version > 0)),
        )

    def status(self, parse: int) -> Status:
        """Accepted, rejected or undecided, by the last version of `tree`, of `preference` and of the rejections.

        t-active is 0 for a rejected sentence, 1 for one analysis left, more for several, -1 for not annotated. A
        preference stays in the file when the sentence is rejected later, so it counts only if no rejection follows it.
        """
        tree, preference = self.trees.get(parse), self.preferences.get(parse)
        rejected = self.rejections.get(parse)
        if tree is not None and tree.value == 0:
            rejected = max(tree.version, tree.version if rejected is None else rejected)
        if preference is not None and (rejected is None or preference.version > rejected):
            is_final = tree is None or tree.value == 1 or preference.version > tree.version
            return "accepted" if is_final else "undecided"
        if rejected is not None and (tree is None or tree.value == 0 or rejected >= tree.version):
            return "rejected"
        return "accepted" if tree is not None and tree.value == 1 else "undecided"


_COLUMNS = {
    "item": ("i-id", "i-input"),
    "parse": ("parse-id", "i-id", "readings"),
    "result": ("parse-id", "result-id", "derivation", "mrs"),
    "preference": ("parse-id", "t-version", "result-id"),
    "tree": ("parse-id", "t-version", "t-active", "t-author", "t-comment"),
    "decision": ("parse-id", "t-version", "d-state", "d-type", "d-key", "d-start", "d-end"),
}


def read_profile(path: str | Path) -> Profile:
    """Read a profile. Missing tables are empty; lines that make no sense are named in `broken` and left out.

    There is one annotation per parsed sentence, in the order of the `parse` table. Without such a table every parse
    that any other table mentions stands for the sentence of the same number.
    """
    tables, rows = Tables(Path(path)), _Rows()
    for name, columns in _COLUMNS.items():
        take = getattr(rows, name)
        for number, cells in tables.rows(name, columns):
            try:
                take(cells)
            except ValueError as error:
                tables.broken.append(f"{tables.place(name, number)}: {error}")
    mentioned = sorted({*rows.trees, *rows.preferences, *rows.decisions, *rows.rejections, *rows.results})
    parses = rows.parses or {parse: (str(parse), len(rows.results.get(parse, ()))) for parse in mentioned}
    found = [rows.annotation(parse, sentence, n) for parse, (sentence, n) in parses.items()]
    annotations = {annotation.sentence: annotation for annotation in found}
    return Profile(path=Path(path), annotations=annotations, broken=tuple(tables.broken))
