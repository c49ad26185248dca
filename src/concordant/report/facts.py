"""What may be chosen about a report, and the facts that its sections tell: of judgements, of spans, of two treebanks.

Measure, diagnose, hand the facts to the sections, and write the document in the format that the path's ending names.
The report of treebanks has all that the adjudicator needs (Castro 2011, chapter 6).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path, PurePath
from typing import Any, ClassVar, Literal, TypeVar

from concordant.about import NAME, VERSION
from concordant.diagnosis.diagnose import Diagnosis, diagnose
from concordant.diagnosis.material import Material, materials
from concordant.digits import counted
from concordant.engines.tally import Tally
from concordant.errors import InputError, nearest
from concordant.files import written_whole
from concordant.judging.judge import judges
from concordant.judging.results import Judging
from concordant.measures.catalogue import find_measure, measures_of
from concordant.measures.gamma import GammaOptions, options
from concordant.measures.kappas import kappa
from concordant.measures.result import Agreement
from concordant.measures.treebanks import edm, y_option
from concordant.model.continuum import Continuum, continua
from concordant.model.judgements import Judgements
from concordant.model.scale import Level
from concordant.model.spans import SpanTable
from concordant.model.study import Groups, Study, groups_by_attribute
from concordant.progress import Progress, silent
from concordant.readers.data import as_data, as_study
from concordant.report.document import Document, Notice
from concordant.report.formats import format_for
from concordant.report.rulings import Ruled, read_rulings, ruled
from concordant.report.sections import sections_of
from concordant.treebank.comparison import Change, Comparison, changes
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.request import Ci
from concordant.uncertainty.studies import is_interrupted, measure_study
from concordant.uncertainty.suitability import recommended

Independence = Literal["independently", "not independently", "not declared"]
WORKED: dict[Independence, str] = {
    "independently": "The raters worked independently of each other.",
    "not independently": "The raters did not work independently of each other.",
    "not declared": "[State whether the raters worked independently of each other.]",
}


@dataclass(frozen=True, kw_only=True)
class RaterReport:
    """What reports of judgements and of spans share; `independent` is None when nobody said whether raters were."""

    measure: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    independent: bool | None = None
    confidence: float = 0.95
    seed: int = 1
    title: str | None = None
    read_on: tuple[str, ...] = ()
    selection: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """One measure, attribute or scale may be given as it is."""
        for name in ("measure", "by", "read_on"):
            given = getattr(self, name)
            object.__setattr__(self, name, (given,) if isinstance(given, str) else tuple(given))

    @property
    def independence(self) -> Independence:
        """What the report says about it."""
        if self.independent is None:
            return "not declared"
        return "independently" if self.independent else "not independently"


@dataclass(frozen=True, kw_only=True)
class JudgementReport(RaterReport):
    """What may be chosen; `group` names groups of raters as `diagnose` takes them, `treebankers` are results on parses.

    `experts` are judgements of the same units by others, to compare the two consensuses; `beside` those of people and
    models together, where models judged too.
    """

    group: Groups | str | Sequence[str] | None = None
    trust_raters: bool = False
    ci: Ci = "auto"
    resamples: int = 2000
    cluster: str | None = None
    experts: Study | None = None
    beside: Study | None = None
    treebankers: Sequence[Agreement] = ()


@dataclass(frozen=True, kw_only=True)
class SpanReport(RaterReport):
    """What may be chosen about a report of spans. `gamma` holds options of Gamma by name (variant, sampler, alpha …).

    `by` and `features` make texts from a table of spans; texts that are made already have theirs. `name`, `notes` and
    `selection` say where the spans are from.
    """

    features: tuple[str, ...] = ()
    gamma: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TreebankReport:
    """What may be chosen about a report of two treebanks; 0 `resamples` for no intervals.

    `adjudicated` is an earlier report as a workbook, in which an adjudicator wrote decisions and comments.
    """

    title: str | None = None
    resamples: int = 2000
    seed: int = 1
    date: str = ""
    adjudicated: str | Path | None = None


Kind = TypeVar("Kind", JudgementReport, SpanReport, TreebankReport)
OF_INTERVAL = ("ci", "confidence", "resamples", "cluster")
MOST_GROUPS = 6  # groups of raters that are compared without being asked for


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One coefficient with all that must be said about it."""

    result: Agreement
    level: Level
    independence: Independence
    cautions: tuple[str, ...]

    def __post_init__(self) -> None:
        """A coefficient whose computation cannot be traced is not reported."""
        if not self.result.signature:
            raise ValueError(f"{self.result.name} has no signature")


