"""`assent treebank`: two annotators' treebanks compared."""

import os
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TypedDict, Unpack

import click

from assent import __version__
from assent.cli.completion import FILE
from assent.cli.printing import print_json
from assent.cli.progress import Bar
from assent.errors import InputError
from assent.report.tables import interval_text, level_text, table
from assent.report.text import bullet, render
from assent.report.treebank.figures import Report, agreements, front_figures, with_earlier
from assent.treebank.changes import earlier_sources
from assent.treebank.comparison import Comparison, compare
from assent.treebank.sentences import EXPECTED, READINGS, Expected, Reading
from assent.uncertainty.over_sentences import Resampling


class _How(TypedDict):
    """The options that the comparison itself needs."""

    reading: Reading
    expected: Expected
    pattern: str | None
    skip: str | None
    lexicon: str | None
    edm: bool


@click.command()
@click.argument("a", type=FILE)
@click.argument("b", type=FILE)
@click.option("-o", "--output", metavar="FILE", help="Write the adjudicator's report: FILE.xlsx or FILE.html.")
@click.option(
    "--reading",
    type=click.Choice(READINGS),
    default="resolved",
    show_default=True,
    help="How a decision that a log does not record is found: read off the chosen tree (resolved), not at all "
    "(log), or estimated as in Castro 2011 (thesis).",
)
@click.option(
    "--expected",
    type=click.Choice(EXPECTED),
    default="half",
    show_default=True,
    help="Agreement by chance: a coin for each decision, or a random analysis of the forest.",
)
@click.option("--pattern", metavar="REGEX", help="Compare only suites whose directory name matches.")
@click.option("--skip", metavar="REGEX", help="Leave out suites whose directory name matches.")
@click.option("--lexicon", metavar="FILE", help="Lexical types: a grammar's lexicon.tdl, or a TSV of entry and type.")
@click.option(
    "--previous", metavar="DIR", help="Where earlier versions of A and B are, under the same names: what changed?"
)
@click.option("--edm/--no-edm", default=True, help="Also match the dependencies of the MRSs, which takes longest.")
@click.option(
    "--resamples",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="Draws of sentences for the intervals; 0 for none.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the draws.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def command(
    a: str,
    b: str,
    output: str | None,
    previous: str | None,
    resamples: int,
    seed: int,
    as_json: bool,
    **how: Unpack[_How],
) -> None:
    """Agreement between two treebankers, A and B.

    A and B are [incr tsdb()] profiles, or directories of suites that hold one profile each, or git+URL / svn+URL of
    such directories (add #folder for a part of the repository). Suites are matched by name, sentences by number.

    \b
    Example:
      assent treebank gold/anna gold/bruno -o adjudication.xlsx
      assent treebank anna bruno --lexicon lexicon.tdl --pattern '^SUITE-[0-9]+-V2$'
    """
    write = _writer(output)
    report = _report(_compared(a, b, how), Resampling(n=resamples, seed=seed))
    if previous is not None:
        report = with_earlier(report, _compared(*earlier_sources(previous, a, b), how))
    if write is not None and output is not None:
        _replace(Path(output), lambda path: write(report, path))
    if as_json:
        print_json(report.results, _notes(report))
    else:
        click.echo(_text(report, output))


def _compared(a: str | Path, b: str | Path, how: _How) -> Comparison:
    """Compare with a progress bar over suites."""
    with Bar("comparing") as bar:
        return compare(a, b, progress=bar, **how)


def _report(comparison: Comparison, how: Resampling) -> Report:
    """The comparison with its coefficients, dated."""
    results, date = agreements(comparison, how), f"{datetime.now():%Y-%m-%d %H:%M}"
    return Report(comparison=comparison, results=results, date=date, version=__version__)


def _writer(output: str | None) -> Callable[[Report, Path], None] | None:
    """What writes a file of that ending; another ending is refused before any work is done."""
    if output is None:
        return None
    if not Path(output).absolute().parent.is_dir():
        raise InputError("its directory does not exist", file=output)
    if output.lower().endswith(".xlsx"):
        from assent.report.treebank.workbook import write_workbook

        return write_workbook
    if output.lower().endswith((".html", ".htm")):
        from assent.report.treebank.page import write_page

        return write_page
    raise InputError("the report cannot be written in that format", file=output, hint="end the name in .xlsx or .html")


def _replace(path: Path, write: Callable[[Path], None]) -> None:
    """Write beside the file and put it in its place when it is whole."""
    handle, name = tempfile.mkstemp(dir=path.absolute().parent, suffix=path.suffix)
    os.close(handle)
    try:
        write(Path(name))
        os.chmod(name, 0o644)
        os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)


def _text(report: Report, output: str | None) -> str:
    """What the terminal shows: coefficients, counts and notes."""
    results = report.results
    rows = [(r.name, r.value, interval_text(r.interval), r.details.get("macro"), r.n_units) for r in results]
    headers = ("coefficient", "value", level_text(results), "mean per sentence", "sentences")
    title = f"Agreement between {report.comparison.a} and {report.comparison.b}"
    parts = [render(table(title, headers, rows)), render(table("", ("count", "n"), _counts(report)))]
    parts += ["\n".join(bullet(note) for note in _notes(report))]
    if output is not None:
        parts.append(f"Report written to {output}")
    return "\n\n".join(part for part in parts if part)


def _counts(report: Report) -> list[tuple[str, int | float | None]]:
    subsets, details = report.comparison.subsets(), report.results[0].details
    n = max(len(report.comparison.sentences), 1)
    shares = [
        ("accepted by both, with options (S_both)", subsets["both"]),
        ("rejected by at least one, with options (S_R1)", subsets["rejected"]),
        ("without options (S_noop)", subsets["no options"]),
    ]
    return [
        *((label, value) for label, value in front_figures(report.comparison)),
        *((f"{label}, {count / n:.0%}", count) for label, count in shares),
        ("both chose an analysis", details["n_both_trees"]),
        ("both chose the same analysis", details["n_same_tree"]),
    ]


def _notes(report: Report) -> list[str]:
    """Reasons of what is undefined, notes of the results, and what changed."""
    found = [f"{r.name}: undefined, {r.reason}" for r in report.results if r.reason]
    found += [f"{r.name}: {note}" for r in report.results for note in r.notes]
    unmatched = [*report.comparison.only_a, *report.comparison.only_b]
    if unmatched:
        found.append(f"{len(unmatched)} suites have no counterpart: {', '.join(unmatched[:5])}")
    if report.before is not None:
        kinds = Counter(change.kind for change in report.changes)
        told = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "nothing"
        value = "undefined" if report.before.value is None else f"{report.before.value:.3f}"
        found.append(f"since the earlier version (then {value}): {told}")
    return found
