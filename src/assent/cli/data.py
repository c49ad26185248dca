"""The options that say how to read a data file: shared by every command that takes DATA."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import click

from assent.cli.completion import FILE
from assent.errors import InputError
from assent.model.study import Study
from assent.readers import read
from assent.readers.roles import Roles, decide

if TYPE_CHECKING:
    from assent.engines.out_of_core import RemoteTable


TEXTS = ("unit", "rater", "value", "question", "count", "level", "encoding", "separator", "duplicates", "format")
LISTS = ("categories", "missing")
"""The options that say how to read the data, besides which rows and raters to keep."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """A data file and how to read it, as given on the command line."""

    path: str
    options: dict[str, Any]
    where: tuple[tuple[str, tuple[str, ...]], ...] = ()
    raters: tuple[str, ...] | None = None

    def study(self, *, attributes: list[str] | None = None) -> Study:
        """Read it, then keep the rows and raters asked for."""
        wanted = None if attributes is None else [*attributes, *(name for name, _ in self.where)]
        study = read(self.path, attributes=wanted, raters=self.raters, **self.options)
        for name, values in self.where:
            study = study.where(name, values)
        if self.raters is not None and set(study.raters) != set(self.raters):
            study = study.where("rater", self.raters)
        return study

    def remote(self, engine: str) -> "RemoteTable":
        """The file as a table of another engine; only long tables can be counted there."""
        from assent.engines.out_of_core import open_table

        opened = open_table(engine, self.path, unit="unit", rater="rater", value="value")
        names = opened.frame.collect_schema().names()
        roles = Roles(**{role: self.options.get(role) for role in ("unit", "rater", "value", "question")})
        layout = decide(names, roles, self.path)
        if layout is None or layout.unit is None or layout.rater is None or layout.value is None:
            raise InputError(
                "only long tables can be counted by this engine", file=self.path, hint="use --engine memory"
            )
        table = replace(
            opened,
            unit=layout.unit,
            rater=layout.rater,
            value=layout.value,
            question=layout.question,
            level=self.options.get("level"),
            categories=self.options.get("categories"),
            notes=tuple(layout.notes),
        )
        for name, values in (*self.where, *([("rater", self.raters)] if self.raters else [])):
            table = table.where(name, values)
        return table

    def selection(self, *, pool: bool = False) -> dict[str, str]:
        """How the judgements were chosen, for signatures; `from_selection` chooses them again."""
        chosen = {
            name: value for name, value in self.options.items() if value and (name, value) != ("duplicates", "refuse")
        }
        chosen = {name: ",".join(value) if isinstance(value, tuple) else value for name, value in chosen.items()}
        if self.where:
            chosen["where"] = ";".join(f"{name}={','.join(values)}" for name, values in self.where)
        if self.raters is not None:
            chosen["only"] = ",".join(self.raters)
        return chosen | ({"pool": "yes"} if pool else {})

    @classmethod
    def from_selection(cls, path: str, selection: Mapping[str, str]) -> Self:
        """The source again from a signature's selection."""
        options: dict[str, Any] = {n: v for n, v in selection.items() if n not in ("where", "only", "pool")}
        if damaged := sorted(set(options) - {*TEXTS, *LISTS}):
            raise InputError(f"a signature cannot say {damaged[0]!r} about the data", hint="copy the whole line")
        options |= {name: split(options[name]) for name in LISTS if name in options}
        conditions = tuple(_condition(text) for text in selection.get("where", "").split(";") if text)
        return cls(path=path, options=options, where=conditions, raters=split(selection.get("only")))


OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--unit", help="Column that names the unit (what is judged)."),
    click.option("--rater", help="Column that names the rater."),
    click.option("--value", help="Column with the judgement."),
    click.option("--question", help="Column that names the question, if there are several."),
    click.option("--raters", help="Wide form: the columns that are raters. Long form: only these raters."),
    click.option("--count", help="Wide form: column that says how many units have the row's values."),
    click.option("--level", help="Level of measurement: nominal, ordinal, interval, ratio, circular, bipolar or set."),
    click.option("--categories", help="All categories in order, unused ones too: a,b,c."),
    click.option("--missing", help="Values that mean missing, besides empty cells: NA,None."),
    click.option("--where", multiple=True, metavar="COLUMN=VALUE,…", help="Keep only these rows; repeatable."),
    click.option("--format", help="How to read DATA if its ending does not say: contingency …"),
    click.option("--encoding", help="Encoding of a text file, if it is not found out."),
    click.option("--separator", help="Separator of columns, if it is not found out."),
    click.option(
        "--duplicates",
        type=click.Choice(["refuse", "last"]),
        default="refuse",
        show_default=True,
        help="Two judgements of one unit by one rater: an error, or keep the last.",
    ),
)


def data_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add DATA and its options to a command; it gets them as one `source`."""

    @functools.wraps(command)
    def with_source(*args: Any, **given: Any) -> Any:
        return command(*args, source=make_source(given), **given)

    wrapped: Callable[..., Any] = with_source
    for option in reversed(OPTIONS):
        wrapped = option(wrapped)
    return click.argument("data", type=FILE)(wrapped)


def make_source(given: dict[str, Any]) -> Source:
    """Take the data options out of a command's arguments."""
    raters = split(given.pop("raters"))
    options = {name: given.pop(name) for name in TEXTS}
    options |= {"categories": split(given.pop("categories")), "missing": split(given.pop("missing")) or ()}
    conditions = tuple(_condition(text) for text in given.pop("where"))
    return Source(path=given.pop("data"), options=options, where=conditions, raters=raters)


def split(text: str | None) -> tuple[str, ...] | None:
    """`a,b,c` as three; None stays None."""
    return None if text is None else tuple(part.strip() for part in text.split(",") if part.strip())


def _condition(text: str) -> tuple[str, tuple[str, ...]]:
    """`COLUMN=VALUE,VALUE` as a name and values."""
    name, equals, values = text.partition("=")
    if not equals:
        raise InputError(f"--where {text!r} is not COLUMN=VALUE", hint="for example --where group=NS,NNS")
    return name.strip(), split(values) or ()
