"""What commands print: results, sections of a report, notes, JSON, a progress bar. Nothing is wider than the screen."""

import json
import sys
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import click

from concordant.about import NAME
from concordant.cli.paint import Tint, painted
from concordant.digits import BLANK, interval_text, p_cell, percent
from concordant.engines.tally import ONE_JUDGEMENT
from concordant.measures.result import Agreement
from concordant.report.grid import Grid, bullet, grid, level_text, listed, paragraph, render, table, terminal_width
from concordant.report.rates import rate_table

if TYPE_CHECKING:
    from concordant.report.document import Block
    from concordant.uncertainty.studies import Difference

TONES = {"serious": "!!", "warning": "!", "note": "-"}
TINTS: dict[str, Tint] = {"serious": "bad", "warning": "warning"}
MARKS = "¹²³⁴⁵⁶⁷⁸⁹"
MOST_UNITS = 20  # rows of the table of units
MOST_METHODS = 6  # lines about how intervals were made
MOST_UNDEFINED = 20  # results without a value that stand in a table
MOST_REASONS = 3  # why they have none
PATIENCE = 1.0  # seconds without a bar
REFRESH = 0.1  # seconds between two drawings


def print_blocks(*blocks: "Block", is_all: bool = False) -> None:
    """Each block with an empty line after it, but not after the last if that is all that is printed.

    Drawings and tables without rows have no place here.
    """
    texts = [text for block in blocks if (text := _text(block))]
    if texts:
        click.echo("\n\n".join(texts) + "\n" * (not is_all))


def _text(block: "Block") -> str:
    """One block as text; a finding is what was seen, then how sure that is and what to do, set in from the left."""
    if isinstance(block, Grid):
        return render(block) if block.rows else ""
    from concordant.report.document import Notice, Paragraph, Points  # tables do not need them

    if isinstance(block, Paragraph):
        return paragraph(block.text)
    if isinstance(block, Notice):
        inset: dict[str, Any] = {"initial_indent": "    ", "subsequent_indent": "    "}
        more = [textwrap.fill(f"{heading}: {text}", terminal_width(), **inset) for heading, text in block.more]
        mark, tint = TONES[block.tone], TINTS.get(block.tone)
        said = paragraph(f"{mark} {block.text}")
        return "\n".join([painted(mark, tint) + said.removeprefix(mark) if tint else said, *more])
    return "\n".join(bullet(str(item)) for item in block.items) if isinstance(block, Points) else ""


def print_notes(notes: Iterable[str]) -> None:
    """A point for each note."""
    for note in notes:
        click.echo(bullet(note))


def echo_json(whole: Mapping[str, Any]) -> None:
    """Results as JSON: numbers unrounded, undefined as null."""
    from concordant.model.tabular import plain  # not needed to print tables

    click.echo(json.dumps(plain(dict(whole)), indent=2, ensure_ascii=False, allow_nan=False))


def print_json(results: Sequence[Agreement], notes: Sequence[str], **more: Any) -> None:
    """The public contract: {"results": [...], "notes": [...]}, numbers unrounded, NaN impossible."""
    echo_json({"results": [result.to_dict() for result in results], "notes": list(notes), **more})


def without_undefined(results: Sequence[Agreement]) -> tuple[Sequence[Agreement], list[str]]:
    """The results with a value, and one line about the others where those are many; JSON has every one."""
    reasons = Counter(r.reason for r in results if r.value is None)
    n = reasons.total()
    if n <= MOST_UNDEFINED:
        return results, []
    told = [f"{times:,} × {reason}" if len(reasons) > 1 else str(reason) for reason, times in reasons.most_common()]
    more = [f"{len(told) - MOST_REASONS:,} more reasons"] if len(told) > MOST_REASONS else []
    which = f"all {n:,} results are" if n == len(results) else f"{n:,} of {len(results):,} results are"
    why = "; ".join([*told[:MOST_REASONS], *more])
    said = f"{which} undefined, so that no table shows them ({why}): --json has each"
    return [r for r in results if r.value is not None], [said]


def said_of_all(results: Sequence[Agreement]) -> set[str]:
    """What says that units with one judgement are left out, if the same ones are left out of all results."""
    found = [{note for note in result.notes if f" {ONE_JUDGEMENT}: left out" in note} for result in results]
    every = set[str]().union(*found)
    return every if all(found) and len({note.partition(":")[0] for note in every}) == 1 else set()


