"""`assent diagnose`: why agreement is not higher."""

import click

from assent.cli.data import Source, data_options
from assent.cli.groups import read_groups
from assent.cli.sections import echo_json, print_blocks
from assent.diagnosis.diagnose import diagnose
from assent.diagnosis.findings import plain
from assent.report.document import Block, Paragraph

EPILOG = """\b
Examples:
  assent diagnose ratings.csv --level ordinal --group speaker
  assent diagnose features.csv --by group --by item
  assent diagnose ratings.csv --group native=J1,J2 --group other=J3,J4,J5
  assent diagnose answers.csv --gold right_answer --json
"""


@click.command("diagnose", epilog=EPILOG)
@data_options
@click.option("--by", multiple=True, metavar="COLUMN", help="Slice by this column. Default: all with few values.")
@click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="NAME=J1,J2",
    help="A group of raters, or a column that says each rater's group; repeatable.",
)
@click.option("--gold", metavar="COLUMN", help="Column with the right value of each unit: raters are compared with it.")
@click.option("--trust-raters", is_flag=True, help="Compare raters even if their columns look sorted or anonymous.")
@click.option("--base", type=float, default=2.0, show_default=True, help="Base of entropy: 2 gives bits.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the permutation tests.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with unrounded numbers.")
def command(
    source: Source,
    by: tuple[str, ...],
    groups: tuple[str, ...],
    gold: str | None,
    trust_raters: bool,
    base: float,
    seed: int,
    as_json: bool,
) -> None:
    """Find out why agreement in DATA is not higher.

    Findings come first, in plain language, the most serious at the top (!! serious, ! warning, - note): what was seen,
    how sure that is, what to do. The tables behind them follow: agreement and correlation together, rater pairs,
    raters, direction of disagreement, categories, entropy of units, slices, groups, and the kinds of reliability.

    The data themselves are examined first: columns that are sorted or anonymous are not raters, and then nothing is
    said about raters unless you say --trust-raters.
    """
    study = source.study()
    found = diagnose(
        study,
        trust_raters=trust_raters,
        by=by or None,
        groups=read_groups(study, groups),
        gold=gold,
        base=base,
        seed=seed,
    )
    if as_json:
        echo_json({"diagnosis": plain(found), "notes": list(study.notes)})
        return
    from assent.report.findings import findings_section
    from assent.report.slices import slices_section

    slices: tuple[Block, ...] = slices_section(found.slices).blocks if found.slices else ()
    size = f"{found.n_judgements:,} judgements of {found.n_units:,} units by {len(found.raters):,} raters"
    lead = Paragraph(text=f"{found.name}: {size}.")
    print_blocks(lead, *findings_section(found).blocks, *slices)
