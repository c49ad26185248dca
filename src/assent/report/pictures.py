"""The pictures of a report: those that the data allow, and for the others the reason why not."""

import shlex
from collections.abc import Callable, Mapping, Sequence

from assent.diagnosis.diagnose import QuestionDiagnosis
from assent.diagnosis.material import Material
from assent.errors import AssentError, InputError
from assent.measures.result import Agreement
from assent.plots.coefficients import coefficients
from assent.plots.contingency import coincidence, contingency
from assent.plots.distribution import distribution
from assent.plots.entropy import entropy
from assent.plots.labels import short
from assent.plots.pairs import pairs
from assent.plots.picture import Picture
from assent.plots.scores import MOST_UNITS, scores
from assent.progress import Progress, silent
from assent.report.document import Block, Drawing, Notice, Paragraph, Section

MOST_QUESTIONS = 6  # with more, only the first ones are drawn
MOST_ATTRIBUTES = 2


def pictures_section(
    source: str,
    materials: Sequence[Material],
    questions: Sequence[QuestionDiagnosis],
    results: Sequence[Agreement],
    progress: Progress = silent,
) -> Section:
    """Coefficients first, then question by question."""
    blocks: list[Block] = [drawn("coefficients", f"assent plot coefficients {source}", lambda: coefficients(results))]
    shown = list(zip(materials, questions, strict=True))[:MOST_QUESTIONS]
    for done, (material, diagnosed) in enumerate(shown):
        progress(done, len(shown))
        blocks += _question(source, material, diagnosed)
    if len(materials) > len(shown):
        blocks.append(
            Paragraph(
                text=f"The pictures show the first {len(shown)} of {len(materials)} questions; assent plot draws any."
            )
        )
    return Section(key="pictures", title="Pictures", blocks=tuple(blocks))


def command_line(source: str, selection: Mapping[str, str]) -> str:
    """DATA and the options with which it was read, as they are typed.

    >>> command_line("my data.csv", {"level": "ordinal", "only": "A,B"})
    "'my data.csv' --level ordinal --raters A,B"
    """
    names = {"only": "raters"}
    given = [part for name, value in selection.items() for part in (f"--{names.get(name, name)}", value)]
    return shlex.join([source, *given])


def _question(source: str, material: Material, diagnosed: QuestionDiagnosis) -> list[Block]:
    """The pictures of one question; those that tell raters apart only if raters can be told apart."""
    of = f": {short(material.question, 60)}" if material.question else ""
    where = f" --where {shlex.quote(f'question={material.question}')}" if material.question else ""
    makers: dict[str, Callable[[], Picture]] = {
        "distribution": lambda: distribution(material.tally, f"Categories by rater{of}"),
        **_lines(material, of),
        **_tables(material, of),
        **_pairs(diagnosed, of),
    }
    if diagnosed.consistency.refused is not None:
        makers = {kind: _refusal(diagnosed.consistency.refused) for kind in makers} | _coincidence(material, of)
    blocks: list[Block] = [drawn(k, f"assent plot {k} {source}{where}", make) for k, make in makers.items()]
    return blocks + [
        _entropy(diagnosed, name, of, f"assent plot entropy {source}{where}") for name in _attributes(diagnosed)
    ]


def _lines(material: Material, of: str) -> dict[str, Callable[[], Picture]]:
    """Score lines, where they say something: yes and no of many units do not make lines."""
    if len(material.scale.categories) == 2 and material.judgements.n_units > MOST_UNITS:
        return {}
    return {"scores": lambda: scores(material.judgements, f"Scores by unit and rater{of}")}


def _pairs(diagnosed: QuestionDiagnosis, of: str) -> dict[str, Callable[[], Picture]]:
    """The pair matrix, if there is more than one pair."""
    if len(diagnosed.consistency.pairs) == 1:
        return {}
    return {"pairs": lambda: pairs(diagnosed.consistency, f"Agreement and correlation of rater pairs{of}")}


def _tables(material: Material, of: str) -> dict[str, Callable[[], Picture]]:
    """The contingency table of two raters, the coincidences of more."""
    if len(material.tally.used_raters) == 2:
        return {"contingency": lambda: contingency(material.tally, f"Contingency table{of}")}
    return _coincidence(material, of)


def _coincidence(material: Material, of: str) -> dict[str, Callable[[], Picture]]:
    """The coincidences of categories, which do not ask who judged."""
    return {"coincidence": lambda: coincidence(material.judgements, f"Coincidences of categories{of}")}


def _refusal(why: str) -> Callable[[], Picture]:
    """A maker that says why there is no picture."""

    def make() -> Picture:
        raise InputError(why)

    return make


def _attributes(diagnosed: QuestionDiagnosis) -> list[str | None]:
    """What entropy is drawn by: the first attributes, or nothing; boxes of two values would not be drawn at all."""
    if diagnosed.entropies is None or len({unit.entropy for unit in diagnosed.entropies.units}) <= 2:
        return []
    tests = diagnosed.entropies.tests
    return [test.attribute for test in tests[:MOST_ATTRIBUTES]] or [None]


def _entropy(diagnosed: QuestionDiagnosis, attribute: str | None, of: str, command: str) -> Block:
    """Box plots of entropy."""
    by = f" --by {shlex.quote(attribute)}" if attribute else ""
    found = diagnosed.entropies
    return drawn("entropy", f"{command}{by}", lambda: entropy(found, attribute, f"Entropy of units{of}"))


def drawn(kind: str, command: str, make: Callable[[], Picture]) -> Block:
    """The picture, or why there is none, in its place."""
    try:
        return Drawing(picture=make(), command=f"{command} -o {kind}.svg")
    except AssentError as error:
        return Notice(tone="note", text=f"There is no picture of the kind {kind}: {error}")
