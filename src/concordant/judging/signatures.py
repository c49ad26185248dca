"""`verify` for every signature: those of coefficients, and those of results that judging signs itself."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

from concordant.choices import split, whole
from concordant.errors import InputError
from concordant.judging.corrected import COLUMNS, KEY, Aim, estimated
from concordant.judging.judge import judges
from concordant.judging.perspective import perspectives
from concordant.judging.severity import rasch
from concordant.model.study import Study
from concordant.readers import find_wanted, read_as, taken_kinds
from concordant.readers.data import as_data, as_paths
from concordant.readers.joined import Join, joins_of
from concordant.readers.rater_kinds import RaterKinds, kept
from concordant.uncertainty import front
from concordant.uncertainty.front import LISTS
from concordant.uncertainty.request import Signature, Verification, compare, read_signature


def verify(
    text: str,
    data: Any,
    *,
    matrices: Mapping[str, Any] | None = None,
    lexicon: str | Path | None = None,
    attributes: Any = None,
    on: Any = None,
    engine: str = "memory",
) -> Verification:
    """Compute again what a signature says and compare; `data`, `attributes`, `on` and `engine` as `measure` takes them.

    How the data were read and which part of them was measured stands in the signature. `matrices` are what it names
    only by a hash (weights, distance, a table of categories) or files that hold them, `lexicon` that of profiles.

    >>> from concordant.uncertainty.front import measure
    >>> rows = [[1, 1], [2, 1], [2, 2], [1, 1]]
    >>> verify(measure(rows, "kappa", seed=1).signature, rows).matches
    True
    """
    own = OWN.get(text.strip().partition("|")[0])
    if own is None:
        more: dict[str, Any] = {"attributes": attributes, "on": on, "engine": engine}
        return front.verify(text, data, matrices=matrices, lexicon=lexicon, **more)
    claimed = read_signature(text)
    joins = () if on is None else joins_of(attributes, on)
    data = data if engine == "memory" else as_data(data, engine=engine, kind="all")
    return compare(claimed, own(claimed, read_again(claimed, data, joins)))


def read_again(claimed: Signature, data: Any, joins: Sequence[Join] = ()) -> Study:
    """The judgements that a signature is about, people's and models', as it says they were read."""
    if isinstance(data, Study):
        return data
    texts = dict(claimed.selection)
    conditions = (condition.partition("=") for condition in texts.pop("where", "").split(";") if condition)
    where = [(name.strip(), split(values)) for name, _, values in conditions]
    raters = split(texts.pop("only")) if "only" in texts else None
    kinds, paths = {**taken_kinds(texts), "kind": "all"}, as_paths(data)
    if not paths:
        options: dict[str, Any] = {name: split(value) if name in LISTS else value for name, value in texts.items()}
        study: Study = as_data(data, holds="judgements", where=where, raters=raters, joins=joins, **options, **kinds)
        return study
    found = find_wanted(paths, ("judgements",), texts.pop("format", None), **texts).format
    read = found.options.written(f"the format {found.name}", texts)
    again: Study = read_as(found, *paths, where=where, raters=raters, joins=joins, **read, **kinds)
    return again


def _judges_again(claimed: Signature, study: Study) -> Any:
    """The same judge, tested in the same way."""
    fields = {name: unquote(text) for name, text in claimed.fields.items()}
    how: dict[str, Any] = {name: float(fields[name]) for name in ("epsilon", "q", "margin")}
    how |= {"least": whole(fields["least"]), "resamples": whole(fields["B"]), "seed": whole(fields["seed"])}
    if "runs" in fields:
        how["runs"] = fields["runs"]
    if "places" in fields:
        how[fields["places"]] = True
    found = judges(study, measure=fields["measure"], cluster=fields.get("cluster"), expert=fields.get("expert"), **how)
    for one in found.judges:
        if one.name == fields["model"] and one.question == fields.get("question"):
            kept = {name: text for name, text in claimed.fields.items() if name.startswith("from.")}
            return Again(one.signature, kept)
    raise InputError(f"there is no model {fields['model']!r} in these data", file=study.name)


class Again:
    """A signature computed again from data that are read already, with how they were read."""

    def __init__(self, signature: str, read: Mapping[str, str]) -> None:
        """Put what the reader was told back in."""
        told = [f"{name}:{text}" for name, text in read.items()]
        self.signature = "|".join([signature, *told])


def _corrected_again(claimed: Signature, study: Study) -> Any:
    """The same figure, estimated again."""
    fields = {name: unquote(text) for name, text in claimed.fields.items()}
    how: dict[str, Any] = {name: fields[name] for name in ("group", "runs") if name in fields}
    aim = Aim(what=fields["what"], weights=fields.get("weighted"), beyond="beyond" in fields, **how)
    reading = {name: text for name, text in claimed.selection.items() if name in COLUMNS}
    for one in estimated(study, aim, fields.get("all"), reading, {}):
        if (one.judge, one.of, one.question) == (fields["model"], fields["of"], claimed.question):
            return Again(one.signature, {n: text for n, text in claimed.fields.items() if n.startswith("from.")})
    raise InputError(f"there is no {fields['of']!r} of {fields['model']!r} in these data", file=study.name)


def _perspectives_again(claimed: Signature, study: Study) -> Any:
    """The same question, looked at in the same way."""
    people = kept(study, RaterKinds())
    group = split(unquote(claimed.fields["groups"])) if "groups" in claimed.fields else ()
    found = perspectives(people, group=group, seed=whole(claimed.fields["seed"]))
    one = next((one for one in found.questions if one.question == claimed.question), None)
    if one is None:
        raise InputError(f"there is no question {claimed.question!r} in these data", file=study.name)
    return Again(one.signature, {n: text for n, text in claimed.fields.items() if n.startswith("from.")})


def _rasch_again(claimed: Signature, study: Study) -> Any:
    """The same model, estimated again."""
    how: dict[str, Any] = {"facets": unquote(claimed.fields["facets"]), "seed": whole(claimed.fields["seed"])}
    people = kept(study, RaterKinds(kind=cast(Any, claimed.selection.get("kind"))))
    found = rasch(people, groups_equal="groups_equal" in claimed.fields, **how)
    one = next((one for one in found.models if one.question == claimed.question), None)
    if one is None:
        raise InputError(f"there is no question {claimed.question!r} in these data", file=study.name)
    return Again(one.signature, {n: text for n, text in claimed.fields.items() if n.startswith("from.")})


OWN: dict[str, Callable[[Signature, Study], Any]] = {
    "judges": _judges_again,
    KEY: _corrected_again,
    "perspectives": _perspectives_again,
    "rasch": _rasch_again,
}
