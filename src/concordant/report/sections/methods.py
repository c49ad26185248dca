"""The methods paragraph: what a paper must say about its reliability study, ready to be pasted.

It follows the reporting standard of Amidei, Piwek & Willis (2019, section 3). What only the authors can know stands in
square brackets, to be filled in.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from concordant.about import NAME, VERSION
from concordant.diagnosis.findings import named
from concordant.digits import brief, counted, decimal, ends, level
from concordant.errors import ConcordantError
from concordant.measures.result import Agreement
from concordant.report.document import Block, Paragraph
from concordant.report.facts import WORKED, JudgementFacts, SpanFacts
from concordant.report.judged import methods_text
from concordant.report.sections import SectionMaker


def blocks(facts: JudgementFacts | SpanFacts) -> list[Block]:
    """The paragraphs of a report of judgements or of spans."""
    texts = paragraphs_of_spans(facts) if isinstance(facts, SpanFacts) else paragraphs_of_judgements(facts)
    return [Paragraph(text=text) for text in texts]


def paragraphs_of_judgements(facts: JudgementFacts) -> list[str]:
    """The data, each question's coefficients, the computation and where the signatures are."""
    intervals = [result.interval for result in facts.results if result.interval is not None]
    kinds = dict.fromkeys(f"{level(interval.level)} intervals ({interval.method})" for interval in intervals)
    held = f"Square brackets hold {' or '.join(kinds)}. " if kinds else "No intervals were computed. "
    unsuited = sorted({one.result.name for one in facts.statements if one.cautions})
    verb = "do" if len(unsuited) > 1 else "does"
    warned = f" {named(unsuited, 12)} {verb} not suit the level of measurement." if unsuited else ""
    computed = (
        f"{held}All values were computed with {NAME} {VERSION}; the signatures in the section on "
        f"coefficients name the data, the options and the seed of each, so that it can be computed again."
        f"{warned}"
    )
    grouped = groupby(facts.results, key=lambda result: result.question)
    asked = [_question(question, list(group)) for question, group in grouped]
    return [_judged(facts), *asked, *_models(facts), computed]


def _models(facts: JudgementFacts) -> list[str]:
    """What was done with models; nothing where there are none, or where their section says why it is empty."""
    try:
        found = facts.judging
    except ConcordantError:
        return []
    return [] if found is None else [methods_text(found)]


def _judged(facts: JudgementFacts) -> str:
    """Raters, units, questions, scales, independence."""
    materials = facts.materials
    raters = {name for material in materials for name in material.tally.used_raters}
    units = {name for material in materials for name in material.units}
    judgements = sum(material.judgements.n_judgements for material in materials)
    asked = f" on {counted(len(materials), 'question')}" if len(materials) > 1 else ""
    scales = []
    for material in materials:
        scale, what = material.scale, "any number"
        if not scale.is_continuous:
            what = f"{counted(len(scale.categories), 'category')}: {named(scale.categories, 12)}"
        about = f"{material.question}: " if material.question else "Judgements were on "
        article = "an" if scale.level.value[0] in "aeiou" else "a"
        scales.append(f"{about}{article} {scale.level.value} scale ({what})")
    independence = facts.options.independence if facts.statements else "not declared"
    return (
        f"{counted(len(raters), 'rater')} judged {counted(len(units), 'unit')}{asked} "
        f"({counted(judgements, 'judgement')}). {'; '.join(scales)}. {WORKED[independence]}"
    )


def _question(question: str | None, results: Sequence[Agreement]) -> str:
    """The coefficients of a question: the usual n once, then values with intervals, readings and any other n."""
    based = [f"n = {counted(r.n_units, 'unit')}, {counted(r.n_raters, 'rater')}" for r in results]
    usual = Counter(based).most_common(1)[0][0]
    told = []
    for result, own in zip(results, based, strict=True):
        other = "" if own == usual else f" ({own})"
        if result.value is None:
            told.append(f"{result.name} is undefined because {result.reason}{other}")
            continue
        interval = f" [{ends(result.interval, ', ')}]" if result.interval is not None else ""
        found = [f"{one.label} on the scale of {one.benchmark}" for one in result.readings()]
        read = f", read as {' and '.join(found)}" if found else ""
        told.append(f"{result.name} = {decimal(result.value)}{interval}{other}{read}")
    return f"{question} ({usual}): {'; '.join(told)}." if question else f"{'; '.join(told)} ({usual})."


def paragraphs_of_spans(facts: SpanFacts) -> list[str]:
    """What a paper must say: the data, the measures, the conventions and the computation."""
    texts = facts.texts
    names = ", ".join(dict.fromkeys(result.name for result in facts.results))
    used = facts.gamma
    until = f"at least {used.samples} samples"
    if used.precision is not None:
        until += f" and as many as bring the expected disorder within {brief(used.precision, 2)} of its value"
    alone = " Units left alone count against gamma-cat." if used.charge_unaligned else ""
    return [
        f"{counted(len(facts.raters), 'rater')} marked {counted(sum(text.n_units for text in texts), 'span')} in "
        f"{counted(len(texts), 'annotated text')} with {counted(len(texts[0].categories), 'category')}. "
        f"{WORKED[facts.options.independence]}",
        f"Agreement was measured by {names}. Gamma follows the variant {used.variant}: alpha = {brief(used.alpha)}, "
        f"beta = {brief(used.beta)}, delta_empty = {brief(used.delta_empty)}, positions {used.positional}, "
        f"dissimilarity of categories: {used.matrix}. The best alignment is the true optimum. Chance was sampled by "
        f"the sampler {used.sampler}, {until}, seed {used.seed}; intervals ({level(used.confidence)}) say how exactly "
        f"these samples fix gamma.{alone}",
        f"All values were computed with {NAME} {VERSION}; the signatures in the section on agreement name the "
        f"data, the conventions and the seed of each, so that it can be computed again with {NAME} verify.",
    ]


SECTION = SectionMaker(
    key="methods", title="Methods paragraph", order=80, of=("judgements", "spans"), blocks=blocks, is_first=True
)