def state(result: Agreement, data: Tally, independence: Independence) -> Statement:
    """Add to a result what it does not know itself."""
    cautions = tuple(find_measure(result.measure).needs.cautions(data))
    return Statement(result=result, level=data.scale.level, independence=independence, cautions=cautions)


@dataclass(frozen=True, kw_only=True)
class JudgementFacts:
    """All that a report of judgements tells."""

    kind: ClassVar[str] = "judgements"
    study: Study
    options: JudgementReport
    materials: Sequence[Material]
    diagnosis: Diagnosis
    statements: Sequence[Statement]
    notices: Sequence[Notice] = ()
    progress: Progress = silent

    @property
    def results(self) -> list[Agreement]:
        """The coefficients."""
        return [one.result for one in self.statements]

    @cached_property
    def judging(self) -> Judging | None:
        """The models beside the people; None where no model judged."""
        chosen, together = self.options, self.options.beside
        if together is None:
            return None
        by = [name for name in chosen.by if name in together.attribute_of("unit")]
        return judges(together, by=by, cluster=chosen.cluster, seed=chosen.seed, read=chosen.selection)


def report_judgements(study: Study, options: JudgementReport, progress: Progress = silent) -> Document:
    """The whole report; a section that cannot be made says why in its place."""
    for key in options.measure:
        find_measure(key)
    parts = list(materials(study))
    diagnosis = diagnose(
        study,
        trust_raters=options.trust_raters,
        by=options.by or None,
        group=options.group or few_groups(study),
        seed=options.seed,
        interval={name: getattr(options, name) for name in OF_INTERVAL},
        read_on=options.read_on,
    )
    results, notices = _measured(study, parts, diagnosis, options, progress)
    by_question = {part.question: part.tally for part in parts}
    only = parts[0].tally if len(parts) == 1 else None
    facts = JudgementFacts(
        study=study,
        options=options,
        materials=parts,
        diagnosis=diagnosis,
        statements=[state(result, only or by_question[result.question], options.independence) for result in results],
        notices=notices,
        progress=progress,
    )
    n = sum(part.judgements.n_judgements for part in parts)
    return Document(
        title=options.title or f"Reliability report: {PurePath(study.name).name}",
        subtitle=f"{counted(n, 'judgement')} of {counted(len(study.unit.labels), 'unit')} by "
        f"{counted(len(study.raters), 'rater')}; {NAME} {VERSION}",
        sections=sections_of(facts),
    )


def few_groups(study: Study) -> dict[str, tuple[str, ...]] | None:
    """The groups of raters by the first attribute that sorts them into a few, such as native and other speakers."""
    for name in study.attribute_of("rater"):
        groups = groups_by_attribute(study, name)
        if 2 <= len(groups) <= MOST_GROUPS and max(map(len, groups.values())) > 1:
            return groups
    return None


def _measured(
    study: Study, parts: Sequence[Material], diagnosis: Diagnosis, options: JudgementReport, progress: Progress
) -> tuple[list[Agreement], list[Notice]]:
    """The coefficients asked for or recommended; those that need to know who is who only where that can be trusted."""
    keys, notices = options.measure, []
    if diagnosis.refused is not None:
        wanted = keys or tuple(dict.fromkeys(key for part in parts for key in recommended(part.tally)))
        keys = tuple(key for key in wanted if find_measure(key).view == "counts")
        names = ", ".join(find_measure(key).name for key in wanted if key not in keys)
        notices = [Notice(tone="warning", text=f"Not reported: {names}. {diagnosis.refused}")] if names else []
        if not keys:
            return [], notices
    how = {name: getattr(options, name) for name in (*OF_INTERVAL, "selection", "seed", "read_on")}
    return measure_study(study, keys, progress=progress, **how), notices


