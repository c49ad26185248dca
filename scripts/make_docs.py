"""Write the generated pages of the documentation: one per measure, the command line, the index.

python scripts/make_docs.py           write them
python scripts/make_docs.py --check   say which are out of date (exit code 1)
"""

import sys
from importlib import import_module
from pathlib import Path

import click

from assent.cli import COMMANDS
from assent.measures.catalogue import CATALOGUE
from assent.measures.explanation import explain

DOCS = Path(__file__).parent.parent / "docs"
REFERENCE = DOCS / "reference"
MADE = "<!-- made by scripts/make_docs.py: do not edit -->\n\n"


def measure_page(key: str) -> str:
    """What `assent explain` prints, as a page."""
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


def commands_page() -> str:
    """The help of every command."""
    parts = [f"{MADE}# Commands\n"]
    for name, (module, _) in COMMANDS.items():
        command = import_module(f"assent.cli.{module}").command
        parts += [_help(command, f"assent {name}", "##")]
        if isinstance(command, click.Group):
            parts += [_help(sub, f"assent {name} {inner}", "###") for inner, sub in sorted(command.commands.items())]
    return "\n".join(parts) + "\n[Documentation](../index.md)\n"


def _help(command: click.Command, path: str, mark: str) -> str:
    """One command's help text."""
    context = click.Context(command, info_name=path, max_content_width=110, terminal_width=110)
    return f"{mark} {path}\n\n```text\n{command.get_help(context)}\n```\n"


PARTS = {
    "tutorials": "**Tutorials** take you by the hand",
    "how-to": "**How-to guides** solve one task",
    "reference": "**Reference**",
    "explanation": "**Explanation**",
}


def index_page() -> str:
    """Every page by its title; the measures have an index of their own."""
    lines = [f"{MADE}# Documentation"]
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
    return {**made, DOCS / "index.md": index_page()}


def main() -> None:
    """Write, or check."""
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv:
        print("\n".join(f"out of date: {path.name}" for path in stale))
        sys.exit(1 if stale else 0)
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pages()[path], encoding="utf-8")


if __name__ == "__main__":
    main()
