"""Data IN: one module per format, and `read`, which finds the right one.

A reader is a module with a `FORMAT` (see `format.py`), or a tuple of several, in this folder, or in another package
that announces it as an entry point of the group that is called like this folder. Nothing else in the tree names a
format.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from re import escape
from typing import Any

from concordant.choices import split
from concordant.engines.lakes import lake_of
from concordant.errors import InputError, nearest
from concordant.model.measurable import KINDS
from concordant.model.study import Study
from concordant.progress import Progress, silent
from concordant.readers.decoding import with_decoding_told
from concordant.readers.format import POSSIBLE, Format, Holds, Recognized
from concordant.readers.joined import Join, joins_of, with_attributes
from concordant.readers.rater_kinds import RaterKinds, of_kinds, without_gold
from concordant.readers.spelling import refuse_words_among_numbers
from concordant.readers.together import data_together
from concordant.readers.zipped import GZIP, as_folder
from concordant.registry import parts

Where = Mapping[str, Sequence[str]] | Iterable[tuple[str, Sequence[str]]]
MOST_LOOKED_AT = 200  # files of a folder
MOST_NAMED = 4  # of its tables
HEAD = 1 << 16  # bytes of a file that readers may look at to know it


def read(
    path: str | Path,
    *more: str | Path,
    format: str | None = None,
    holds: Holds | None = None,
    where: Where = (),
    progress: Progress = silent,
    **options: Any,
) -> Any:
    """Read data of any kind: judgements (a `Study`), spans (a `SpanTable`), trees or a comparison of profiles.

    What is in the file decides, or `format`, or what it `holds`. `more` are further files of the same format: more rows
    of a table, or those of the other raters where every rater has a file. `where` keeps the rows of judgements or spans
    with certain values (`{"genre": ["news"]}`), `raters` those of certain raters. `models` names the raters that are
    models (globs such as `gpt-*`), `model_file` a second file with their judgements, `kind_column` the column that says
    who is one; they are left out unless `kind` is "model" or "all". `attributes` with `on` ("unit" or "rater") is a
    table that says more about units or raters; without `on` it names the columns to keep. The other options are those
    of the format; None is as if it were not given.
    """
    joins = taken_joins(options)
    how: dict[str, Any] = {name: options.get(name) for name in ("encoding", "separator")}
    found = find_format(path, *more, format=format, holds=holds, **how)
    return read_as(found.format, path, *more, where=where, joins=joins, progress=progress, **options)


def taken_joins(options: dict[str, Any]) -> list[Join]:
    """The tables of attributes to join, taken out of the options: `attributes`, if `on` says whose they are."""
    if options.get("on") is None:
        if isinstance(options.get("attributes"), str):
            raise InputError("whose attributes are these?", hint='say on="unit" or on="rater"')
        options.pop("on", None)
        return []
    return joins_of(options.pop("attributes", None), options.pop("on"))


def read_as(
    found: Format,
    *paths: str | Path,
    where: Where = (),
    joins: Sequence[Join] = (),
    progress: Progress = silent,
    **options: Any,
) -> Any:
    """Read data whose format is known, as `read` does; `joins` are attributes from other tables.

    Several files of a format that is one are read one by one and put together.
    """
    given = as_given(options)
    kinds = RaterKinds.of("a rater", taken_kinds(given))
    conditions = tuple(where.items() if isinstance(where, Mapping) else where)
    has_rows = found.holds in ("judgements", "spans")
    if is_apart := found.most is not None and len(paths) > found.most:
        _refuse_apart(found, paths)
    if conditions and not has_rows:
        raise InputError(f"{KINDS[found.holds]} have no rows to choose from", file=paths[0], hint="leave out `where`")
    if "attributes" in given:
        more = [kinds.kind_column] if kinds.kind_column else []
        later = {name for join in joins for name in join.columns}
        wanted = (*given["attributes"], *(name for name, _ in conditions), *more)
        given["attributes"] = tuple(name for name in wanted if name not in later)
    known = {one.name for one in found.options.described()}
    general = {"raters", "attributes"} - known if has_rows else set()
    own = {name: value for name, value in given.items() if name not in general}
    told: dict[str, Any] = {"progress": progress} if found.is_slow else {}
    chosen = found.options.of(f"the format {found.name}", own)
    with bounded(paths[0]), ExitStack() as unpacked:
        folders = [
            unpacked.enter_context(as_folder(Path(path))) if is_packed(path) and ".zip" not in found.endings else path
            for path in paths
        ]
        reader = partial(found.read, options=chosen, **told)
        data = data_together([reader(one) for one in folders]) if is_apart else reader(*folders)
    if folders != [*paths] and hasattr(data, "name"):
        data = replace(data, name=" ".join(map(str, paths)))
    for name in given.get("attributes", ()) if "attributes" in general else ():
        data.column(name)
    data = with_decoding_told(data)
    return chosen_rows(with_attributes(data, joins), conditions, given.get("raters"), kinds, own)


def _refuse_apart(found: Format, paths: Sequence[str | Path]) -> None:
    """Refuse several files of a format that has one, where they cannot be put together once they are read."""
    if found.in_folders:
        raise InputError(f"{len(paths)} files of {found.name}", hint="give the folder that they are in")
    if found.holds not in ("judgements", "spans"):
        raise InputError(f"{len(paths)} files of {KINDS[found.holds]}", hint="give one of them")


def taken_kinds(given: dict[str, Any]) -> dict[str, Any]:
    """Take what was said about kinds of raters out of other options."""
    found = {one.name: given.pop(one.name) for one in RaterKinds.described() if one.name in given}
    if isinstance(found.get("models"), str):
        found["models"] = split(found["models"])
    return found


def chosen_rows(
    data: Any, where: Where, raters: Sequence[str] | None, kinds: RaterKinds, reading: Mapping[str, Any]
) -> Any:
    """The rows asked for, of the kind of rater asked for, then of these raters; models may have a file of their own."""
    judged = None
    if kinds.model_file is not None:
        from concordant.readers.model_files import files_of_models, read_models  # readers themselves

        for file in files_of_models(kinds.model_file):
            read_now = read_models(file, find_format(file, holds="judgements").format, reading)
            judged = read_now if judged is None else judged.joined(read_now)
    chosen = of_kinds(selected(data, where, None), kinds, judged)
    chosen = without_gold(chosen) if raters is None else chosen
    left = {*getattr(chosen, "models", ())} - {*getattr(chosen, "raters", ())}
    chosen = selected(chosen, (), None if raters is None else [one for one in raters if one not in left])
    if isinstance(chosen, Study) and chosen.role_of and not {*chosen.models} & {*chosen.raters}:
        refuse_words_among_numbers(chosen)
    return chosen


@contextmanager
def bounded(path: str | Path) -> Iterator[None]:
    """Whatever a file does to a parser, it is one line: nested too deeply, numbers too long, too large for memory."""
    try:
        yield
    except RecursionError:
        raise InputError("the data are nested too deeply", file=path, hint="flatten them") from None
    except MemoryError:
        raise InputError("the data do not fit into memory", file=path, hint="give a part of them") from None
    except ValueError as error:
        if "integer string conversion" not in str(error):
            raise
        raise InputError("a number has more than 4,300 digits", file=path, hint="mend or quote it") from None


def is_packed(path: str | Path) -> bool:
    """Whether this is a file that may hold a packed folder, or a packed file."""
    return Path(path).suffix.casefold() in (".zip", GZIP) and Path(path).is_file()


def as_given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options without those that are None, which are as if they were not given."""
    return {name: tuple(v) if isinstance(v, list) else v for name, v in options.items() if v is not None}


