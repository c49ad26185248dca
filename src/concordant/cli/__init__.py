"""One module per command: parse, call, print. Commands are imported only when they are used."""

import os
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click

from concordant.about import NAME, VERSION
from concordant.cli.paint import painted
from concordant.errors import ConcordantError, InputError, nearest
from concordant.memory import staying

GROUPS = ("Begin", "Plan", "Collect", "Measure", "Understand", "Keep", "Publish")
"""The life of a study. A module of this folder is a command if its first line says its group and what it does."""


def described(name: str) -> tuple[str, str] | None:
    """The group and the summary of a command, from the first line of its module; None if there is none."""
    module = next((file for folder in __path__ if (file := Path(folder, f"{name}.py")).is_file()), None)
    if module is None or not name.isidentifier():
        return None
    with module.open(encoding="utf-8") as lines:
        group, colon, summary = next(lines, "").strip().strip('"').partition(": ")
    return (group, summary[:1].upper() + summary[1:]) if colon and group in GROUPS else None


@cache
def commands() -> dict[str, tuple[str, str]]:
    """Every command with its group and summary, in the order of a study's life; no command is imported."""
    names = sorted(file.stem for folder in __path__ for file in Path(folder).glob("*.py"))
    found = {name: about for name in names if (about := described(name)) is not None}
    return dict(sorted(found.items(), key=lambda one: GROUPS.index(one[1][0])))


def load_command(name: str) -> click.Command:
    """Import a command; this program's name stands where its help texts say %(prog)s.

    Its examples are what the docstring of its module says after the first line.
    """
    if f"{__name__}.{name}" not in sys.modules:
        with staying():
            import_module(f"{__name__}.{name}")
    module = sys.modules[f"{__name__}.{name}"]
    command: click.Command = module.command
    if examples := (module.__doc__ or "").partition("\n\n")[2]:
        command.epilog = f"\b\n{examples}"
    inner = command.commands.values() if isinstance(command, click.Group) else []
    for one in (command, *inner):
        one.help, one.epilog = (text and text.replace("%(prog)s", NAME) for text in (one.help, one.epilog))
        for option in one.params:
            if isinstance(option, click.Option) and option.help:
                option.help = option.help.replace("%(prog)s", NAME)
    return command


class Commands(click.Group):
    """The commands by name; importing one does not import the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of a study's life."""
        return list(commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of one command."""
        return None if described(cmd_name) is None else load_command(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was typed; of a word that is none, the nearest is named."""
        if args and not args[0].startswith("-") and described(args[0]) is None:
            raise InputError(f"there is no command {args[0]!r}", hint=nearest(args[0], list(commands())))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in `--help`, by groups, without importing any command."""
        for group in GROUPS:
            rows = [(name, summary) for name, (its, summary) in commands().items() if its == group]
            with formatter.section(group):
                formatter.write_dl(rows, col_max=14)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(VERSION)
def program() -> None:
    """`%(prog)s studio` opens the studio in the browser; every other command is for the terminal.

    Measure how far people agree, find out why they do not, and report it so that it can be checked.
    """


program.help = (program.help or "").replace("%(prog)s", NAME)


def main() -> None:
    """Run the command line: what the user can mend is one line on standard error and exit code 2."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # our matrices are small: threads would only wait for each other
    try:
        code = program(prog_name=NAME, standalone_mode=False)
    except ConcordantError as error:
        _fail(str(error))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        code = 0
    except click.MissingParameter as error:
        _fail(f"{error.format_message()} (`{error.ctx.command_path if error.ctx else NAME} --help` explains)")
    except click.ClickException as error:
        _fail(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        click.echo(f"{NAME}: interrupted", err=True)
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
    click.echo(f"{painted(f'{NAME}:', 'bad')} {' '.join(message.split())}", err=True)
    sys.exit(2)
