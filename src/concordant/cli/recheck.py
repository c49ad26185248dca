"""Understand: the inconsistent cells of a published table.

Example: type the table of a paper into a file, keeping every digit as printed
  set,total,a1yes,a2yes,average,chance,observed,kappa
  targeted,3390,0.829,0.818,0.824,0.709,0.949,0.823
and say
  %(prog)s recheck table.csv
"""

import sys

import click

from concordant.cli.options import FILE
from concordant.cli.screen import Bar, echo_json, print_notes
from concordant.diagnosis.recheck import recheck
from concordant.digits import counted
from concordant.report.grid import paragraph


@click.command("recheck")
@click.argument("table", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(table: str, as_json: bool) -> None:
    """Check the printed numbers of TABLE (a CSV file) against each other.

    The first column names the rows. Columns are known by their names: observed, chance, kappa; a1yes, a2yes, average,
    total; agreed; preferred, dispreferred, net, weight; gamma with observed and expected disorder; the counts yesyes,
    yesno, noyes, nono, or n11, n12, … of any number of categories. A square table of counts is known by its rows and
    columns, with rows called observed, chance or kappa below. Rows called Average, Total, Min, Max or Stddev are
    checked against the rows above.

    A cell is inconsistent if no numbers that would be printed as the others give one that would be printed like it, be
    it rounded or cut off. Keep zeros at the end: 0.910 says more than 0.91.

    Exit code 1 if a cell is inconsistent.
    """
    with Bar("checking"):
        found = recheck(table)
    if as_json:
        echo_json({"problems": found.problems, "only_if_truncated": found.truncated, "n_checks": found.n_checks})
    else:
        n = len(found.problems)
        verdict = f"{n} of them inconsistent." if n else "all consistent."
        click.echo(paragraph(f"{counted(found.n_checks, 'check')} in {counted(found.n_rows, 'row')}, {verdict}"))
        print_notes(f"line {problem.line}, {problem.text}" for problem in found.problems)
        if found.truncated:
            click.echo("\n" + paragraph("Consistent only if numbers were cut off instead of rounded:"))
            print_notes(f"line {problem.line}, {problem.text}" for problem in found.truncated)
    if found.problems:
        sys.exit(1)
