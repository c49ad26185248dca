"""How to cite what computed the report, and how to compute every number in it again."""

from pathlib import PurePath

from concordant.about import NAME, VERSION
from concordant.report.document import Block, Paragraph, Points
from concordant.report.facts import JudgementFacts, SpanFacts
from concordant.report.sections import SectionMaker


def blocks(facts: JudgementFacts | SpanFacts) -> list[Block]:
    """The program with its version, and the command that computes the numbers anew from the data."""
    n = sum(bool(result.signature) for result in facts.results)
    if not n:
        return []
    data = PurePath(facts.study.name if isinstance(facts, JudgementFacts) else facts.options.name).name
    cited = f"Cite {NAME} {VERSION} with the sources of the coefficients, which stand under References."
    again = f"This computes all {n} numbers again from the data and says which differ:"
    command = f"{NAME} verify report.html {data or 'DATA'}"
    return [Paragraph(text=cited), Paragraph(text=again), Points(items=(command,), is_code=True, is_open=True)]


SECTION = SectionMaker(
    key="verify", title="Cite and verify", order=78, of=("judgements", "spans"), blocks=blocks, is_first=True
)
