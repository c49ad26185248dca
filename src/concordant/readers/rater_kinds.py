"""Which raters are people and which are models, and whose judgements are used.

Models agree with each other, so judgements of models are never pooled with those of people unless somebody asks: what
is read holds people only as soon as one rater is a model, and a note says who was left out. A rater is a model because
it is named so (`models`, with globs), comes from a file of models' judgements (`model_file`), or because the study file
or a column (`rater_kind`, `kind`, `is_model`, or `kind_column`) says so. A name alone, as gpt-4o, gives a note, never a
guess.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from shlex import quote
from typing import Any, Literal

import numpy as np

from concordant.choices import Choices, choice
from concordant.errors import InputError, nearest
from concordant.model.columns import Column
from concordant.model.spans import SpanTable
from concordant.model.study import Study

USUAL = ("rater_kind", "kind", "is_model")  # columns that say who is a model without being named
MOST_NAMED = 6
WRITE = "write human or model"
TOGETHER = "people and models together, as asked"
HUMAN, MODEL = "human", "model"
WORDS = {HUMAN: False, MODEL: True}
FLAGS = {"0": False, "1": True, "false": False, "true": True, "no": False, "yes": True}  # in a column such as is_model
LIKE_A_MODEL = re.compile(
    r"(?i)^(chat)?gpt[-_ ]?\d|^claude[-_ ]|^gemini[-_ ]|^gemma[-_ ]?\d|llama[-_ ]?\d|^mi[sx]tral|^qwen|^deepseek"
)
BY_NAME = "a gold standard by its name, not a rater"
CALLED_GOLD = re.compile(
    r"(?i)(?:the )?(?:gold(?:[-_ ]?(?:standard|label|annotation))?|ground[-_ ]?truth|curator|curation(?:_user)?|curated"
    r"|adjudicat(?:or|ed|ion)|reconciled|consensus|konsens|(?:majority|mehrheit)(?:[-_ ]?vote)?|goldstandard)"
)


class RaterKinds(Choices):
    """Who is a model, and whose judgements are used (None: those of people, once there is a model)."""

    models: tuple[str, ...] = choice((), "Raters that are models, as gpt-4o,claude-*; they are left out.")
    model_file: str | None = choice(None, "A second file, with judgements of models only.")
    kind_column: str | None = choice(None, "Column of kinds: human, model.  [default: rater_kind, kind or is_model]")
    kind: Literal["human", "model", "all"] | None = choice(
        None, "Whose judgements are used.  [default: human once a rater is a model]"
    )

    @property
    def is_said(self) -> bool:
        """Whether anything was said about it."""
        return self != RaterKinds()


def of_kinds(data: Any, kinds: RaterKinds, models_judged: Study | None = None) -> Any:
    """Only the judgements that are to be used; `models_judged` are those of the file of models."""
    if isinstance(data, Study):
        joined = data if models_judged is None else data.joined(models_judged)
        said = () if models_judged is None else tuple(models_judged.raters)
        return kept(replace(joined, models=_models_in(joined, kinds, said)), kinds)
    if isinstance(data, SpanTable) and not kinds.model_file:
        return kept(data, kinds, tuple({*matching(data.raters, kinds.models), *_span_models(data, kinds.kind_column)}))
    if kinds.is_said:
        name = next(name for name, value in vars(kinds).items() if value)
        what = "spans" if isinstance(data, SpanTable) else type(data).__name__
        raise InputError(f"{name} says nothing about {what}", hint="say it of a table with a column of raters")
    return data


def without_gold(data: Any) -> Any:
    """Judgements or spans without a rater who is called as a gold standard is; beside a single other that is asked."""
    gold = [rater for rater in getattr(data, "raters", ()) if CALLED_GOLD.fullmatch(rater.strip())]
    others = [rater for rater in getattr(data, "raters", ()) if rater not in gold]
    if not gold or not others or not isinstance(data, Study | SpanTable):
        return data
    both = f"--raters {quote(','.join((*others[:MOST_NAMED], *gold)))}"
    if len(others) == 1:
        what = f"{gold[0]!r} is called as a gold standard, not as a rater, and there is one other"
        raise InputError(what, file=data.name, hint=f"say {both} to compare the two, or --raters {quote(others[0])}")
    left: Study | SpanTable = _without(data, gold) if isinstance(data, SpanTable) else data.where("rater", others)
    n = n_rows_of(data) - n_rows_of(left)
    note = f"{named(gold)}: {BY_NAME}; --raters can name it"
    left_out = (*data.left_out, (n, f"of {named(gold)}, a gold standard"))
    return replace(left, left_out=left_out, notes=(*left.notes, note))


def n_rows_of(data: Study | SpanTable) -> int:
    """How many judgements or spans there are."""
    return data.n_rows if isinstance(data, Study) else len(data)


def of_people(study: Study | None) -> Study | None:
    """What people judged, with a note about models that did; None when nobody else has judged anything."""
    if study is None or set(study.raters) <= set(study.models):
        return None
    people: Study = kept(replace(study, models=_models_in(study, RaterKinds(), ())), RaterKinds())
    return people


def kept(data: Any, kinds: RaterKinds, said: Sequence[str] | None = None) -> Any:
    """The rows of the raters that are to be used, with a note about the others; of spans `said` are the models."""
    study, found = data, data.models if said is None else said
    models = tuple(rater for rater in data.raters if rater in found)
    people = [rater for rater in data.raters if rater not in models]
    if kinds.kind == MODEL and not models:
        raise InputError("no rater is a model", file=study.name, hint="name them with --models")
    if not models:
        alike = [rater for rater in people if LIKE_A_MODEL.search(rater)] if kinds.kind is None else []
        way = f"say --models {','.join(alike[:MOST_NAMED])} to leave it out, or --kind all"
        note = f"{named(alike)}: a model by its name? {way}"
        return replace(study, notes=(*study.notes, note)) if alike else study
    if kinds.kind == "all":
        note = f"{TOGETHER}: {named(models)}"
        return replace(study, notes=(*study.notes, note))
    wanted = list(models) if kinds.kind == MODEL else people
    if not wanted:
        raise InputError("every rater is a model", file=study.name, hint="say --kind model or all")
    n_left, who = (len(people), "people") if kinds.kind == MODEL else (len(models), "models")
    left = people if kinds.kind == MODEL else list(models)
    word = who if n_left > 1 else "model" if who == "models" else "person"
    note = f"{n_left:,} {word} left out: {named(left)} (--kind {HUMAN if kinds.kind == MODEL else MODEL} or all)"
    chosen = study.where("rater", wanted) if isinstance(study, Study) else _without(study, left)
    return replace(chosen, notes=(*study.notes, note))


def _without(spans: SpanTable, left: Sequence[str]) -> SpanTable:
    """The spans of all other raters; who marked nothing stays."""
    others = spans.take(~np.isin(spans.rater, np.array(left, dtype=object)))
    return replace(others, seen=frozenset(pair for pair in spans.seen if pair[1] not in left))


def _span_models(spans: SpanTable, column: str | None) -> tuple[str, ...]:
    """The models by a column of kinds; a usual one must say of every span whether a model marked it."""
    for name in (column,) if column else tuple(name for name in USUAL if name in spans.features):
        known = words_of(name)
        words = np.char.lower(np.char.strip(spans.column(name).astype(str)))
        unknown = sorted(set(words.tolist()) - known.keys())
        if unknown and column is None:
            continue
        if unknown:
            raise InputError(f"{unknown[0]!r} is no kind of rater", file=spans.name, column=name, hint=WRITE)
        is_model = np.array([known[word] for word in words.tolist()], dtype=bool)
        models = set(spans.rater[is_model].tolist())
        for rater in sorted(models & set(spans.rater[~is_model].tolist())):
            what = f"{rater!r} is human in some rows and a model in others"
            raise InputError(what, file=spans.name, column=name, hint="give the two different names")
        return tuple(sorted(models))
    return ()


def named(raters: Sequence[str]) -> str:
    """Some names, and how many more there are."""
    return ", ".join(raters[:MOST_NAMED]) + (f" and {len(raters) - MOST_NAMED:,} more" * (len(raters) > MOST_NAMED))


def matching(raters: Sequence[str], patterns: Sequence[str]) -> tuple[str, ...]:
    """The raters that these names or globs mean; one that means nobody is an error."""
    for pattern in patterns:
        if not any(fnmatchcase(rater, pattern) for rater in raters):
            raise InputError(f"there is no rater {pattern!r}", hint=nearest(pattern, tuple(raters)))
    return tuple(rater for rater in raters if any(fnmatchcase(rater, pattern) for pattern in patterns))


def _models_in(study: Study, kinds: RaterKinds, said: Sequence[str]) -> tuple[str, ...]:
    """All raters of which something says that they are models, in their order."""
    found = {*study.models, *said, *matching(study.raters, kinds.models), *_by_column(study, kinds.kind_column)}
    return tuple(rater for rater in study.raters if rater in found)


def words_of(column: str) -> dict[str, bool]:
    """What a column of that name says of a rater: whether it is a model."""
    return WORDS | (FLAGS if column.casefold().endswith(MODEL) else {})


def _tells(cells: Column, name: str) -> bool:
    """Whether a usual column holds one of the words; a column `kind` may say something else."""
    return any(label.strip().casefold() in words_of(name) for label in cells.as_labels().labels)


def _by_column(study: Study, column: str | None) -> tuple[str, ...]:
    """The models by the column of kinds; a usual column without any of the words says something else."""
    name = column or next((one for one in USUAL if one in study.attributes and _tells(study.column(one), one)), None)
    if name is None:
        return ()
    cells = study.column(name).as_labels()
    folded, known = [label.strip().casefold() for label in cells.labels], words_of(name)
    for code, word in enumerate(folded):
        if word not in known:
            row = int(np.nonzero(cells.codes == code)[0][0])
            number = row + 1 if study.row_numbers is None else int(study.row_numbers[row])
            place: dict[str, Any] = {"file": study.name, "row": number, "column": name}
            raise InputError(f"{cells.labels[code]!r} is no kind of rater", **place, hint=WRITE)
    is_model = np.array([*(known[word] for word in folded), False])[cells.codes]
    n_rows = np.bincount(study.rater.codes, minlength=len(study.raters))
    n_model = np.bincount(study.rater.codes, is_model, minlength=len(study.raters))
    for r in np.nonzero((n_model > 0) & (n_model < n_rows))[0].tolist():
        what = f"{study.raters[r]!r} is human in some rows and a model in others"
        raise InputError(what, file=study.name, column=name, hint="give the two different names")
    return tuple(study.raters[r] for r in np.nonzero(n_model)[0].tolist())
