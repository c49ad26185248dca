"""Write the generated pages of the documentation: one per measure, the command line, the formats, the index.

python scripts/make_docs.py           write them
python scripts/make_docs.py --check   say which are out of date (exit code 1)
"""

import json
import sys
from pathlib import Path
from typing import Any

import click
import numpy as np

from concordant.cli import commands, load_command
from concordant.digits import decimal
from concordant.engines.tally import tally
from concordant.measures.catalogue import CATALOGUE, explain, find_measure
from concordant.measures.evaluation import evaluate
from concordant.measures.spec import Options
from concordant.model.judgements import Judgements
from concordant.readers import formats
from concordant.reproduction.printed import VERDICTS, PublishedStudy
from concordant.reproduction.verdicts import published
from concordant.web.handbook import PARTS

DOCS = Path(__file__).parent.parent / "docs"
REFERENCE = DOCS / "reference"
MADE = "<!-- made by scripts/make_docs.py: do not edit -->\n\n"


def measure_page(key: str) -> str:
    """What `concordant explain` prints, as a page."""
    title, _, rest = explain(key).partition("\n")
    return f"{MADE}# {title}\n\n```text\n{rest.strip()}\n```\n\n[All measures](index.md)\n"


def measure_index() -> str:
    """A table of all measures."""
    rows = [
        f"| [`{m.key}`]({m.key}.md) | {m.name} | {m.kind} | {m.needs.made_for or ', '.join(sorted(m.needs.suits))} |"
        for m in CATALOGUE.values()
    ]
    head = "# The measures\n\n| key | name | kind | made for |\n|---|---|---|---|\n"
    return MADE + head + "\n".join(rows) + "\n\n[Documentation](../../index.md)\n"


def formats_page() -> str:
    """All formats of data in a table, as they describe themselves."""
    lines = [f"| `{name}` | {one.holds} | {one.help} |" for name, one in sorted(formats().items())]
    return f"{MADE}# Formats of data\n\n| format | holds | what it is |\n|---|---|---|\n" + "\n".join(lines) + "\n"


def studies_page() -> str:
    """What is recorded of the published figures: where they are from, and every difference with its reason."""
    parts = [
        f"{MADE}# Published figures\n\nWhat `concordant reproduce` computes again, and every difference it knows of.\n"
    ]
    parts += [f"- {verdict}: {meaning}" for verdict, meaning in VERDICTS.items()]
    return "\n".join([*parts, *map(_study, published().values())]) + "\n"


def _study(study: PublishedStudy) -> str:
    """One study: its tables, the files they need, and the differences."""
    lines = [f"\n## {study.title} (`{study.key}`)\n\n{study.citation}\n"]
    files = {one.needs.path: one.needs for one in study.tables if one.needs is not None}
    lines += [f"- `{path}` holds {file.holds}; from {file.origin}" for path, file in files.items()]
    lines += ["\n| table | about | figures | from |\n|---|---|--:|---|"]
    for one in study.tables:
        source = "other figures in print" if one.needs is None else f"`{one.needs.path}`"
        lines.append(f"| {one.name} | {one.about} | {len(one.cells)} | {source} |")
    lines += [f"\n{one.name}: {note}" for one in study.tables for note in one.notes]
    lines += ["\n| figure | printed | comes out | what it is | why |\n|---|---|---|---|---|"]
    for table in study.tables:
        for place, known in table.known.items():
            figure = f"{table.name}, {', '.join(place)}"
            lines.append(f"| {figure} | {table.cells[place]} | {known.right} | {known.kind} | {known.why} |")
    return "\n".join(lines)


def commands_page() -> str:
    """The help of every command."""
    parts = [f"{MADE}# Commands\n"]
    for name in commands():
        command = load_command(name)
        parts += [_help(command, f"concordant {name}", "##")]
        if isinstance(command, click.Group):
            parts += [
                _help(sub, f"concordant {name} {inner}", "###") for inner, sub in sorted(command.commands.items())
            ]
    return "\n".join(parts) + "\n[Documentation](../index.md)\n"


