"""DATA and the options that say how to read them: shared by every command that takes data of any kind.

What is in the data decides which reader reads them, and whatever was said about reading goes to that reader, which
refuses what it does not have.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from concordant.choices import split
from concordant.cli.options import FILE, Decorator, add, column_names_in, options_of, shown, taken
from concordant.errors import InputError
from concordant.measures.catalogue import find_measure
from concordant.measures.gamma import GammaOptions
from concordant.model.continuum import Continuum
from concordant.model.measurable import KINDS
from concordant.model.spans import SpanTable
from concordant.model.study import Study
from concordant.progress import Progress, silent
from concordant.readers import find_wanted, formats, read_as
from concordant.readers.format import Format, Recognized
from concordant.readers.joined import OWNERS, joins_of
from concordant.readers.layers import LayerOptions
from concordant.readers.layout import TableOptions
from concordant.readers.rater_kinds import RaterKinds
from concordant.readers.span_table import USUAL, SpanTableOptions
from concordant.readers.study_folder import StudyFolderOptions

if TYPE_CHECKING:
    from concordant.engines.remote import RemoteTable


class Source(NamedTuple):
    """Data files and how to read them, as given on the command line.

    `options` are those that have a name of their own there, `said` those given by `--read`, as they were written.
    """

    paths: tuple[str, ...]
    format: str | None
    options: Mapping[str, Any]
    said: Mapping[str, str]
    where: tuple[tuple[str, tuple[str, ...]], ...]
    raters: tuple[str, ...] | None
    kinds: Mapping[str, Any] = {}  # which raters are models, and whose judgements are used
    joined: tuple[tuple[str, str], ...] = ()  # files of attributes, and whose they are
    engine: str = "memory"  # who reads them
    told: tuple[str, ...] = ()  # why it was chosen

    @property
    def path(self) -> str:
        """The data, or those of the first rater."""
        return self.paths[0]

    def of(self, kinds: Sequence[str] = ()) -> Recognized:
        """What the data are; `kinds` leaves only some kinds of data. Another engine reads tables."""
        if self.engine != "memory":
            from concordant.readers.elsewhere import format_of

            return format_of(self.engine, self.paths, self.where, kinds, self.format)
        return find_wanted(self.paths, kinds, self.format, **{**self.said, **self.options})

    def measured_by(self, keys: Sequence[str]) -> Recognized:
        """What the data are, if they are to be measured so: a table may be one of judgements or of spans.

        A format that is named decides alone; measures that cannot take such data refuse them.
        """
        kinds: tuple[str, ...] = ()
        for key in keys:
            own = find_measure(key).of
            if kinds and not set(kinds) & set(own):
                both = f"{keys[0]} measures {KINDS[kinds[0]]} and {key} {KINDS[own[0]]}"
                raise InputError(both, hint="ask for one kind at a time")
            kinds = tuple(kind for kind in kinds or own if kind in own)
        return self.of(() if self.format else kinds)

    def read(self, found: Format, *, progress: Progress = silent, **more: Any) -> Any:
        """The data, read as that format, with the rows and raters asked for."""
        own = found.options.written(f"the format {found.name}", self.said)
        if twice := next((name for name in own if name in self.options), None):
            raise InputError(f"{twice} is said twice", hint=f"leave out --read {twice}=…")
        how = {**self.options, **own, **self.kinds, **more, "raters": self.raters}
        joins = joins_of([file for file, _ in self.joined], [on for _, on in self.joined]) if self.joined else ()
        data = read_as(found, *self.paths, where=self.where, joins=joins, progress=progress, **how)
        return replace(data, notes=(*self.told, *data.notes)) if isinstance(data, Study | SpanTable) else data

    def study(self, *, attributes: list[str] | None = None, for_labels: bool = False) -> Study:
        """The judgements in the data; for labels with those of units that a study allocated."""
        found = self.of(("judgements",)).format
        more: dict[str, Any] = {"allocated": True} if for_labels and found.options is StudyFolderOptions else {}
        study: Study = self.read(found, attributes=attributes, **more)
        return study

    def remote(self) -> "RemoteTable | Study":
        """The data as a table of another engine, or what it read where the rows have to come here."""
        from concordant.readers.data import as_data

        joins = joins_of([file for file, _ in self.joined], [on for _, on in self.joined]) if self.joined else ()
        how = {**self.options, **self.kinds, "joins": joins}
        how |= {"engine": self.engine, "stays": not joins, "raters": self.raters}
        table: RemoteTable | Study = as_data(list(self.paths), where=self.where, **how)
        return table

    @property
    def is_of_trees(self) -> bool:
        """Whether these are two treebanks, which are compared, and not two files of the same judgements or spans."""
        if len(self.paths) != 2:
            return False
        with suppress(InputError):  # treebanks are also judgements of parses, but two of them are compared
            return bool(find_wanted(self.paths, ("profiles", "brackets"), self.format).format)
        return False

    @property
    def kept(self) -> dict[str, str]:
        """Which rows and raters were kept, models or people, for signatures."""
        kinds = {name: ",".join(said) if isinstance(said, tuple) else said for name, said in self.kinds.items()}
        rows = {"where": ";".join(f"{name}={','.join(values)}" for name, values in self.where)} if self.where else {}
        return kinds | rows | ({} if self.raters is None else {"only": ",".join(self.raters)})

    def selection(self, *, pool: bool = False) -> dict[str, str]:
        """How the judgements were chosen, for signatures; `verify` chooses them again."""
        texts = {name: value for name, value in self.options.items() if isinstance(value, str) and value != "refuse"}
        lists = {name: ",".join(value) for name, value in self.options.items() if isinstance(value, tuple) and value}
        chosen = texts | ({"format": self.format} if self.format else {}) | lists | dict(self.said)
        return chosen | self.kept | ({"pool": "yes"} if pool else {})


class FormatNames(click.Option):
    """The option --format; its help names all formats, and readers are imported only to show it."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help."""
        self.help = f"How to read DATA if what is in it does not say: {', '.join(sorted(formats()))}."
        return super().get_help_record(ctx)


