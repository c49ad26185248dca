"""The list of commands: found by themselves, named in help texts, near misses named."""

import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import concordant
from concordant import cli
from concordant.about import NAME
from concordant.errors import InputError

GREETING = '''"""Begin: greet somebody."""

import click


@click.command("greet", epilog="Example: %(prog)s greet Ada")
@click.argument("name")
@click.option("--loud", is_flag=True, help="As loud as %(prog)s can.")
def command(name: str, loud: bool) -> None:
    """Say hello with %(prog)s."""
    click.echo(f"Hello, {name.upper() if loud else name}!")
'''


def test_every_command_can_be_loaded_and_has_a_help_text_and_a_summary() -> None:
    context = click.Context(cli.program)
    for name, (group, summary) in cli.commands().items():
        command = cli.program.get_command(context, name)
        assert command is not None
        assert command.help
        assert group in cli.GROUPS
        assert summary.endswith(".")
        assert "%(prog)s" not in command.get_help(click.Context(command))


def test_what_a_command_does_a_public_function_does() -> None:
    others = {
        "measures": "suitable",
        "model": "rasch",
        "planning": "plan",
        "power": "sample_size",
        "studio": "open_studio",
        "treebank": "report",
    }
    for name in cli.commands():
        assert callable(getattr(concordant, others.get(name, name))), name


def test_a_new_command_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "greet.py").write_text(GREETING)
    (tmp_path / "shared.py").write_text('"""Not a command."""\n')
    monkeypatch.setattr(cli, "__path__", [*cli.__path__, str(tmp_path)])
    cli.commands.cache_clear()
    try:
        runner = CliRunner()
        assert "greet" in runner.invoke(cli.program, ["--help"]).output
        assert "shared" not in cli.commands()
        shown = runner.invoke(cli.program, ["greet", "--help"]).output
        assert f"Say hello with {NAME}." in shown
        assert f"As loud as {NAME} can." in shown
        assert f"Example: {NAME} greet Ada" in shown
        assert runner.invoke(cli.program, ["greet", "Ada", "--loud"]).output == "Hello, ADA!\n"
    finally:
        cli.commands.cache_clear()
        sys.modules.pop(f"{NAME}.cli.greet", None)


def test_a_word_that_is_no_command_names_the_nearest() -> None:
    with pytest.raises(InputError, match=r"no command 'measur'.*'measure'"):
        cli.program(["measur"], standalone_mode=False)
