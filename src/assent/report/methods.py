"""The methods paragraph: what a paper must say about its reliability study, ready to be pasted.

It follows the reporting standard of Amidei, Piwek & Willis (2019, section 3). What only the authors can know stands in
square brackets, to be filled in.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from assent import __version__
from assent.diagnosis.findings import named
from assent.diagnosis.material import Material
from assent.measures.benchmarks import BENCHMARKS
from assent.measures.catalogue import find_measure
from assent.measures.explanation import citation
from assent.plots.labels import counted
from assent.report.coefficients import Independence, Statement
from assent.report.document import Paragraph, Points, Section

WORKED: dict[Independence, str] = {
    "independently": "The raters worked independently of each other.",
    "not independently": "The raters did not work independently of each other.",
    "not declared": "[State whether the raters worked independently of each other.]",
}
AMIDEI = (
    "Amidei, J., Piwek, P., & Willis, A. (2019). Agreement is overrated: A plea for correlation to assess human "
    "evaluation reliability. Proceedings of the 12th International Conference on Natural Language Generation, 344-354."
)


def methods_section(materials: Sequence[Material], statements: Sequence[Statement]) -> Section:
    """One paragraph about the data, one for each question's coefficients, one about the computation."""
    texts = [_data(materials, statements[0].independence if statements else "not declared")]
    for question, group in groupby(statements, key=lambda one: one.result.question):
        texts.append(_question(question, list(group)))
    texts.append(_computation(statements))
    return Section(key="methods", title="Methods paragraph", blocks=tuple(Paragraph(text=text) for text in texts))


def _data(materials: Sequence[Material], independence: Independence) -> str:
    """Raters, units, questions, scales, independence."""
    raters = {name for material in materials for name in material.tally.used_raters}
    units = {name for material in materials for name in material.units}
    judgements = sum(material.judgements.n_judgements for material in materials)
    asked = f" on {counted(len(materials), 'question')}" if len(materials) > 1 else ""
    scales = "; ".join(_scale(material) for material in materials)
    return (
        f"{counted(len(raters), 'rater')} judged {counted(len(units), 'unit')}{asked} "
        f"({counted(judgements, 'judgement')}). {scales}. {WORKED[independence]}"
    ).replace("1 raters", "1 rater")


def _scale(material: Material) -> str:
    """The level of measurement and the categories of a question."""
    scale = material.scale
    what = (
        "any number"
        if scale.is_continuous
        else f"{counted(len(scale.categories), 'category')}: {named(scale.categories, 12)}"
    )
    asked = f"{material.question}: " if material.question else "Judgements were on "
    level = f"{scale.level.value} scale ({what})"
    article = "an" if scale.level.value[0] in "aeiou" else "a"
    return f"{asked}{article} {level}"


def _question(question: str | None, statements: Sequence[Statement]) -> str:
    """The coefficients of a question: the usual n once, then values with intervals, readings and any other n."""
    usual = Counter(_based(one) for one in statements).most_common(1)[0][0]
    told = "; ".join(_coefficient(one, usual) for one in statements)
    return f"{question} ({usual}): {told}." if question else f"{told} ({usual})."


def _based(one: Statement) -> str:
    """What the value rests on."""
    return f"n = {counted(one.result.n_units, 'unit')}, {counted(one.result.n_raters, 'rater')}"


def _coefficient(one: Statement, usual: str) -> str:
    """Name, value, interval, reading, and what it rests on if that is not the usual."""
    result = one.result
    based = "" if _based(one) == usual else f" ({_based(one)})"
    if result.value is None:
        return f"{result.name} is undefined because {result.reason}{based}"
    ends = "" if result.interval is None else f" [{result.interval.low:.3f}, {result.interval.high:.3f}]"
    found = result.interpret()
    read = "" if found is None else f", read as {found.label} on the scale of {found.benchmark}"
    return f"{result.name} = {result.value:.3f}{ends}{based}{read}"


def _intervals(statements: Sequence[Statement]) -> str:
    """What the brackets hold."""
    found = [one.result.interval for one in statements if one.result.interval is not None]
    kinds = dict.fromkeys(f"{100 * interval.level:g} % intervals ({interval.method})" for interval in found)
    return f"Square brackets hold {' or '.join(kinds)}. " if kinds else "No intervals were computed. "


def _computation(statements: Sequence[Statement]) -> str:
    """The program and where the signatures are."""
    unsuited = sorted({one.result.name for one in statements if one.cautions})
    warned = (
        f" {named(unsuited, 12)} {'do' if len(unsuited) > 1 else 'does'} not suit the level of measurement."
        if unsuited
        else ""
    )
    return (
        f"{_intervals(statements)}All values were computed with assent {__version__}; the signatures in the section on "
        f"coefficients name the data, the options and the seed of each, so that it can be computed again."
        f"{warned}"
    )


def references_section(statements: Sequence[Statement]) -> Section:
    """The sources of the coefficients, of the scales that read them, and of the reporting standard."""
    keys = {key for one in statements for key in find_measure(one.result.measure).cite}
    read = {found.benchmark for one in statements if (found := one.result.interpret()) is not None}
    scales = {scale.citation for scale in BENCHMARKS.values() if scale.name in read}
    sources = {citation(key) for key in keys} | scales | {AMIDEI}
    return Section(key="references", title="References", blocks=(Points(items=tuple(sorted(sources))),))
