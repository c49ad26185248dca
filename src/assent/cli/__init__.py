"""One module per command: parse, call, print. Commands are imported only when they are used."""

import os
import sys
from importlib import import_module
from typing import NoReturn

import click

from assent import __version__
from assent.errors import AssentError

# command -> (module under assent.cli, what `assent --help` says about it). The module's `command` is the click command.
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "The studio with example studies and finished data sets; nothing to configure."),
    "init": ("init", "Write a complete example study to start from."),
    "check": ("check", "Find every mistake in a study, with file and line."),
    "design": ("design", "Draw the plan of a study: sample, pairs, sets."),
    "serve": ("serve", "Collect judgements in the browser."),
    "researcher": ("researcher", "Let a researcher sign in."),
    "export": ("export", "Write the collected judgements, cleaned, with a codebook."),
    "log": ("log", "Look after a study's log: show it, rebuild what is derived from it."),
    "measure": ("measure", "Coefficients of agreement with intervals."),
    "align": ("align", "The best alignment of spans, as data or as a picture."),
    "measures": ("measures", "The catalogue, or which measures suit your data and why the others do not."),
    "explain": ("explain", "One measure: chance model, formula, source, when not to use it, its names elsewhere."),
    "verify": ("verify", "Compute a signature again and compare."),
    "planning": ("planning", "How many units or raters an interval of a given width takes."),
    "treebank": ("treebank", "Compare two annotators' treebanks: Y-Option Kappa, trees, the adjudicator's report."),
    "diagnose": ("diagnose", "Why agreement is not higher: findings in plain language, then the tables behind them."),
    "compare": ("compare", "The consensus of experts against that of participants: table, agreement, disagreements."),
    "gold": ("gold", "The gold standard: by votes, or weighted by how far each rater can be trusted."),
    "report": ("report", "The reliability report: HTML, XLSX, LaTeX or Markdown."),
    "plot": ("plot", "One picture: scores, distribution, contingency, coincidence, entropy, coefficients, pairs."),
    "recheck": ("recheck", "The inconsistent cells of a published table."),
    "weights": ("weights", "How much each feature counts, from preference pairs."),
    "rank": ("rank", "Score responses with weights, rank them within items, compare a system's scores."),
}


class Commands(click.Group):
    """The commands by name; importing one does not import the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of a study's life."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"assent.cli.{COMMANDS[cmd_name][0]}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in `assent --help`, without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__)
def assent() -> None:
    """Measure how far people agree, find out why they do not, and report it so that it can be checked."""


def main() -> None:
    """Run the command line: what the user can mend is one line on standard error and exit code 2."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # our matrices are small: threads would only wait for each other
    try:
        code = assent(prog_name="assent", standalone_mode=False)
    except AssentError as error:
        _fail(str(error))
    except click.ClickException as error:
        _fail(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        click.echo("assent: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        _fail(f"{place}{error.strerror or error}")
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> NoReturn:
    """One line, whatever the message holds."""
    click.echo(f"assent: {' '.join(message.split())}", err=True)
    sys.exit(2)