ENGINE = shown(
    "--engine",
    type=click.Choice(["memory", "duckdb", "spark", "auto"]),
    default="memory",
    help="Who reads tables: memory, duckdb or spark (files larger than memory, folders, patterns, addresses), or auto:"
    " by their size. `measure`, `verify` and `gold` (votes, dawid_skene) count there too.",
)
OPTIONS: tuple[Decorator, ...] = (
    *options_of(TableOptions, without=("attributes",)),
    *options_of(RaterKinds),
    click.option(
        "--attributes",
        multiple=True,
        metavar="FILE",
        help="A table that says more about units or raters, a row for each; needs --on; repeatable.",
    ),
    click.option("--on", multiple=True, type=click.Choice(OWNERS), help="Whose attributes --attributes has."),
    click.option(
        "--where",
        multiple=True,
        metavar="COLUMN=VALUE,…",
        shell_complete=column_names_in,
        help="Keep only these rows; repeatable.",
    ),
    click.option("--format", cls=FormatNames, metavar="NAME"),
    *options_of(LayerOptions, about="Spans: "),
    click.option(
        "--read", "said", multiple=True, metavar="NAME=VALUE", help="Another option of the format; repeatable."
    ),
    ENGINE,
)


def data_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add DATA and its options to a command; it gets them as one `source`."""

    @functools.wraps(command)
    def with_source(*args: Any, **given: Any) -> Any:
        return command(*args, source=make_source(given), **given)

    return cast(Callable[..., Any], click.argument("data", type=FILE)(add(OPTIONS)(with_source)))


def make_source(given: dict[str, Any]) -> Source:
    """Take the data options out of a command's arguments."""
    raters = given.pop("raters")
    read = _pairs("--read", given.pop("said"), "NAME=VALUE", "encoding=latin-1")
    files, owners = given.pop("attributes"), given.pop("on")
    if len(files) != len(owners):
        raise InputError("--attributes and --on go together", hint="say --attributes FILE --on unit, or --on rater")
    where = _pairs("--where", given.pop("where"), "COLUMN=VALUE", "group=NS,NNS")
    paths = (given.pop("data"), *given.pop("more", ()))
    told: tuple[str, ...] = ()
    engine = given.pop("engine")
    if engine == "auto":
        from concordant.readers.elsewhere import decided

        engine, told = decided(engine, paths)
    return Source(
        paths=paths,
        engine=engine,
        told=told,
        format=given.pop("format"),
        options={**taken(TableOptions, given), **taken(LayerOptions, given), **taken(SpanTableOptions, given)},
        said=dict(read),
        where=tuple((name, split(values)) for name, values in where),
        raters=None if raters is None else split(raters),
        kinds=taken(RaterKinds, given),
        joined=tuple(zip(files, owners, strict=True)),
    )


def _pairs(option: str, texts: Sequence[str], form: str, example: str) -> list[tuple[str, str]]:
    """What was written as `NAME=VALUE`, taken apart."""
    found = [text.partition("=") for text in texts]
    if wrong := next((text for text, (_, equals, _) in zip(texts, found, strict=True) if not equals), None):
        raise InputError(f"{option} {wrong!r} is not {form}", hint=f"for example {option} {example}")
    return [(name.strip(), value) for name, _, value in found]