def selected(data: Any, where: Where, raters: Sequence[str] | None) -> Any:
    """Only the rows of judgements or spans with these values, then only these raters'."""
    for name, values in where.items() if isinstance(where, Mapping) else where:
        data = data.where(name, values)
    return data if raters is None or set(raters) == set(data.raters) else data.where("rater", raters)


def formats(path: Path | None = None) -> dict[str, Format]:
    """All formats by their names, or those that a file may have: of this folder, then of other packages."""
    other = ""
    if path is not None and not path.is_dir():  # modules that say endings, but never this one
        mine = rf'\bendings=\([^)]*"{escape(path.suffix.casefold())}"'
        other = rf"\A(?=[\s\S]*\bendings=\()(?![\s\S]*{mine})"
    found: dict[str, Format] = {}
    held = parts("readers", "FORMAT", but=other)
    for known in (one for each in held for one in ((each,) if isinstance(each, Format) else each)):
        if known.name in found:
            hint = "uninstall one of the packages that bring them"
            raise InputError(f"two readers are called {known.name!r}", hint=hint)
        found[known.name] = known
    return found


def find_format(
    *paths: str | Path,
    format: str | None = None,
    holds: Holds | Collection[str] | None = None,
    encoding: str | None = None,
    separator: str | None = None,
) -> Recognized:
    """The format of the data at these paths: the one that is surest of them. Two that are as sure are a question.

    `holds` leaves only formats of a kind of data, or of some; `format` names one. The others say how to read the head
    of a file.
    """
    kinds = tuple(KINDS) if holds is None else (holds,) if isinstance(holds, str) else tuple(holds)
    if format is not None:
        if (named := formats().get(format)) is None:
            of_kind = [name for name, one in formats().items() if one.holds in kinds]
            raise InputError(f"unknown format {format!r}", hint=nearest(format, of_kind))
        if named.holds not in kinds:
            raise InputError(f"the format {format} holds {named.holds}, not {' or '.join(kinds)}")
        return Recognized(named, 1.0, "as was asked for")
    places = [Path(path) for path in paths]
    if lacking := next((path for path in places if not path.exists() and str(path) != "-"), None):
        around = [near.name for near in lacking.parent.iterdir()] if lacking.parent.is_dir() else []
        hint = nearest(lacking.name, around) if around else None
        raise InputError("there is no such file or folder", file=lacking, hint=hint)
    asked = formats(places[0] if len(places) == 1 else None)
    known = {name: one for name, one in asked.items() if one.holds in kinds}
    sure = dict.fromkeys(known, 1.0)
    for path in places:
        head = _head(path, encoding)
        with bounded(path):
            claims = _claims(known, path, head if separator is None else head.replace(separator, "\t"))
        sure = {name: min(sure[name], claims[name]) for name in known}
    whole = {name: sure[name] for name in known if known[name].most is None and sure[name] > POSSIBLE}
    if len(paths) > 1 and whole:
        sure = whole
    best = [name for name, confidence in sure.items() if confidence == max(sure.values()) > 0]
    if len(best) > 1:
        raise _ambiguous([known[name] for name in best[:2]], places[0])
    if not best and is_packed(places[0]):
        with as_folder(places[0]) as inside:
            found = find_format(inside, holds=holds, encoding=encoding, separator=separator)
        return found._replace(why=f"{found.why}, unpacked")
    if not best:
        raise _unknown(places[0], kinds, "data" if holds is None else " or ".join(kinds))
    return Recognized.by(known[best[0]], places[0], sure[best[0]])


