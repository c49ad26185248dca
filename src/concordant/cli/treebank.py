"""Measure: compare two annotators' treebanks: Y-Option Kappa, trees, the adjudicator's report."""

import functools
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import click

from concordant.cli.options import FILE, add, options_of, shown, taken
from concordant.cli.screen import Bar, print_blocks, print_json
from concordant.digits import decimal, interval_text, percent
from concordant.errors import InputError
from concordant.files import written_whole
from concordant.readers.profiles import ProfileOptions
from concordant.report.document import Points
from concordant.report.facts import TreebankFacts, TreebankReport, front_figures, treebank_document, treebank_facts
from concordant.report.formats import format_for
from concordant.report.grid import level_text, table
from concordant.treebank.comparison import Comparison, compare, earlier_sources
from concordant.treebank.suites import commit_file

TREEBANK_OPTIONS = (
    *options_of(ProfileOptions),
    click.option(
        "--previous",
        metavar="DIR",
        help="Where earlier versions of A and B are, under the same names, a folder or an address: what changed?",
    ),
)


def treebank_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the comparison; the command gets those that were given as one `how`."""

    @functools.wraps(command)
    def with_how(*args: Any, **given: Any) -> Any:
        return command(*args, how={**taken(ProfileOptions, given), "previous": given.pop("previous")}, **given)

    wrapped: Callable[..., Any] = add(TREEBANK_OPTIONS)(with_how)
    return wrapped


@click.command()
@click.argument("a", type=FILE)
@click.argument("b", type=FILE)
@click.option("-o", "--output", metavar="FILE", help="Write the adjudicator's report: .html, .xlsx, .tex or .md.")
@treebank_options
@shown("--resamples", type=click.IntRange(0), default=2000, help="Draws of sentences for the intervals; 0 for none.")
@shown("--seed", default=1, help="Seed of the draws.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--adjudicated", type=FILE, help="An earlier workbook with decisions and comments: what is settled?")
@click.option("--commit", metavar="MESSAGE", help="Commit the report to the Git or Subversion copy it lies in.")
def command(
    a: str,
    b: str,
    output: str | None,
    how: dict[str, Any],
    resamples: int,
    seed: int,
    as_json: bool,
    adjudicated: str | None,
    commit: str | None,
) -> None:
    """Agreement between two treebankers, A and B.

    A and B are [incr tsdb()] profiles, or directories of suites that hold one profile each, or git+URL / svn+URL of
    such directories (add #folder for a part of the repository). Suites are matched by name, sentences by number.

    \b
    Example:
      %(prog)s treebank gold/anna gold/bruno -o adjudication.xlsx
      %(prog)s treebank anna bruno --lexicon lexicon.tdl --pattern '^SUITE-[0-9]+-V2$'
      %(prog)s treebank anna bruno -o second.xlsx --adjudicated adjudication.xlsx
    """
    if commit is not None and output is None:
        raise InputError("there is no report to commit", hint="name it with -o")
    wanted = None if output is None else format_for(output)
    comparison, before = compared(a, b, how)
    chosen = TreebankReport(resamples=resamples, seed=seed, adjudicated=adjudicated)
    facts = treebank_facts(comparison, chosen, before)
    if wanted is not None and output is not None:
        with written_whole(output) as beside:
            wanted.write(treebank_document(facts), beside)
        if commit is not None:
            commit_file(output, commit)
    notes = _notes(facts)
    if as_json:
        print_json(facts.results, notes)
        return
    results, details = facts.results, facts.results[0].details
    rows = [(r.name, r.value, interval_text(r.interval), r.details.get("macro"), r.n_units) for r in results]
    headers = ("coefficient", "value", level_text(results), "mean per sentence", "sentences")
    subsets, n = facts.comparison.subsets(), max(len(facts.comparison.sentences), 1)
    shares = [
        ("accepted by both, with options (S_both)", subsets["both"]),
        ("rejected by at least one, with options (S_R1)", subsets["rejected"]),
        ("without options (S_noop)", subsets["no options"]),
    ]
    counts = [
        *front_figures(facts.comparison),
        *((f"{label}, {percent(count / n)}", count) for label, count in shares),
        ("both chose an analysis", details["n_both_trees"]),
        ("both chose the same analysis", details["n_same_tree"]),
    ]
    title = f"Agreement between {facts.comparison.a} and {facts.comparison.b}"
    blocks = (table(title, headers, rows), table("", ("count", "n"), counts), Points(items=tuple(notes)))
    print_blocks(*blocks, is_all=output is None)
    if output is not None:
        click.echo(f"Report written to {output}")


def compared(a: str, b: str, how: Mapping[str, Any]) -> tuple[Comparison, Comparison | None]:
    """The comparison, and that of the earlier versions if there are any, with a progress bar over suites."""
    chosen = asdict(ProfileOptions.of("a comparison", {name: how[name] for name in how if name != "previous"}))
    with Bar("comparing") as bar:
        found = compare(a, b, progress=bar, **chosen)
    if how["previous"] is None:
        return found, None
    with Bar("comparing") as bar:
        return found, compare(*earlier_sources(how["previous"], a, b), progress=bar, **chosen)


def _notes(facts: TreebankFacts) -> list[str]:
    """Reasons of what is undefined, notes of the results, and what changed."""
    found = [f"{r.name}: undefined, {r.reason}" for r in facts.results if r.reason]
    found += [f"{r.name}: {note}" for r in facts.results for note in r.notes]
    unmatched = [*facts.comparison.only_a, *facts.comparison.only_b]
    if unmatched:
        found.append(f"{len(unmatched)} suites have no counterpart: {', '.join(unmatched[:5])}")
    if facts.rulings is not None:
        settled = [one for one in facts.rulings if one.decision and one.is_there]
        n_open = len(facts.comparison.divergent) - sum(one.is_divergent for one in settled)
        found.append(f"adjudicated: {len(settled)} settled, {n_open} divergent without a decision")
    if facts.before is not None:
        kinds = Counter(change.kind for change in facts.changes)
        told = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "nothing"
        value = "undefined" if facts.before.value is None else decimal(facts.before.value)
        found.append(f"since the earlier version (then {value}): {told}")
    return found
