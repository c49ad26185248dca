"""The options of span data and of Gamma: shared by `assent measure`, `assent align` and `assent verify`."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from assent.cli.data import Source, split
from assent.errors import InputError
from assent.measures.unitizing.entries import KEYS
from assent.measures.unitizing.variants import POSITIONAL, SAMPLERS, VARIANTS, Options, options
from assent.model.continuum import Continuum, continua
from assent.model.groups import named_groups
from assent.model.spans import SpanTable
from assent.randomness import draw_seed
from assent.readers import is_study
from assent.readers.spans import FORMATS, find_format, read_spans

COLUMNS = ("text", "begin", "end", "category")

SPAN_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--text", help="Spans: column that names the text."),
    click.option("--begin", help="Spans: column with the begin."),
    click.option("--end", help="Spans: column with the end."),
    click.option("--category", help="Spans: column with the category."),
    click.option("--features", help="Spans: features (further columns) to merge into the category: a,b."),
    click.option("--positions", type=click.Choice(["characters", "tokens"]), default="characters", show_default=True,
                 help="Spans: count positions as they are, or in tokens (needs --texts)."),
    click.option("--texts", help="Spans: folder with NAME.txt for every text, or the file of the only one."),
    click.option("--zero-length", type=click.Choice(["keep", "drop"]), default="keep", show_default=True,
                 help="Spans of zero length: keep them (gamma is then undefined), or leave them out and say so."),
    click.option("--group", multiple=True, metavar="NAME=RATER,…",
                 help="Groups of raters (own=A,B,foreign=C); repeatable. Judgements: or a column of the raters."),
    click.option("--variant", type=click.Choice(list(VARIANTS)), default="mathet", show_default=True,
                 help="Gamma: whose conventions."),
    click.option("--alpha", type=float, help="Gamma: weight of positions."),
    click.option("--beta", type=float, help="Gamma: weight of categories."),
    click.option("--delta-empty", type=float, help="Gamma: cost of a unit left alone."),
    click.option("--positional", type=click.Choice(POSITIONAL),
                 help="Gamma: how distances of positions count, squared as published or linear."),
    click.option("--categorical", default="identity", show_default=True, metavar="KIND",
                 help="Gamma: identity, ordinal (with --categories in order), or a CSV matrix between categories."),
)  # fmt: skip
CHANCE_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--sampler", type=click.Choice(SAMPLERS), help="Gamma: how chance is sampled."),
    click.option("--samples", type=int, help="Gamma: chance samples to begin with."),
    click.option("--precision", help="Gamma: sample until the expected disorder is this exact: high, medium, low, "
                 "none, or a number."),
    click.option("--workers", type=int, default=1, show_default=True, help="Gamma: processes that share the samples."),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class SpanChoices:
    """What the span options said."""

    columns: dict[str, str | None]
    features: tuple[str, ...]
    positions: str
    texts: str | None
    groups: tuple[str, ...]
    gamma: dict[str, Any]

    def table(self, source: Source) -> SpanTable:
        """Read the spans and keep those that were asked for."""
        columns = {**self.columns, "rater": source.options.get("rater")}
        table = read_spans(source.path, format=source.options.get("format"), **columns)
        if self.positions == "tokens":
            if self.texts is None:
                raise InputError("positions in tokens need the texts", hint="name their folder with --texts")
            from assent.readers.spans.tokens import in_tokens

            table = in_tokens(table, self.texts)
        for name, values in source.where:
            table = table.where(name, values)
        return table

    def continua(self, table: SpanTable, source: Source, by: Sequence[str]) -> list[Continuum]:
        """One continuum per text and slice, for every group of raters."""
        from assent.measures.unitizing.corpus import by_groups

        texts = continua(table, by=by, features=self.features, raters=source.raters or ())
        if not texts:
            raise InputError("there are no spans", file=source.path)
        return by_groups(texts, named_groups(self.groups)) if self.groups else texts

    def kept_features(self, table: SpanTable, source: Source, by: Sequence[str]) -> list[str]:
        """Say which further columns are features of the spans without a part in the values."""
        used = {*self.features, *by, *(name for name, _ in source.where)}
        left = [name for name in table.features if name not in used]
        if not left:
            return []
        return [f"kept as features of the spans: {', '.join(left)} (--features merges them into the category)"]

    def conventions(self, categories: tuple[str, ...] | None) -> dict[str, Any]:
        """What was said about Gamma, by the names of its options; `categories` are the order of ordinal ones."""
        chosen = dict(self.gamma)
        kind = chosen.pop("categorical")
        chosen |= {"matrix": kind}
        if kind == "ordinal":
            if not categories:
                raise InputError("ordinal dissimilarity needs the order", hint="list it with --categories a,b,c")
            chosen["order"] = categories
        elif kind != "identity":
            chosen["table"] = read_matrix_table(kind)
        return chosen

    def options(self, *, categories: tuple[str, ...] | None, seed: int | None = None, **more: Any) -> Options:
        """The conventions of Gamma."""
        return options(seed=draw_seed() if seed is None else seed, **self.conventions(categories), **more)

    def selection(self, source: Source) -> dict[str, str]:
        """How the spans were chosen, for signatures."""
        named = {**self.columns, "rater": source.options.get("rater"), "format": source.options.get("format")}
        chosen = {f"column_{name}" if name != "format" else name: value for name, value in named.items() if value}
        if self.features:
            chosen["features"] = ",".join(self.features)
        if self.positions == "tokens":
            chosen |= {"positions": "tokens", "texts": self.texts or ""}
        if source.where:
            chosen["where"] = ";".join(f"{name}={','.join(values)}" for name, values in source.where)
        if source.raters:
            chosen["only"] = ",".join(source.raters)
        if self.groups:
            chosen["groups"] = ",".join(self.groups)
        return chosen


def claimed_continuum(selection: Mapping[str, str], place: Mapping[str, str], path: str) -> Continuum:
    """The continuum that a signature is about, chosen again from the data."""
    source = Source.from_selection(path, {k: v for k, v in selection.items() if k in ("where", "only", "format")})
    choices = SpanChoices(
        columns={name: selection.get(f"column_{name}") for name in COLUMNS},
        features=split(selection.get("features")) or (),
        positions=selection.get("positions", "characters"),
        texts=selection.get("texts"),
        groups=(selection["groups"],) if "groups" in selection else (),
        gamma={},
    )
    source = replace(source, options={**source.options, "rater": selection.get("column_rater")})
    by = [name for name in place if name not in ("text", "raters", "category")]
    wanted = {name: value for name, value in place.items() if name != "category"}
    found = choices.continua(choices.table(source), source, by)
    chosen = next((text for text in found if dict(text.slice) == wanted), None)
    if chosen is None:
        raise InputError(f"there is no {' · '.join(wanted.values())} in these data", file=path)
    return chosen


def read_matrix_table(path: str) -> tuple[tuple[str, ...], ...]:
    """A matrix between categories: header and first column hold them."""
    from assent.readers.tables import read_table

    table = read_table(path)
    columns = [table.columns[name].text().tolist() for name in table.names]
    return (table.names, *zip(*columns, strict=True))


def is_spans(source: Source, keys: Sequence[str]) -> bool:
    """Whether the data are spans: a unitizing measure or a format of spans is asked for, or the columns say so."""
    asked = [key for key in keys if key in KEYS]
    if asked and len(asked) < len(keys):
        other = next(key for key in keys if key not in KEYS)
        raise InputError(f"{asked[0]} measures spans and {other} judgements", hint="ask for one kind at a time")
    given = source.options.get("format")
    if asked or given in FORMATS:
        return True
    if keys or given is not None or source.path == "-" or is_study(source.path):
        return False
    return _looks_like_spans(Path(source.path), source)


def _looks_like_spans(path: Path, source: Source) -> bool:
    """Whether a file or folder can only hold spans."""
    if is_study(path):
        return False
    if path.is_dir():
        return True
    if not path.exists() or path.suffix.casefold() == ".jsonl":
        return False
    try:
        if find_format(path) != "long":
            return True
    except InputError:
        return False
    from assent.readers.tables import table_names

    how = {name: source.options.get(name) for name in ("encoding", "separator")}
    return {"begin", "end"} <= {name.casefold() for name in table_names(path, **how)}


def span_options(*, chance: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options of spans to a command; it gets them as one `spans`. `chance` adds those of sampling."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_spans(*args: Any, **given: Any) -> Any:
            return command(*args, spans=make_choices(given), **given)

        wrapped: Callable[..., Any] = with_spans
        for option in reversed((*SPAN_OPTIONS, *(CHANCE_OPTIONS if chance else ()))):
            wrapped = option(wrapped)
        return wrapped

    return decorate


def make_choices(given: dict[str, Any]) -> SpanChoices:
    """Take the span options out of a command's arguments."""
    weights = ("variant", "alpha", "beta", "delta_empty", "positional", "categorical")
    chance = ("sampler", "samples", "precision", "workers")
    gamma = {name: given.pop(name) for name in (*weights, *chance) if name in given}
    return SpanChoices(
        columns={name: given.pop(name) for name in COLUMNS},
        features=split(given.pop("features")) or (),
        positions=given.pop("positions"),
        texts=given.pop("texts"),
        groups=given.pop("group"),
        gamma=gamma | {"drop_zero_length": given.pop("zero_length") == "drop"},
    )