MORE = click.argument("more", type=FILE, nargs=-1, metavar="[MORE DATA]...")
"""Further files of the same format: more rows of a table, or those of other raters."""
SPAN_OPTIONS: tuple[Decorator, ...] = (
    *options_of(SpanTableOptions, without=("rater", "encoding", "separator"), about="Spans: "),
    click.option("--features", help="Spans: features (further columns) to merge into the category: a,b."),
    click.option("--positions", type=click.Choice(["characters", "tokens", "steps", "time"]),
                 help="Spans: count positions in tokens (needs --texts); for alpha_U take them as whole steps (as"
                 " characters are) or as times. Otherwise as the format says."),
    click.option("--texts", help="Spans: folder with NAME.txt for every text, or the file of the only one; their"
                 " lengths count."),
)  # fmt: skip
GROUP = click.option(
    "--group",
    multiple=True,
    metavar="NAME=RATER,…",
    help="Groups of raters (own=A,B,foreign=C); repeatable. Or the column that says each rater's group (spans: in this"
    " text).",
)
CATEGORICAL = shown(
    "--categorical", default="identity", metavar="KIND",
    help="Gamma: identity, ordinal (with --categories in order), or a CSV matrix between categories.",
)  # fmt: skip
CHANCE = ("sampler", "samples", "precision", "workers", "length")
CONVENTIONS = (*options_of(GammaOptions), CATEGORICAL)
"""The options of measures of spans, chance among them."""


class Spans(NamedTuple):
    """Spans as they were read: a continuum per text, slice and group; the table of all; the conventions of Gamma.

    `kept` names the further columns that are features without a part in the values.
    """

    texts: list[Continuum]
    table: SpanTable
    kept: list[str]
    conventions: dict[str, Any]


class SpanChoices(NamedTuple):
    """What the span options said."""

    features: tuple[str, ...]
    positions: str | None
    texts: str | None
    groups: tuple[str, ...]
    gamma: Mapping[str, Any]
    categorical: str

    def read(self, source: Source, found: Format, by: Sequence[str]) -> Spans:
        """The spans that were asked for, and all that was said of them."""
        from concordant.readers.continua import Chosen

        order = source.options.get("categories")
        reading = {name: value for name, value in source.options.items() if name != "categories"}
        table = source._replace(options=reading, raters=None, where=()).read(found)
        in_tokens = self.positions == "tokens"
        if in_tokens and self.texts is None:
            raise InputError("positions in tokens need the texts", hint="name their folder with --texts")
        texts = Chosen(source.where, source.raters, self.features, self.texts, self.groups, in_tokens)
        used = {*self.features, *by, *(name for name, _ in source.where), *self.groups}
        left = ", ".join(name for name in table.features if name not in used)
        kept = [f"kept as features of the spans: {left} (--features merges them into the category)"] if left else []
        return Spans(texts.of(table, by), table, kept, self._conventions(order))

    def _conventions(self, order: tuple[str, ...] | None) -> dict[str, Any]:
        """What was said about Gamma, by the names of its options; `order` is that of ordinal categories."""
        if order and self.categorical != "ordinal":
            raise InputError("--categories says nothing about spans", hint="say --categorical ordinal, or leave it out")
        said = dict(self.gamma)
        if self.positions in ("steps", "time"):
            said["positions"] = self.positions
        if self.categorical == "identity":
            return said
        if self.categorical != "ordinal":
            from concordant.readers.contingency import read_matrix_table

            return {**said, "matrix": self.categorical, "table": read_matrix_table(self.categorical)}
        if not order:
            raise InputError("ordinal dissimilarity needs the order", hint="list it with --categories a,b,c")
        return {**said, "matrix": "ordinal", "order": order}

    def selection(self, source: Source) -> dict[str, str]:
        """How the spans were chosen, for signatures."""
        named = {f"column_{name}": source.options.get(name) for name in USUAL}
        layers = {one.name: source.options.get(one.name) for one in LayerOptions.described()}
        named |= {name: ",".join(value) if isinstance(value, tuple) else value for name, value in layers.items()}
        tokens = {"positions": "tokens"} if self.positions == "tokens" else {}
        chosen = {**named, "format": source.format, "features": ",".join(self.features), **tokens, "texts": self.texts}
        chosen |= {**source.said, **source.kept, "groups": ",".join(self.groups)}
        return {name: text for name, text in chosen.items() if text}


def span_options(*, chance: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options of spans to a command; it gets them as one `spans`. `chance` adds those of sampling."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_spans(*args: Any, **given: Any) -> Any:
            spans = SpanChoices(
                features=split(given.pop("features") or ""),
                positions=given.pop("positions"),
                texts=given.pop("texts"),
                groups=given.pop("group"),
                categorical=given.pop("categorical"),
                gamma=taken(GammaOptions, given),
            )
            return command(*args, spans=spans, **given)

        ours = CONVENTIONS if chance else (*options_of(GammaOptions, without=CHANCE), CATEGORICAL)
        return cast(Callable[..., Any], add((GROUP, *SPAN_OPTIONS, *ours))(with_spans))

    return decorate