def _ambiguous(both: Sequence[Format], place: Path) -> InputError:
    """Two readers that are as sure of one file are a question."""
    what = " or ".join(f"{one.name} ({one.help.partition(':')[0].rstrip('.')})" for one in both)
    hint = " or ".join(f"--format {one.name}" for one in both)
    return InputError(f"this can be read as {what}", file=place, hint=f"say {hint}")


def _unknown(path: Path, kinds: Collection[str], of_what: str) -> InputError:
    """What is said of a file or folder that no reader knows."""
    if path.is_dir():
        if lake := lake_of(str(path)):
            return InputError(f"this is a table of {lake[0].capitalize()}", file=path, hint="--engine auto reads it")
        by_engine = "--engine auto reads folders of Parquet" if any(path.rglob("*.parquet")) else None
        from concordant.readers.table import ENDINGS  # readers are imported when they are needed

        tables = sorted(one.name for one in path.rglob("*") if one.suffix.casefold() in ENDINGS)[:MOST_NAMED]
        what = f"this is a directory, and tables are read by their names ({', '.join(tables)})"
        what = what if tables and not by_engine else "this is a directory, and no file in it is known"
        return InputError(what, file=path, hint=by_engine or "name a file in it, or several that are one table")
    of_kind = [name for name, one in formats().items() if one.holds in kinds]
    what = f"no format of {of_what} is known by this ending, or by what is in it"
    return InputError(what, file=path, hint=f"say --format with one of {', '.join(of_kind)}")


