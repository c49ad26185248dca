"""The sources of the coefficients, of the scales that read them, and of the reporting standard."""

from concordant.measures.benchmarks import BENCHMARKS
from concordant.measures.catalogue import citation, find_measure
from concordant.report.document import Block, Points
from concordant.report.facts import JudgementFacts, SpanFacts
from concordant.report.sections import SectionMaker

AMIDEI = (
    "Amidei, J., Piwek, P., & Willis, A. (2019). Agreement is overrated: A plea for correlation to assess human "
    "evaluation reliability. Proceedings of the 12th International Conference on Natural Language Generation, 344-354."
)
CALDERON = (
    "Calderon, N., Reichart, R., & Dror, R. (2025). The alternative annotator test for LLM-as-a-judge: How to "
    "statistically justify replacing human annotators with LLMs. Proceedings of the 63rd Annual Meeting of the "
    "Association for Computational Linguistics, 16051-16081."
)


def blocks(facts: JudgementFacts | SpanFacts) -> list[Block]:
    """The list, in the order of the authors."""
    keys = {key for result in facts.results for key in find_measure(result.measure).cite}
    read = {found.benchmark for result in facts.results for found in result.readings()}
    scales = {scale.citation for scale in BENCHMARKS.values() if scale.name in read}
    models = {CALDERON} if isinstance(facts, JudgementFacts) and facts.options.beside is not None else set()
    return [Points(items=tuple(sorted({citation(key) for key in keys} | scales | models | {AMIDEI})))]


SECTION = SectionMaker(key="references", title="References", order=90, of=("judgements", "spans"), blocks=blocks)