@dataclass(frozen=True, kw_only=True)
class SpanFacts:
    """All that a report of spans tells."""

    kind: ClassVar[str] = "spans"
    texts: Sequence[Continuum]
    options: SpanReport
    gamma: GammaOptions
    results: Sequence[Agreement] = ()

    @property
    def raters(self) -> list[str]:
        """All raters by name."""
        return sorted({name for text in self.texts for name in text.raters})


def report_spans(
    data: SpanTable | Continuum | Sequence[Continuum], chosen: SpanReport, progress: Progress = silent
) -> Document:
    """The whole report of spans."""
    known = measures_of("spans")
    for key in chosen.measure:
        if key not in known:
            raise InputError(f"{key} does not measure spans", hint=nearest(key, known))
    if isinstance(data, SpanTable):
        texts = continua(data, by=chosen.by, features=chosen.features)
        chosen = replace(chosen, name=chosen.name or data.name, notes=(*data.notes, *chosen.notes))
    else:
        texts = [data] if isinstance(data, Continuum) else list(data)
    if not texts:
        raise InputError("there are no spans to report", file=chosen.name or None)
    how: dict[str, Any] = {"seed": chosen.seed, "confidence": chosen.confidence}
    gamma = options(**how | dict(chosen.gamma))
    told: dict[str, Any] = {"selection": chosen.selection, "read_on": chosen.read_on}
    results = measure_study(texts, chosen.measure, progress=progress, **told, **how, **chosen.gamma)
    if is_interrupted(results):
        raise KeyboardInterrupt
    facts = SpanFacts(texts=texts, options=chosen, gamma=gamma, results=results)
    return Document(
        title=chosen.title or f"Reliability report: {PurePath(chosen.name).name or 'spans'}",
        subtitle=f"{counted(sum(text.n_units for text in texts), 'span')} in {counted(len(texts), 'annotated text')} "
        f"by {counted(len(facts.raters), 'rater')}; {NAME} {VERSION}",
        sections=sections_of(facts),
    )


@dataclass(frozen=True, kw_only=True)
class TreebankFacts:
    """A comparison with its coefficients and what changed since an earlier version: all that is told."""

    kind: ClassVar[str] = "treebanks"
    comparison: Comparison
    results: Sequence[Agreement]
    changes: Sequence[Change] = ()
    before: Agreement | None = None
    date: str = ""
    rulings: tuple[Ruled, ...] | None = None


def report_treebanks(comparison: Comparison, options: TreebankReport, before: Comparison | None = None) -> Document:
    """The whole report; `before` is the comparison of an earlier version of the same treebanks."""
    return treebank_document(treebank_facts(comparison, options, before), options.title)


def treebank_facts(comparison: Comparison, options: TreebankReport, before: Comparison | None = None) -> TreebankFacts:
    """Measure, and find out what changed.

    Y-Option Kappa comes first, then the kappa of accepting or rejecting, then the tree measures where both chose an
    analysis. Intervals are made by draws of all sentences with replacement, if at all.
    """
    book = options.adjudicated  # read first, since a mistake in it would cost the wait
    rulings = None if book is None else tuple(ruled(read_rulings(book), comparison))
    n = options.resamples
    estimate = partial(measure, ci="auto" if n else "none", resamples=max(n, 1), seed=options.seed)
    keys = [key for key in measures_of(comparison.kind) if key != edm.key or comparison.has_edm]
    decided, *on_trees = (estimate(comparison, key) for key in keys)
    verdicts, names = comparison.verdicts(), ("accepted", "rejected")
    counts = [[verdicts[a, b] for b in names] for a in names]
    judged = Judgements.from_contingency(counts, names, raters=(comparison.a, comparison.b), level="nominal")
    accepted = estimate(judged, kappa.key).with_(name="Cohen's kappa of accepting or rejecting")
    return TreebankFacts(
        comparison=comparison,
        results=(decided, accepted, *on_trees),
        changes=() if before is None else tuple(changes(before, comparison)),
        before=None if before is None else measure(before, y_option.key, ci="none"),
        date=options.date or f"{datetime.now():%Y-%m-%d %H:%M}",
        rulings=rulings,
    )