def find_wanted(
    paths: Sequence[str | Path], kinds: Sequence[str] = (), format: str | None = None, **options: Any
) -> Recognized:
    """The format of data that are to be of some kinds, none any.

    A table of spans is not taken for judgements, nor the other way round, unless `format` or `options` say something
    about reading it as such.
    """
    how: dict[str, Any] = {name: options.pop(name, None) for name in ("encoding", "separator")}
    wanted = find_format(*paths, format=format, holds=kinds or None, **how)
    if kinds and not (format or as_given(options).keys() & {one.name for one in wanted.format.options.described()}):
        found = wanted
        with suppress(InputError):  # what can be two things is what was asked for
            found = find_format(*paths, **how)
        other, asked = found.format, wanted.format
        if {other.holds, asked.holds} == {"judgements", "spans"}:
            hint = f"if they are {asked.holds}, say --format {asked.name} and name the columns"
            raise InputError(f"these are {other.holds}, not {asked.holds}", file=paths[0], hint=hint)
        if asked.holds == "judgements" and found.confidence > max(wanted.confidence, POSSIBLE):
            hint = f"if they are {asked.holds}, say --format {asked.name}"
            raise InputError(f"these are {KINDS[other.holds]}, not {asked.holds}", file=paths[0], hint=hint)
    return wanted


def _claims(known: Mapping[str, Format], path: Path, head: str) -> dict[str, float]:
    """How sure each format is of a path; a folder is also what the files in it are."""
    claims = {name: one.confidence(path, head) for name, one in known.items()}
    if not path.is_dir() or any(claims.values()):
        return claims
    files = sorted(each for each in path.rglob("*") if each.is_file())
    inside = {name for name, one in known.items() if one.in_folders}
    first: tuple[Path, set[str]] | None = None
    for place, file in enumerate(files):
        if first is not None and (file.suffix != first[0].suffix or place > MOST_LOOKED_AT):
            continue
        found = {name: one.confidence(file, _head(file, None)) for name, one in known.items()}
        surest = {name for name, sure in found.items() if sure == max(found.values()) > POSSIBLE}
        if first is None and any(found[name] for name in inside):
            first, claims = (file, surest), claims | {name: found[name] for name in inside}
        if first is not None and surest and first[1] and not surest & (first[1] if file != first[0] else inside):
            raise _mixed(first[0], min(first[1]), file, min(surest))
    return claims


def _mixed(first: Path, one: str, second: Path, other: str) -> InputError:
    """What to say of a folder whose files are of different formats, or of one whose files are read one at a time."""
    if first == second:
        what = f"{first.name} is of the format {one}, whose files are not read by the folder"
    else:
        what = f"{first.name} is of the format {one}, and {second.name} of {other}"
    return InputError(what, file=first.parent, hint=f"name a file, or a folder that holds one kind: {first.name}")


def _head(path: Path, encoding: str | None) -> str:
    """The first characters of a file as well as they can be told; those of a folder and of standard input are none."""
    if not path.is_file():
        return ""
    with path.open("rb") as stream:
        raw = stream.read(HEAD)
    usual = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return raw.decode(encoding or usual, errors="replace")
    except LookupError:  # no such encoding: the reader will say so
        return raw.decode(usual, errors="replace")
