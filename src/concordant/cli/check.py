"""Plan: find every mistake in a study, with file and line."""

import sys
import time
from datetime import datetime
from pathlib import Path

import click

from concordant.cli.options import STUDY
from concordant.cli.paint import painted
from concordant.cli.screen import Bar, echo_json
from concordant.design.json_schema import FILE, LINE, schema_text
from concordant.design.study_file import problems, read, study_path
from concordant.errors import InputError
from concordant.files import written_whole

PAUSE = 0.5  # seconds between two looks


@click.command()
@STUDY
@click.option("--json", "as_json", is_flag=True, help="Print the mistakes as JSON.")
@click.option("--schema", is_flag=True, help="Also write the JSON Schema beside the study file, for editors.")
@click.option("--watch", is_flag=True, help="Check again whenever a file of the study changes, until Ctrl+C.")
def command(study: Path, as_json: bool, schema: bool, watch: bool) -> None:
    """Find every mistake in STUDY (a folder or its study.toml): settings, data files, missing pictures and
    sounds, sets of which no plan can be drawn.

    Each mistake is one line, file:line: what; what to do. The exit code is 2 when there is one.

    \b
    %(prog)s check my-study
    %(prog)s check my-study --watch
    """
    if watch and as_json:
        raise InputError("--watch prints no JSON", hint="leave one of the two out")
    if schema:
        with written_whole(study_path(study).with_name(FILE)) as beside:
            beside.write_text(schema_text(), encoding="utf-8")
        click.echo(f"{FILE} written; let the study file begin with the line {LINE.strip()}", err=True)
    seen = _files(study)
    found = _check(study, as_json=as_json)
    while watch:
        while _files(study) == seen:
            time.sleep(PAUSE)
        seen = _files(study)
        click.echo(f"\n{datetime.now():%H:%M:%S}")
        found = _check(study, as_json=False)
    if found:
        sys.exit(2)


def _check(study: Path, *, as_json: bool) -> int:
    """Print the mistakes, or that there are none; returns how many."""
    with Bar("checking"):
        found = problems(study)
    if as_json:
        echo_json({"problems": [{"file": str(p.file), "line": p.line, "what": p.what, "hint": p.hint} for p in found]})
        return len(found)
    for problem in found:
        click.echo(str(problem), err=True)
    if not found:
        good = read(study)
        n_rows, n_units = len(good.rows), len(good.units)
        merged = f" ({n_rows} rows, {n_rows - n_units} of them repeat a text)" if n_rows > n_units else ""
        questions = ", ".join(f"{question.id} ({question.task})" for question in good.questions)
        verdict = painted("no mistakes.", "good")
        click.echo(f"{good.name}: {verdict} {n_units} units{merged}; questions: {questions}.")
    return len(found)


def _files(study: Path) -> dict[Path, int]:
    """When each file beside the study file was last changed; databases change by themselves."""
    folder = study_path(study).parent
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(("study.db", ".")))
    found = {}
    for path in files:
        try:
            found[path] = path.stat().st_mtime_ns
        except FileNotFoundError:  # an editor has just replaced it
            continue
    return found
