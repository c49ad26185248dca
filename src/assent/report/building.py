"""Build a report: measure, diagnose, draw, and put it all into sections. No format is known here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from assent import __version__
from assent.diagnosis.diagnose import Diagnosis, diagnose
from assent.diagnosis.material import Material, materials
from assent.errors import AssentError
from assent.measures.catalogue import find_measure
from assent.measures.result import Agreement
from assent.model.groups import groups_by_attribute
from assent.model.study import Study
from assent.plots.labels import counted
from assent.progress import Progress, silent
from assent.report.coefficients import Independence, Statement, coefficients_section, state
from assent.report.document import Document, Notice, Section
from assent.report.findings import findings_section
from assent.report.glance import glance_section
from assent.report.methods import methods_section, references_section
from assent.report.pictures import command_line, pictures_section
from assent.report.slices import slices_section
from assent.uncertainty.request import Ci
from assent.uncertainty.studies import measure_study
from assent.uncertainty.suitability import recommended

MOST_GROUPS = 6  # groups of raters that are compared without being asked for


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What the user chose; `independent` is None when nobody said whether raters worked independently."""

    measures: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    independent: bool | None = None
    trust_raters: bool = False
    ci: Ci = "bootstrap"
    confidence: float = 0.95
    resamples: int = 2000
    seed: int = 1
    title: str | None = None
    selection: Mapping[str, str] = field(default_factory=dict)

    @property
    def independence(self) -> Independence:
        """What the report says about it."""
        if self.independent is None:
            return "not declared"
        return "independently" if self.independent else "not independently"


def build(study: Study, choices: Choices, progress: Progress = silent) -> Document:
    """The whole report; a section that cannot be made says why in its place."""
    for key in choices.measures:
        find_measure(key)
    parts = list(materials(study))
    diagnosis = diagnose(
        study,
        trust_raters=choices.trust_raters,
        by=choices.by or None,
        groups=rater_groups(study),
        seed=choices.seed,
    )
    results, left_out = _measured(study, parts, diagnosis, choices, progress)
    statements = _stated(results, parts, choices.independence)
    sections = (
        glance_section(study, parts, choices.independence),
        _with(coefficients_section(statements), left_out),
        _attempt("slices", "Slices", lambda: slices_section(diagnosis.slices)),
        findings_section(diagnosis),
        pictures_section(command_line(study.name, choices.selection), parts, diagnosis.questions, results, progress),
        methods_section(parts, statements),
        references_section(statements),
    )
    return Document(
        title=choices.title or f"Reliability report: {PurePath(study.name).name}",
        subtitle=_subtitle(study, parts),
        sections=sections,
    )


def rater_groups(study: Study) -> dict[str, tuple[str, ...]] | None:
    """The groups of raters by the first attribute that sorts them into a few, such as native and other speakers."""
    for name in study.attribute_of("rater"):
        groups = groups_by_attribute(study, name)
        if 2 <= len(groups) <= MOST_GROUPS and max(map(len, groups.values())) > 1:
            return groups
    return None


def _subtitle(study: Study, parts: Sequence[Material]) -> str:
    """The size of the study and the program in a line."""
    n = sum(part.judgements.n_judgements for part in parts)
    return (
        f"{counted(n, 'judgement')} of {counted(len(study.unit.labels), 'unit')} by "
        f"{counted(len(study.raters), 'rater')}; assent {__version__}"
    )


def _measured(
    study: Study, parts: Sequence[Material], diagnosis: Diagnosis, choices: Choices, progress: Progress
) -> tuple[list[Agreement], list[Notice]]:
    """The coefficients asked for or recommended; those that need to know who is who only where that can be trusted."""
    keys, notices = choices.measures, []
    if diagnosis.refused is not None:
        wanted = keys or tuple(dict.fromkeys(key for part in parts for key in recommended(part.tally)))
        keys = tuple(key for key in wanted if find_measure(key).view == "counts")
        names = ", ".join(find_measure(key).name for key in wanted if key not in keys)
        notices = [Notice(tone="warning", text=f"Not reported: {names}. {diagnosis.refused}")] if names else []
        if not keys:
            return [], notices
    results = measure_study(
        study,
        keys,
        selection=choices.selection,
        progress=progress,
        ci=choices.ci,
        confidence=choices.confidence,
        resamples=choices.resamples,
        seed=choices.seed,
    )
    return results, notices


def _stated(results: Sequence[Agreement], parts: Sequence[Material], independence: Independence) -> list[Statement]:
    """Each result with its question's scale."""
    by_question = {part.question: part.tally for part in parts}
    only = parts[0].tally if len(parts) == 1 else None
    return [state(result, only or by_question[result.question], independence) for result in results]


def _with(section: Section, notices: Sequence[Notice]) -> Section:
    """The section with notices on top."""
    return Section(key=section.key, title=section.title, blocks=(*notices, *section.blocks))


def _attempt(key: str, title: str, make: Callable[[], Section]) -> Section:
    """The section, or why it cannot be made, in its place."""
    try:
        return make()
    except AssentError as error:
        return Section(key=key, title=title, blocks=(Notice(tone="note", text=f"This section is empty: {error}"),))
