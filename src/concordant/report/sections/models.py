"""What models may stand for, where models judged beside people: the verdict on each, its tables, its signatures."""

from concordant.about import NAME
from concordant.report.document import WITH_VERIFY, Block, Paragraph, Points
from concordant.report.facts import JudgementFacts
from concordant.report.judged import methods_text, said_of_judges, tables_with_rows
from concordant.report.sections import SectionMaker

CHECKED = (
    f"Signatures: each says what was computed on which data{WITH_VERIFY}. The command {NAME} judges asks for slices, "
    "other values of epsilon and requirements."
)


def blocks(facts: JudgementFacts) -> list[Block]:
    """What `judges` finds; nothing where no model judged."""
    found = facts.judging
    if found is None:
        return []
    signatures = Points(items=tuple(one.signature for one in found.judges), is_code=True)
    how = Paragraph(text=methods_text(found))
    return [*said_of_judges(found), *tables_with_rows(found), how, Paragraph(text=CHECKED), signatures]


SECTION = SectionMaker(key="models", title="Models beside people", order=37, of=("judgements",), blocks=blocks)
