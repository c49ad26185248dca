"""Options that commands share: made from `Choices`, shown in groups, and refused where they say nothing."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from concordant.about import NAME
from concordant.choices import Choices
from concordant.errors import InputError, MissingExtra
from concordant.memory import staying
from concordant.model.clusters import NO_CLUSTERS

Decorator = Callable[[Any], Any]

FILE, PLACE = click.Path(), click.Path(path_type=Path)
"""The type of an argument that names a file, a folder, or `-`; whoever reads it says what is wrong with it."""

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON with unrounded numbers.")
STUDY = click.argument("study", type=PLACE)
shown = partial(click.option, show_default=True)
CONFIDENCE = shown("--confidence", default=0.95, help="Confidence level of the interval.")
CLUSTER = click.option(
    "--cluster",
    metavar="COLUMN|none",
    help="Units with one value of this column belong together and are drawn together; none: every unit alone. "
    "[default: what the source of the data says]",
)

CROSSED = click.option(
    "--crossed",
    is_flag=True,
    help="All questions at once as one design: variance components of units × raters × questions (dependability).",
)
READ_ON = click.option(
    "--read-on",
    multiple=True,
    metavar="SCALE",
    help="Read values on this published scale: landis-koch, fleiss, krippendorff, koo-li or rosenthal; repeatable for "
    "several side by side. [default: the one made for the measure]",
)


@contextmanager
def importing_web(command: str) -> Iterator[None]:
    """For importing what serves, which takes an extra of its own and a second."""
    try:
        with staying():
            yield
    except ModuleNotFoundError as error:
        raise MissingExtra(f"{NAME} {command}", "web") from error


def column_of(cluster: str | None) -> list[str]:
    """The column that --cluster names, if it names one."""
    return [] if cluster is None or cluster == NO_CLUSTERS else [cluster]


Completion = Callable[[click.Context, click.Parameter, str], list[str]]


def completing(names: Callable[[], Iterable[str]]) -> Completion:
    """What a shell completes: those of the names that begin like what was typed."""
    return lambda context, parameter, incomplete: [name for name in names() if name.startswith(incomplete)]


def _measure_keys() -> Iterable[str]:
    from concordant.measures.catalogue import CATALOGUE

    return CATALOGUE


measure_keys = completing(_measure_keys)


def column_names_in(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """What a shell completes: the columns of the data that were typed, in capitals or not; `--where` goes on with =."""
    from concordant.readers.table import column_names

    # click gives up on an option without a value, so the words that were typed may not have found their arguments yet
    words = map(str, filter(None, (context.params.get("data"), *context.args)))
    path = next((path for path in map(Path, words) if path.is_file()), None)
    if path is None:
        return []
    with path.open("rb") as stream:
        head = stream.read(1 << 16).decode("utf-8-sig", errors="replace")
    after = "=" if parameter.name == "where" else ""
    typed = incomplete.casefold()
    return [f"{name}{after}" for name in column_names(path, head) if name and name.casefold().startswith(typed)]


by_option = partial(click.option, "--by", multiple=True, metavar="COLUMN", shell_complete=column_names_in)
measures_option = partial(click.option, "--measure", multiple=True, metavar="KEY", shell_complete=measure_keys)


def options_of(choices: type[Choices], *, without: Collection[str] = (), about: str = "") -> tuple[Decorator, ...]:
    """An option for every choice that has a help; it is None unless it is given. `about` is put before every help."""
    made: list[Decorator] = []
    for one in choices.described():
        flag, told = f"--{one.name.replace('_', '-')}", one.help
        if not told or one.name in without:
            continue
        if about:
            told = f"{about}{told[0].lower()}{told[1:]}"
        if one.type is bool:
            made.append(click.option(f"{flag}/--no-{flag[2:]}", one.name, default=None, help=told))
            continue
        if one.default not in (None, (), frozenset()):
            told = f"{told.removesuffix('.')}.  [default: {one.default}]"
        kind: Any = click.Choice(one.values) if one.values else one.type if one.type in (int, float) else str
        made.append(click.option(flag, one.name, type=kind, help=told, metavar="LABELS" if one.sequence else None))
    return tuple(made)


def taken(choices: type[Choices], given: dict[str, Any]) -> dict[str, Any]:
    """Take what was given of these choices out of a command's arguments; lists are written a,b,c."""
    found = {one: given.pop(one.name, None) for one in choices.described() if one.help}
    return {one.name: one.listed(value) for one, value in found.items() if value is not None}


class Grouped(click.Command):
    """A command whose help shows its options in groups; `groups` names the decorators of each."""

    def __init__(self, *args: Any, groups: Mapping[str, Sequence[Decorator]], **more: Any) -> None:
        """Note which options each group has."""
        super().__init__(*args, **more)
        self.groups = {title: names_of(options) for title, options in groups.items()}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Every group under its title; what is in none, as --help, in the last."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        shown = {one.name: record for one in options if (record := one.get_help_record(ctx)) is not None}
        named = {name for names in self.groups.values() for name in names}
        *first, last = self.groups.items()
        for title, names in (*first, (last[0], [*last[1], *(name for name in shown if name not in named)])):
            with formatter.section(title):
                formatter.write_dl([shown[name] for name in names])


def names_of(options: Sequence[Decorator]) -> list[str]:
    """The names of options, found by putting them on a function that does nothing."""
    probe = add(options)(lambda: None)
    return [one.name for one in reversed(probe.__click_params__)]


def add(options: Sequence[Decorator]) -> Decorator:
    """Add options to a command, shown in this order."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def refuse(context: click.Context, names: Collection[str], kind: str) -> None:
    """What was given and says nothing about this kind of data is not ignored."""
    for parameter in context.command.params:
        if parameter.name in names and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE:
            raise InputError(f"{parameter.opts[0]} says nothing about {kind}", hint="leave it out")