def treebank_document(facts: TreebankFacts, title: str | None = None) -> Document:
    """The facts as a document."""
    found = facts.comparison
    return Document(
        title=title or f"Agreement between {found.a} and {found.b}",
        subtitle=f"{NAME} {VERSION}, {facts.date}. Reading: {found.reading}; expected agreement: {found.expected}.",
        sections=sections_of(facts),
    )


def front_figures(comparison: Comparison) -> list[tuple[str, int]]:
    """The counts on the front sheet (Figure 6.3)."""
    return [
        ("Parsed sentences", len(comparison.sentences) + len(comparison.lost)),
        ("Sentences accepted by at least one", sum(given_by(comparison, "accepted"))),
        ("Sentences rejected by at least one", sum(given_by(comparison, "rejected"))),
        ("Divergent sentences", len(comparison.divergent)),
        ("Lost sentences", len(comparison.lost)),
    ]


def given_by(comparison: Comparison, status: str) -> tuple[int, int, int]:
    """How many sentences got a status only from A, only from B, from both."""
    rows = [(row.a.status == status, row.b.status == status) for row in comparison.sentences]
    return rows.count((True, False)), rows.count((False, True)), rows.count((True, True))


def write_report(
    data: Any,
    path: str | Path | None = None,
    *,
    progress: Progress = silent,
    before: Comparison | None = None,
    **options: Any,
) -> Document:
    """The report of data in any form; with a `path` it is written there: HTML, XLSX, LaTeX or Markdown by the ending.

    `options` are the fields of `JudgementReport` (measure, by, independent, seed …), for spans those of `SpanReport`,
    for the comparison of two treebanks those of `TreebankReport`; `before` is an earlier comparison of the same two.
    All others say how to read the data.
    """
    write = None if path is None else format_for(path).write
    ours = {one.name for kind in (JudgementReport, SpanReport, TreebankReport) for one in fields(kind)}
    reading = {name: options.pop(name) for name in list(options) if name not in ours}
    read = as_data(data, **reading)
    if before is not None and not isinstance(read, Comparison):
        raise InputError("only treebanks are compared with an earlier version")
    texts = read if isinstance(read, list | tuple) else [read]
    if isinstance(read, Comparison):
        document = report_treebanks(read, _chosen(TreebankReport, options), before)
    elif all(isinstance(text, SpanTable | Continuum) for text in texts):
        document = report_spans(read, _chosen(SpanReport, options), progress)
    else:
        others = {name: as_study(options[name]) for name in ("experts", "beside") if options.get(name) is not None}
        if "beside" not in others and isinstance(read, Study) and read.models:
            whole = read if isinstance(data, Study) else as_study(data, **{**reading, "kind": "all"})
            others |= {"beside": whole} if whole.is_judged_by_both else {}
        document = report_judgements(as_study(read), _chosen(JudgementReport, {**options, **others}), progress)
    if write is not None and path is not None:
        with written_whole(path) as beside:
            write(document, beside)
    return document


def _chosen(kind: type[Kind], options: dict[str, Any]) -> Kind:
    """The choices about a report; one that reports of this kind do not have is refused with those they have."""
    known = [one.name for one in fields(kind)]
    for name in options:
        if name not in known:
            raise InputError(f"a report of these data has no option {name!r}", hint=f"it has {', '.join(known)}")
    return kind(**options)
