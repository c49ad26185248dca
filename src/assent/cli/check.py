"""`assent check`: every mistake in a study, with file and line."""

import json
import sys
from pathlib import Path

import click

from assent.design.description import Description
from assent.design.study_file import problems, read


@click.command()
@click.argument("study", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the mistakes as JSON.")
def command(study: Path, as_json: bool) -> None:
    """Find every mistake in STUDY (a folder or its study.toml): settings, data files, missing pictures and sounds.

    Each mistake is one line, file:line: what; what to do. The exit code is 2 when there is one.

    \b
    assent check my-study
    """
    found = problems(study)
    if as_json:
        listed = [{"file": str(p.file), "line": p.line, "what": p.what, "hint": p.hint} for p in found]
        click.echo(json.dumps({"problems": listed}, ensure_ascii=False, indent=2))
    for problem in () if as_json else found:
        click.echo(str(problem), err=True)
    if found:
        sys.exit(2)
    if not as_json:
        click.echo(_good_news(read(study)))


def _good_news(study: Description) -> str:
    n_rows, n_units = len(study.rows), len(study.units)
    merged = f" ({n_rows} rows, {n_rows - n_units} of them repeat a text)" if n_rows > n_units else ""
    questions = ", ".join(f"{question.id} ({question.task})" for question in study.questions)
    return f"{study.name}: no mistakes. {n_units} units{merged}; questions: {questions}."