def print_results(results: Sequence[Agreement], notes: Sequence[str]) -> None:
    """A table, then the notes said once, then the signatures; results without a value are one line if they are many."""
    results, undefined = without_undefined(results)
    notes = [*undefined, *notes]
    if not results:
        print_notes(notes)
        return
    shown, footnotes = results_table(results)
    above = said_of_all(results)
    for note in sorted(above, key=len)[-1:]:  # the same units for all, so it is said once before the values
        click.echo(paragraph(note) + "\n")
    click.echo(render(shown))
    rates = rate_table(results)
    if rates is not None:  # as rows only where there are several measures, so that rates are said once
        has_rates = any(name.startswith("Average: ") for name in shown.headers)
        for one in (None if has_rates else rates.as_grid(), rates.side_by_side()):
            click.echo("\n" + render(one) if one is not None else "", nl=one is not None)
    said = [*footnotes, *_methods(results), *notes, *(f"{r.name} is undefined: {r.lack}" for r in results if r.reason)]
    tests = [one for one in _tests(results) if one]
    if tests:
        how = "every rater's judgements shuffled over the units"
        what = "two-sided, whether the value is other than chance alone would make it"
        drawn = {f"{one['permutations']:,} permutations" for one in tests if not one["is_exact"]}
        exact = {f"all {one['permutations']:,} arrangements (exact)" for one in tests if one["is_exact"]}
        said.insert(len(footnotes), f"p: {'; '.join(sorted(drawn | exact))}, {how}; {what}")
    owners: dict[str, list[Agreement]] = {}
    for result in results:
        for note in (note for note in result.notes if note not in above):
            owners.setdefault(note, []).append(result)
    for note, mine in owners.items():  # one that not all share says whose it is, or how many share it
        names = (", ".join([*filter(None, [r.question]), *(r.slice or {}).values(), r.name]) for r in mine)
        whose = f"{len(mine)} results" if len(mine) > 3 else "; ".join(names)
        said.append(note if len(mine) == len(results) else f"{whose}: {note}")
    click.echo("\n" + "\n".join(map(bullet, dict.fromkeys(said))))
    print_signatures([result.short_signature or f"(none: {result.name} was interrupted)" for result in results])


def print_signatures(signatures: Iterable[str]) -> None:
    """Every signature on a line of its own, however long, to be copied."""
    click.echo(f"\nSignatures (check one with `{NAME} verify SIGNATURE DATA`):")
    for signature in signatures:
        click.echo(f"  {signature}")


def results_table(results: Sequence[Agreement]) -> tuple[Grid, list[str]]:
    """One row per result, columns that say nothing here left out; and the sources of the readings in it."""
    readings = [result.readings() for result in results]
    sources = dict.fromkeys((one.benchmark, one.caution) for found in readings for one in found)
    marks = {benchmark: mark for (benchmark, _), mark in zip(sources, MARKS, strict=False)}
    columns, names = _where(results), {r.name for r in results}
    if len(names) > 1 or not columns:
        columns["Measure"] = [r.name for r in results]
    columns |= _rates(results) if len(names) == 1 or any(r.slice for r in results) else {}
    columns |= {
        "Value": [r.value if r.value is not None else "undefined" for r in results],
        level_text(results): [interval_text(r.interval) for r in results],
        "Observed": [r.observed for r in results],
        "its interval": [interval_text(r.observed_interval) if r.observed_interval else None for r in results],
        "Expected": [r.expected for r in results],
        "known to ±": [percent(r.details["precision"], 1) if r.details.get("n_samples") else None for r in results],
        "p": [p_cell(tested.get("p"), tested.get("error")) for tested in _tests(results)],
        "Units": [r.n_units for r in results],
        "Raters": [r.n_raters for r in results],
        "Reading": [
            "; ".join(f"{one.label} {marks[one.benchmark]}" for one in found) if found else BLANK for found in readings
        ],
    }
    kept = {name: cells for name, cells in columns.items() if any(cell not in (None, BLANK) for cell in cells)}
    footnotes = [f"{marks[name]} reading after {name}: {caution}" for name, caution in sources]
    return grid("" if "Measure" in kept else names.pop(), kept), footnotes


def _methods(results: Sequence[Agreement]) -> list[str]:
    """How the intervals were made, and why so: one line for all that were made alike."""
    owners: dict[str, list[str]] = {}
    made = [(r.name, r.interval) for r in results if r.interval is not None and "n_samples" not in r.details]
    for name, one in made:
        owners.setdefault(f"{one.method}{f': {one.why}' if one.why else ''}", []).append(name)
    share = level_text(results)
    if len(owners) == 1:
        return [f"{share}: {how}" for how in owners]
    kinds = {how: list(dict.fromkeys(names)) for how, names in owners.items()}
    return [
        f"{share} of {'; '.join(names) if len(names) < 4 else f'{len(names)} measures'}: {how}"
        for how, names in list(kinds.items())[:MOST_METHODS]
    ]


def _tests(results: Sequence[Agreement]) -> list[Mapping[str, Any]]:
    """The test against chance of each result, empty where there is none."""
    return [r.details.get("chance_test", {}) for r in results]


