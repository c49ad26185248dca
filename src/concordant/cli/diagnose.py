"""Understand: why agreement is not higher: findings in plain language, then the tables behind them.

Examples:
  %(prog)s diagnose ratings.csv --level ordinal --group speaker
  %(prog)s diagnose features.csv --by group --by item
  %(prog)s diagnose ratings.csv --group native=J1,J2 --group other=J3,J4,J5
  %(prog)s diagnose answers.csv --gold right_answer --json
  %(prog)s diagnose treebank/anna treebank/bruno --lexicon lexicon.tdl
"""

from typing import Any

import click

from concordant.cli.inputs import GROUP, MORE, Source, data_options
from concordant.cli.options import JSON, READ_ON, by_option, names_of, refuse, shown
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes
from concordant.cli.treebank import TREEBANK_OPTIONS, compared, treebank_options
from concordant.diagnosis.diagnose import diagnose
from concordant.report.document import Paragraph


@click.command("diagnose")
@data_options
@MORE
@treebank_options
@by_option(
    help="Slice by this column. Default: all with few values.",
)
@GROUP
@READ_ON
@click.option("--gold", metavar="COLUMN", help="Column with the right value of each unit: raters are compared with it.")
@click.option("--trust-raters", is_flag=True, help="Compare raters even if their columns look sorted or anonymous.")
@shown("--base", default=2.0, help="Base of entropy: 2 gives bits.")
@shown("--seed", default=1, help="Seed of the permutation tests.")
@JSON
@click.pass_context
def command(
    context: click.Context,
    /,
    source: Source,
    how: dict[str, Any],
    by: tuple[str, ...],
    as_json: bool,
    **chosen: Any,
) -> None:
    """Find out why agreement in DATA is not higher.

    The verdict comes first, then findings in plain language, the most serious at the top (!! serious, ! warning,
    - note): what was seen, how sure that is, what to do. The tables behind them follow: agreement and correlation
    together, rater pairs, raters, direction of disagreement, categories, entropy of units, slices, groups, and the
    kinds of reliability.

    The data themselves are examined first: columns that are sorted or anonymous are not raters, and then nothing is
    said about raters unless you say --trust-raters.

    Several files of one format are one set of data. Two annotators' treebanks are compared: which grammar rules,
    lexical types, kinds of discriminants and lengths of sentences divide them, with counts, K, intervals over sentences
    and examples.
    """
    of_trees = set(names_of(TREEBANK_OPTIONS))
    if source.is_of_trees:
        refuse(context, set(context.params) - {"data", "more", "as_json", *of_trees}, "treebanks")
        one, other = source.paths
        _divided(one, other, how, as_json=as_json)
        return
    refuse(context, of_trees, "judgements")
    study = source.study()
    with Bar("looking for reasons"):
        found = diagnose(study, by=by or None, **chosen)
    if as_json:
        echo_json({"diagnosis": found.to_dict(), "notes": list(study.notes)})
        return
    from concordant.report.sections.diagnosis import diagnosed
    from concordant.report.sections.slices import sliced

    size = f"{found.n_judgements:,} judgements of {found.n_units:,} units by {len(found.raters):,} raters"
    lead = [Paragraph(text=found.verdict.sentence), Paragraph(text=f"{found.name}: {size}.")]
    print_blocks(*lead, *diagnosed(found), *sliced(found.slices))
    print_notes(study.notes)


def _divided(a: str, b: str, how: dict[str, Any], *, as_json: bool) -> None:
    """What divides two annotators of trees."""
    from concordant.diagnosis.phenomena import divisions
    from concordant.measures.treebanks import edm
    from concordant.report.sections.dividing import division_blocks

    found, _ = compared(a, b, {**how, edm.key: False})  # what takes longest says nothing here
    told = divisions(found)
    if as_json:
        echo_json({"annotators": [found.a, found.b], "k": found.kappa, "divisions": list(told)})
        return
    n = len(found.divergent)
    lead = f"{found.a} and {found.b} diverge on {n:,} of {len(found.sentences):,} sentences."
    print_blocks(Paragraph(text=lead), *division_blocks(told), is_all=True)
