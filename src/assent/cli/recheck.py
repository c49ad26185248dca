"""`assent recheck`: which cells of a published table cannot be right?"""

import sys

import click

from assent.cli.completion import FILE
from assent.cli.sections import echo_json
from assent.diagnosis.recheck import Recheck, recheck
from assent.report.text import bullet, paragraph

EPILOG = """\b
Example: type the table of a paper into a file, keeping every digit as printed
  set,total,a1yes,a2yes,average,chance,observed,kappa
  targeted,3390,0.829,0.818,0.824,0.709,0.949,0.823
and say
  assent recheck table.csv
"""


@click.command("recheck", epilog=EPILOG)
@click.argument("table", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(table: str, as_json: bool) -> None:
    """Check the printed numbers of TABLE (a CSV file) against each other.

    The first column names the rows. Columns are known by their names: observed, chance, kappa; a1yes, a2yes, average,
    total; agreed; preferred, dispreferred, net, weight; the counts yesyes, yesno, noyes, nono. Rows called Average or
    Total are checked against the rows above. A cell is inconsistent if no numbers that would be printed as the others
    give one that would be printed like it, be it rounded or cut off. Keep zeros at the end: 0.910 says more than 0.91.

    Exit code 1 if a cell is inconsistent.
    """
    found = recheck(table)
    if as_json:
        echo_json({"problems": found.problems, "only_if_truncated": found.truncated, "n_checks": found.n_checks})
    else:
        _print(found)
    if found.problems:
        sys.exit(1)


def _print(found: Recheck) -> None:
    """Problems first, then what fits only if numbers were cut off."""
    n = len(found.problems)
    verdict = f"{n} of them inconsistent." if n else "all consistent."
    click.echo(paragraph(f"{found.n_checks:,} checks in {found.n_rows:,} rows, {verdict}"))
    for problem in found.problems:
        click.echo(bullet(f"line {problem.line}, {problem.text}"))
    if found.truncated:
        click.echo("\n" + paragraph("Consistent only if numbers were cut off instead of rounded:"))
        for problem in found.truncated:
            click.echo(bullet(f"line {problem.line}, {problem.text}"))