def _rates(results: Sequence[Agreement]) -> dict[str, list[Any]]:
    """How often each rater said yes, and the average: columns of a table of questions or slices with two categories."""
    each = [r.details.get("yes_rates") or {} for r in results]
    raters = {tuple(rates) for rates in each if rates}
    words = {r.details["yes"] for r in results if r.details.get("yes_rates")}
    if not (len(raters) == len(words) == 1):
        return {}
    [names], [yes] = raters, words
    columns: dict[str, list[Any]] = {f"{name}: {yes}": [rates.get(name) for rates in each] for name in names}
    known = [[rate for rate in rates.values() if rate is not None] for rates in each]
    return columns | {f"Average: {yes}": [sum(rates) / len(rates) if rates else None for rates in known]}


def _where(results: Sequence[Agreement]) -> dict[str, list[Any]]:
    """The columns that say which part of the study a row is about."""
    columns: dict[str, list[Any]] = {}
    if any(r.question for r in results):
        columns["Question"] = [r.question or BLANK for r in results]
    for name in dict.fromkeys(name for r in results for name in (r.slice or {})):
        columns[name] = [(r.slice or {}).get(name, BLANK) for r in results]
    if len({r.raters for r in results}) > 1 and all(len(r.raters) == 2 for r in results):
        columns["Pair"] = [" & ".join(r.raters) for r in results]
    return columns


def print_differences(found: "Sequence[Difference]") -> None:
    """Which slices or groups differ, and how sure that is."""
    if not found:
        return
    named = ("first", "second", "difference")
    columns: dict[str, Any] = {
        "Question": "question",
        "Measure": "name",
        **{name.capitalize(): name for name in named},
        "p": lambda one: p_cell(one.p, one.error),
    }
    columns["Note"] = lambda one: one.reason or one.note
    click.echo(render(listed("\nDifferences (permutation tests, two-sided)", found, columns)))


def print_breakdown(results: Sequence[Agreement], units: Sequence[Mapping[str, Any]]) -> None:
    """Values of single categories and units, where they were asked for."""
    split = [(r, name, one) for r in results for name, one in r.details.get("categories", {}).items()]
    if split:
        shown = {
            **_where([r for r, _, _ in split]),
            "Measure": [r.name for r, _, _ in split],
            "Category": [name for _, name, _ in split],
            "Value": [one["value"] for _, _, one in split],
            "Why undefined": [one["reason"] or "" for _, _, one in split],
        }
        rows = list(zip(*shown.values(), strict=True))
        click.echo(render(table("\nEach category against the rest", list(shown), rows)))
    if units:
        cells = [(u["question"] or BLANK, u["unit"], u["n_judgements"], u["agreement"]) for u in units[:MOST_UNITS]]
        left = f"{len(units) - MOST_UNITS:,} more units with higher agreement: --json shows all"
        notes = [left] if len(units) > MOST_UNITS else []
        title = "\nUnits, the least agreed on first"
        click.echo(render(table(title, ("Question", "Unit", "Judgements", "Agreeing pairs"), cells, notes=notes)))


class Bar:
    """Called as `bar(done, total)`; use it in a `with` block so that it is wiped at the end."""

    def __init__(self, label: str) -> None:
        """Start the clock."""
        self.label, self.started, self.drawn = label, time.monotonic(), 0.0
        self.reached, self._ended = (0, 0), threading.Event()
        self._watch: threading.Thread | None = None

    def __call__(self, done: int, total: int) -> None:
        """Draw, if it is time to."""
        self.reached = done, total
        self.draw()

    def draw(self) -> None:
        """How far the work said it is, if it is time to; only that it goes on where nothing was said yet."""
        now = time.monotonic()
        if now - self.started < PATIENCE or now - self.drawn < REFRESH or not sys.stderr.isatty():
            return
        self.drawn = now
        (done, total), passed = self.reached, now - self.started
        if not done:
            sys.stderr.write(f"\r{self.label} … {in_words(passed)} \x1b[K")
            sys.stderr.flush()
            return
        share = done / max(total, 1)
        times = in_words(passed) + (f", about {in_words(passed / share - passed)} left" if share > 0 else "")
        filled = "█" * round(30 * share) + "░" * (30 - round(30 * share))
        sys.stderr.write(f"\r{self.label} {filled} {percent(share):>4}  {times} \x1b[K")
        sys.stderr.flush()

    def __enter__(self) -> Self:
        """Nothing is drawn yet; on a terminal somebody looks after work that reports rarely."""
        if sys.stderr.isatty():
            self._watch = threading.Thread(target=self._keep_drawing, daemon=True)
            self._watch.start()
        return self

    def _keep_drawing(self) -> None:
        while not self._ended.wait(max(PATIENCE, REFRESH)):
            self.draw()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wipe the bar."""
        self._ended.set()
        if self._watch is not None:
            self._watch.join()
        if self.drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def in_words(seconds: float) -> str:
    """A time as short as it can be said.

    >>> in_words(42.3), in_words(754), in_words(9000)
    ('42 s', '12 min 34 s', '2 h 30 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
