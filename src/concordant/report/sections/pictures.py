"""The pictures of a report: those that the data allow, and for the others the reason why not."""

import shlex
from collections.abc import Callable
from functools import partial

from concordant.about import NAME
from concordant.diagnosis.diagnose import QuestionDiagnosis
from concordant.diagnosis.material import Material
from concordant.errors import InputError
from concordant.plots.areas import coincidence, contingency, distribution, entropy, pairs
from concordant.plots.lines import MOST_UNITS, coefficients, scores
from concordant.plots.picture import Picture, short
from concordant.report.document import Block, Paragraph, drawn, typed
from concordant.report.facts import JudgementFacts
from concordant.report.sections import SectionMaker

MOST_QUESTIONS = 6  # with more, only the first ones are drawn
MOST_ATTRIBUTES = 2


def blocks(facts: JudgementFacts) -> list[Block]:
    """Coefficients first, then question by question."""
    source = shlex.join([facts.study.name, *typed(facts.options.selection)])
    told: list[Block] = [drawn("coefficients", source, lambda: coefficients(facts.results))]
    materials = facts.materials
    shown = list(zip(materials, facts.diagnosis.questions, strict=True))[:MOST_QUESTIONS]
    for done, (material, diagnosed) in enumerate(shown):
        facts.progress(done, len(shown))
        told += _question(source, material, diagnosed)
    if len(materials) > len(shown):
        more = f"The pictures show the first {len(shown)} of {len(materials)} questions; {NAME} plot draws any."
        told.append(Paragraph(text=more))
    return told


def _question(source: str, material: Material, diagnosed: QuestionDiagnosis) -> list[Block]:
    """The pictures of one question; those that tell raters apart only if raters can be told apart."""
    of, where = "", ""
    if material.question:
        of = f": {short(material.question, 60)}"
        where = f" --where {shlex.quote(f'question={material.question}')}"

    def refuse() -> Picture:
        raise InputError(diagnosed.consistency.refused or "")

    data, tally, found = material.judgements, material.tally, diagnosed.consistency
    is_pair, is_refused = len(tally.used_raters) == 2, found.refused is not None
    # yes and no of many units do not make lines
    is_line = len(material.scale.categories) != 2 or data.n_units <= MOST_UNITS
    makers: dict[str, tuple[bool, Callable[[], Picture]]] = {
        "distribution": (True, lambda: distribution(tally, f"Categories by rater{of}")),
        "scores": (is_line, lambda: scores(data, f"Scores by unit and rater{of}")),
        "contingency": (is_pair, lambda: contingency(tally, f"Contingency table{of}")),
        "coincidence": (not is_pair or is_refused, lambda: coincidence(data, f"Coincidences of categories{of}")),
        "pairs": (len(found.pairs) != 1, lambda: pairs(found, f"Agreement and correlation of rater pairs{of}")),
    }
    told = []
    for kind, (is_allowed, make) in makers.items():
        if is_allowed:  # coincidences do not ask who judged
            told.append(drawn(kind, f"{source}{where}", refuse if is_refused and kind != "coincidence" else make))
    entropies = diagnosed.entropies
    # boxes of two values would not be drawn at all
    if entropies is not None and len({unit.entropy for unit in entropies.units}) > 2:
        attributes: list[str | None] = [test.attribute for test in entropies.tests[:MOST_ATTRIBUTES]]
        for attribute in attributes or [None]:
            by = f" --by {shlex.quote(attribute)}" if attribute else ""
            picture = partial(entropy, entropies, attribute, f"Entropy of units{of}")
            told.append(drawn("entropy", f"{source}{where}{by}", picture))
    return told


SECTION = SectionMaker(key="pictures", title="Pictures", order=50, of=("judgements",), blocks=blocks)