def _help(command: click.Command, path: str, mark: str) -> str:
    """One command's help text."""
    context = click.Context(command, info_name=path, max_content_width=110, terminal_width=110)
    return f"{mark} {path}\n\n```text\n{command.get_help(context)}\n```\n"


def tools_page() -> str:
    """What other tools give on the same data, from the stored figures that the tests compare with."""
    data = json.loads((FIGURES / "datasets.json").read_text("utf-8"))
    parts = [f"{MADE}# The same numbers in other tools\n\n{ABOUT_TOOLS}"]
    for name in TOOLS:
        tool = json.loads((FIGURES / f"{name}.json").read_text("utf-8"))
        rows = [_case(case, data[case["data"]]) for case in tool["cases"]]
        head = "| its call | its value | ours | value | why they differ |\n|---|---|---|---|---|\n"
        parts.append(
            f"\n## {name}\n\nVersion {tool['version']}, licence: {tool['licence']}.\n\n{head}" + "\n".join(rows)
        )
    return "\n".join(parts) + "\n\n[Documentation](../index.md)\n"


def _case(case: dict[str, Any], rows: list[list[float | None]]) -> str:
    """One call beside ours."""
    read = Judgements.from_matrix(np.array(rows, dtype=float), level=case["level"])
    found = evaluate(find_measure(case["measure"]), tally(read), Options(**case["options"]))
    value = found.details[case["detail"]] if "detail" in case else found.value
    options = "".join(f", {name}={given!r}" for name, given in {"level": case["level"], **case["options"]}.items())
    call = f'measure(data, "{case["measure"]}"{options})'
    return f"| `{case['call']}` | {decimal(case['value'], 6)} | `{call}` | {decimal(value, 6)} | {case['note']} |"


FIGURES = Path(__file__).parent.parent / "tests" / "reference"
TOOLS = ("nltk", "scikit-learn", "krippendorff", "irrCAC", "pingouin", "statsmodels", "scipy")
ABOUT = """concordant designs studies of human judgements, collects them in the browser, measures how far people agree,
finds out why they do not, and builds the gold standard.

- You have judgements: [Measure agreement](tutorials/measure-agreement.md), or `concordant measure DATA`.
- You want to collect them: [Annotate features](tutorials/annotate-features.md).
- You do not like terminals: [Work without a terminal](how-to/without-a-terminal.md), with pictures of every page.
- You know another tool: [Coming from another tool](how-to/coming-from.md).

![The results of a study in the browser: the verdict, and each question on one axis](pictures/results.png)"""
ABOUT_TOOLS = """Computed by the other tool on small data sets (`tests/reference/datasets.json`) and stored with its
version; ours is computed when this page is made. A test holds every pair together: the same to nine digits, or
different with the reason beside it.
What to type instead of what you know is in [Coming from another tool](../how-to/coming-from.md).
"""


def index_page() -> str:
    """Every page by its title; the measures have an index of their own."""
    lines = [f"{MADE}# Documentation\n\n{ABOUT}"]
    for folder, title in PARTS.items():
        found = sorted((DOCS / folder).glob("*.md"))
        lines += ["", f"{title}:", "", *(f"- [{_title(page)}]({folder}/{page.name})" for page in found)]
        lines += ["- [The measures](reference/measures/index.md)"] if folder == "reference" else []
    return "\n".join(lines) + "\n"


def _title(page: Path) -> str:
    """The first heading of a page."""
    return next(line[2:] for line in page.read_text("utf-8").splitlines() if line.startswith("# "))


def pages() -> dict[Path, str]:
    """All generated pages; the index comes last, because it reads the others."""
    made = {REFERENCE / "measures" / f"{key}.md": measure_page(key) for key in CATALOGUE}
    made |= {REFERENCE / "measures" / "index.md": measure_index(), REFERENCE / "commands.md": commands_page()}
    made |= {REFERENCE / "formats.md": formats_page(), REFERENCE / "published-figures.md": studies_page()}
    made[REFERENCE / "other-tools.md"] = tools_page()
    return {**made, DOCS / "index.md": index_page()}


def main() -> None:
    """Write, or check."""
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"out of date: {path.name}")
        sys.exit(1 if stale else 0)
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pages()[path], encoding="utf-8")


if __name__ == "__main__":
    main()
