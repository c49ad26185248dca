"""[incr tsdb()] profiles: what one annotator did with each sentence of a suite."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from assent.treebank.analyses import Analysis
from assent.treebank.discriminants import REJECTION, Decision, Discriminant, is_option
from assent.treebank.tables import Tables, unescape

Status = Literal["accepted", "rejected", "undecided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One sentence as one annotator left it: accepted with an analysis, rejected, or not (fully) decided."""

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

    @property
    def is_unparsed(self) -> bool:
        """Whether the grammar gave the sentence no analysis, so that there was nothing to annotate."""
        return self.n_parses == 0 and not self.decisions and self.status != "accepted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The annotations of a suite by sentence, and the lines that could not be read."""

    path: Path
    annotations: Mapping[str, Annotation]
    broken: tuple[str, ...] = ()

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
    """The rows of a profile grouped by parse, while it is being read."""

    items: dict[str, str] = field(default_factory=dict)
    parses: dict[int, tuple[str, int]] = field(default_factory=dict)
    results: dict[int, dict[int, Analysis]] = field(default_factory=lambda: defaultdict(dict))
    preferences: dict[int, _Verdict] = field(default_factory=dict)
    trees: dict[int, _Verdict] = field(default_factory=dict)
    remarks: dict[int, tuple[str, str]] = field(default_factory=dict)
    decisions: dict[int, tuple[int, list[Decision]]] = field(default_factory=dict)
    rejections: dict[int, int] = field(default_factory=dict)


def read_profile(path: str | Path) -> Profile:
    """Read a profile. Missing tables are empty; lines that make no sense are named in `broken` and left out."""
    tables, rows = Tables(Path(path)), _Rows()
    for name, columns, take in _PLAN:
        for number, cells in tables.rows(name, columns):
            try:
                take(rows, cells)
            except ValueError as error:
                tables.broken.append(f"{tables.place(name, number)}: {error}")
    return Profile(path=Path(path), annotations=_annotations(rows), broken=tuple(tables.broken))


def _take_item(rows: _Rows, cells: list[str]) -> None:
    rows.items[cells[0]] = unescape(cells[1])


def _take_parse(rows: _Rows, cells: list[str]) -> None:
    rows.parses[int(cells[0])] = (cells[1], max(int(cells[2] or 0), 0))


def _take_result(rows: _Rows, cells: list[str]) -> None:
    result = int(cells[1])
    rows.results[int(cells[0])][result] = Analysis(result, cells[2], cells[3])


def _take_preference(rows: _Rows, cells: list[str]) -> None:
    _keep_last(rows.preferences, int(cells[0]), _Verdict(int(cells[1]), int(cells[2])))


def _take_tree(rows: _Rows, cells: list[str]) -> None:
    parse, verdict = int(cells[0]), _Verdict(int(cells[1]), int(cells[2]))
    if _keep_last(rows.trees, parse, verdict):
        rows.remarks[parse] = (unescape(cells[3]), unescape(cells[4]))


def _keep_last(known: dict[int, _Verdict], parse: int, verdict: _Verdict) -> bool:
    """Remember the verdict of the highest version; of two with one version the later line."""
    is_last = parse not in known or verdict.version >= known[parse].version
    if is_last:
        known[parse] = verdict
    return is_last


def _take_decision(rows: _Rows, cells: list[str]) -> None:
    """File a decision under its parse; a higher version replaces all that is known of lower ones."""
    parse, version, state, type_ = int(cells[0]), int(cells[1]), int(cells[2]), int(cells[3])
    if type_ == REJECTION and state == -1:
        rows.rejections[parse] = max(version, rows.rejections.get(parse, version))
    elif is_option(state, type_):
        key = unescape(cells[4]).lower()
        decision = Decision(state, Discriminant(type_, key, int(cells[5] or 0), int(cells[6] or 0)))
        known, decisions = rows.decisions.get(parse, (version, []))
        if version > known:
            known, decisions = version, []
        if version == known:
            decisions.append(decision)
        rows.decisions[parse] = known, decisions


_PLAN: tuple[tuple[str, tuple[str, ...], Callable[[_Rows, list[str]], None]], ...] = (
    ("item", ("i-id", "i-input"), _take_item),
    ("parse", ("parse-id", "i-id", "readings"), _take_parse),
    ("result", ("parse-id", "result-id", "derivation", "mrs"), _take_result),
    ("preference", ("parse-id", "t-version", "result-id"), _take_preference),
    ("tree", ("parse-id", "t-version", "t-active", "t-author", "t-comment"), _take_tree),
    ("decision", ("parse-id", "t-version", "d-state", "d-type", "d-key", "d-start", "d-end"), _take_decision),
)


def _annotations(rows: _Rows) -> dict[str, Annotation]:
    """One annotation per parsed sentence, in the order of the `parse` table.

    Without a `parse` table every parse that any other table mentions stands for the sentence of the same number.
    """
    mentioned = sorted({*rows.trees, *rows.preferences, *rows.decisions, *rows.rejections, *rows.results})
    parses = rows.parses or {parse: (str(parse), len(rows.results.get(parse, ()))) for parse in mentioned}
    found = (_annotation(rows, parse, sentence, n) for parse, (sentence, n) in parses.items())
    return {annotation.sentence: annotation for annotation in found}


def _annotation(rows: _Rows, parse: int, sentence: str, n_parses: int) -> Annotation:
    results = rows.results.get(parse, {})
    author, comment = rows.remarks.get(parse, ("", ""))
    status = _status(rows, parse)
    return Annotation(
        sentence=sentence,
        parse=parse,
        text=rows.items.get(sentence, ""),
        n_parses=n_parses or len(results),
        status=status,
        decisions=tuple(rows.decisions.get(parse, (0, []))[1]),
        chosen=_chosen(rows.preferences.get(parse), results) if status == "accepted" else None,
        analyses=tuple(results.values()),
        author=author,
        comment=comment,
        has_trace=any(parse in table for table in (rows.trees, rows.preferences, rows.decisions, rows.rejections)),
    )


def _status(rows: _Rows, parse: int) -> Status:
    """Accepted, rejected or undecided, by the last version of `tree`, of `preference` and of the rejections.

    t-active is 0 for a rejected sentence, 1 for one analysis left, more for several, -1 for not annotated. A
    preference stays in the file when the sentence is rejected later, so it counts only if no rejection follows it.
    """
    tree, preference = rows.trees.get(parse), rows.preferences.get(parse)
    rejected = rows.rejections.get(parse)
    if tree is not None and tree.value == 0:
        rejected = max(tree.version, tree.version if rejected is None else rejected)
    if preference is not None and (rejected is None or preference.version > rejected):
        is_final = tree is None or tree.value == 1 or preference.version > tree.version
        return "accepted" if is_final else "undecided"
    if rejected is not None and (tree is None or tree.value == 0 or rejected >= tree.version):
        return "rejected"
    return "accepted" if tree is not None and tree.value == 1 else "undecided"


def _chosen(preference: _Verdict | None, results: Mapping[int, Analysis]) -> Analysis:
    """The preferred analysis; of a profile thinned to one result per sentence that one, else one without a tree."""
    if preference is not None and preference.value in results:
        return results[preference.value]
    if len(results) == 1:
        return next(iter(results.values()))
    return Analysis(-1 if preference is None else preference.value)
