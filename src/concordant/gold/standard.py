"""The gold standard of one question: by votes, by adjudication, or by a model of how far each rater can be trusted."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from concordant.choices import Choices
from concordant.diagnosis.material import Material, UnitShares, materials, unit_shares
from concordant.digits import brief, counted
from concordant.errors import InputError, nearest
from concordant.gold.by_models import MODELS, USUAL, Method, ModelOptions, Standard, gold_by_model
from concordant.gold.spans import SpanGoldOptions, gold_of, is_spans
from concordant.gold.values import GoldValues
from concordant.judging.facets import modelled
from concordant.measures.gamma import GammaOptions
from concordant.model.judgements import Judgements
from concordant.model.study import Study
from concordant.model.tabular import TabularResult, plain
from concordant.progress import Progress, part, silent
from concordant.readers.data import any_table, as_study, data_for_labels

MOST_SHOWN = 10
THERE = (Method.VOTES, Method.DAWID_SKENE)
"""What another engine does with any number of units; other methods need the rows."""


def gold_standard(
    data: Judgements,
    method: Method,
    decided: Mapping[str, str] | None = None,
    *,
    options: ModelOptions = USUAL,
    control: Mapping[str, str] | None = None,
    question: str | None = None,
    progress: Progress = silent,
) -> Standard:
    """The gold standard by one method; `decided` are the adjudicated values by unit, `control` what is known of some.

    The majority of each unit; with decisions, only what is unanimous or decided; with a model what is most probable,
    unless a class is not what its name says (`question` is named then).
    """
    if method is Method.RASCH:
        return _fair(data, question)
    if method in MODELS:
        return gold_by_model(data, method, options, control, question, progress)
    votes = unit_shares(data)
    values = _adjudicated(votes, decided or {}) if method is Method.ADJUDICATED else majority(votes)
    return Standard(method=method, categories=votes.categories, values=values, competences={})


def majority(votes: UnitShares) -> GoldValues:
    """What most raters said of each unit, if it is one answer."""
    return GoldValues(
        units=votes.units,
        names=votes.categories,
        value=np.where(votes.is_tied, -1, votes.largest),
        certainty=votes.shares.max(axis=1, initial=0.0),
        bases=("votes", "tie"),
        basis=votes.is_tied.astype(np.int64),
        n_votes=votes.sizes,
        categories=votes.categories,
        shares=votes.shares,
    )


def _adjudicated(votes: UnitShares, decisions: Mapping[str, str]) -> GoldValues:
    """What all raters said of a unit, or what was decided, also if nobody had said it."""
    known = majority(votes)
    names = list(dict.fromkeys([*votes.categories, *decisions.values()]))
    agreed = np.flatnonzero(known.certainty == 1)
    value, basis = np.full(len(known), -1), np.zeros(len(known), dtype=np.int64)
    value[agreed], basis[agreed] = votes.largest[agreed], 1
    place_of = {unit: place for place, unit in enumerate(votes.units)} if decisions else {}
    settled = [(place_of[unit], names.index(named)) for unit, named in decisions.items() if unit in place_of]
    places, said = np.array(settled, dtype=np.int64).reshape(-1, 2).T
    value[places], basis[places] = said, 2
    shares = np.column_stack([votes.shares, np.zeros((len(known), len(names) - len(votes.categories)))])
    certainty = known.certainty.copy()
    certainty[places] = shares[places, said]
    bases = ("undecided", "unanimous", "decided")
    return replace(known, names=names, value=value, certainty=certainty, bases=bases, basis=basis)


def _fair(data: Judgements, question: str | None) -> Standard:
    """What raters of average severity would give each unit, and the chance of each category from them."""
    found = modelled({question: data}, question)
    values = GoldValues(
        units=[one.unit for one in found.fair],
        names=[brief(one.fair) for one in found.fair],
        value=np.arange(len(found.fair)),
        certainty=found.shares.max(axis=1, initial=0.0),
        bases=("fair average",),
        basis=np.zeros(len(found.fair), dtype=np.int64),
        n_votes=np.array([one.n for one in found.fair], dtype=np.int64),
        categories=found.categories,
        shares=found.shares,
    )
    return Standard(
        method=Method.RASCH, categories=found.categories, values=values, competences={},
        notes=(found.sentence, *found.notes),
    )  # fmt: skip


class Standards(dict[str | None, Standard], TabularResult):
    """The gold standard of every question."""

    COLUMNS: ClassVar = {key: key for key in ("question", "unit", "value", "certainty", "basis", "n_votes")}

    def __repr__(self) -> str:
        """How many units have a value, question by question."""
        return "\n".join(
            f"<{f'{question}: ' if question else ''}{counted(len(one.values), 'unit')} by {one.method.value}, "
            f"{one.n_undecided:,} undecided>"
            for question, one in self.items()
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What a notebook shows of them."""
        return ("the least certain units",)

    def rows(self) -> list[dict[str, Any]]:
        """One for each unit, with its question."""
        return [
            {"question": question} | {key: getattr(value, key) for key in self.COLUMNS if key != "question"}
            for question, one in self.items()
            for value in one.values
        ]

    def first_rows(self) -> list[dict[str, Any]]:
        """The least certain units."""
        worst = {question: replace(one, values=one.values.least_certain(MOST_SHOWN)) for question, one in self.items()}
        return sorted(Standards(worst).rows(), key=lambda row: row["certainty"])[:MOST_SHOWN]

    def to_dict(self) -> dict[str, Any]:
        """All standards as JSON can hold them."""
        return {"standards": [{"question": question, **plain(vars(one))} for question, one in self.items()]}

    def to_csv(self) -> str:
        """All units as one file; `p_…` are shares of votes or posterior probabilities."""
        return "".join(self.csv_parts())

    def csv_parts(self) -> Iterator[str]:
        """The same piece by piece."""
        categories = list(dict.fromkeys(name for found in self.values() for name in found.categories))
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        asks_one = len(self) == 1
        head = ["unit", "value", "certainty", "basis", "n_votes", *(f"p_{name}" for name in categories)]
        writer.writerow(head if asks_one else ["question", *head])
        for question, found in self.items():
            places = [found.categories.index(name) if name in found.categories else -1 for name in categories]
            for values in found.values.parts():
                for *said, shares in values.rows():
                    row = [*said, *([*shares, ""][place] for place in places)]
                    writer.writerow(row if asks_one else [question, *row])
                yield text.getvalue()
                text.seek(0)
                text.truncate()


def gold(
    data: Any,
    *,
    method: str = Method.VOTES,
    decisions: Any = None,
    control: str | None = None,
    progress: Progress = silent,
    **options: Any,
) -> Any:
    """The value of every unit of every question (`Standards`); of spans, the gold spans (`SpanStandard`).

    By `votes`; by a model of the raters, `dawid_skene` or `mace`; as fair averages of a Rasch model, `rasch`; or
    `adjudicated`: what is unanimous, and what the file (or table) of `decisions` says, with columns `unit`, `value`
    and, if there are several, `question`.

    Options of the models: `prior="0.5,1"` (pseudo-answers per cell and for the own name, or `"none"`), `not_a_truth`
    (answers that no unit can be), `seed`, `accept_classes` (give also what the guards refuse, renamed), `control` (a
    column with what is known of some units, against which probabilities are checked). The models use all judgements
    of a unit by a rater, votes need `duplicates=` where there are several.

    Of spans, the units that the best alignment puts together become one gold span if more than half of the raters who
    judged the text marked it, or `at_least` a share of them; borders are medians, the category is that of most. Options
    of Gamma that an alignment depends on can be given (`alpha=`, `positional=` …).

    `data` is whatever holds judgements or spans, and the other options say how to read them (`unit=`, `rater=`,
    `level=` …).

    >>> gold([["a", "a", "b"], ["b", "b", "b"]])[None].values[0].value
    'a'
    """
    known = [one.value for one in Method]
    if method not in known:
        raise InputError(f"unknown method {str(method)!r}", hint=nearest(method, known))
    chosen, is_model = Method(method), method in MODELS
    told, of_spans, of_gamma = (_taken(kind, options) for kind in (ModelOptions, SpanGoldOptions, GammaOptions))
    stays = chosen in THERE and control is None
    if is_spans(data := data_for_labels(data, {**options, "stays": stays})):
        said = [*told, *(["decisions"] if decisions is not None else []), *(["control"] if control else [])]
        _refuse_for_spans(said, chosen)
        aligned_by, merged_by = GammaOptions.of("gold", of_gamma), SpanGoldOptions.of("gold", of_spans)
        return gold_of(data, aligned_by, merged_by, raters=options.get("raters"))
    for name in [*of_spans, *of_gamma]:
        raise InputError(f"{name} says nothing about judgements", hint="leave it out")
    if (decisions is None) != (chosen is not Method.ADJUDICATED):
        hint = "give them with --decisions" if decisions is None else "say --method adjudicated"
        raise InputError("adjudicated values need decisions, and decisions that method", hint=hint)
    for name in [*told, *(["control"] if control else [])] if not is_model else []:
        raise InputError(f"{name} says nothing about the method {method}", hint="leave it out")
    if "not_a_truth" in told:
        told["not_a_truth"] = tuple(told["not_a_truth"])
    how = ModelOptions.of("a model of raters", told)
    if hasattr(data, "frame"):
        from concordant.gold.kept_units import gold_there

        return Standards(gold_there(data, chosen, how, progress))
    return _of_study(as_study(data), chosen, how, decisions, control, progress)


def _of_study(
    study: Study, method: Method, how: ModelOptions, decisions: Any, control: str | None, progress: Progress
) -> Standards:
    """The gold standard of every question of judgements in memory."""
    if method in MODELS and study.duplicates == "refuse":
        study = replace(study, duplicates="all")  # the models count how often a rater said what
    decided = {} if decisions is None else read_decisions(decisions, study)
    parts = list(materials(study))
    return Standards(
        {
            one.question: gold_standard(
                one.judgements,
                method,
                decided.get(one.question),
                options=how,
                control=None if control is None else _control_values(one, control),
                question=one.question,
                progress=part(progress, i, len(parts)),
            )
            for i, one in enumerate(parts)
        }
    )


def _refuse_for_spans(said: Sequence[str], method: Method) -> None:
    """What says nothing about spans."""
    if said or method is not Method.VOTES:
        what = said[0] if said else f"the method {method.value}"
        raise InputError(f"{what} says nothing about spans", hint="their gold standard is by votes; leave it out")


def _taken(kind: type[Choices], options: dict[str, Any]) -> dict[str, Any]:
    """What was said by the names of these options, taken out of all."""
    return {one.name: options.pop(one.name) for one in kind.described() if one.name in options}


def _control_values(one: Material, name: str) -> dict[str, str]:
    """What a column says about units; blank cells are units whose truth nobody knows."""
    one.study.column(name)
    if (column := one.unit_attributes.get(name)) is None:
        raise InputError(f"{name!r} is not an attribute of units", hint="give every unit one truth, or none")
    return {unit: column.labels[c] for unit, c in zip(one.units, column.codes.tolist(), strict=True) if c >= 0}


def read_decisions(source: Any, study: Study) -> dict[str | None, dict[str, str]]:
    """Adjudicated values by question and unit, as `export` writes them: revised ones (`holds` is no) do not count."""
    table = any_table(source)
    for name in ("unit", "value", *(["question"] if len(study.questions) > 1 else [])):
        table.expect(name)
    names = ("unit", "value", "question", "holds")
    texts = {name: table.columns[name].text().tolist() for name in names if name in table.columns}
    several = len(study.questions) > 1
    found: dict[str | None, dict[str, str]] = {}
    units = set(study.unit.as_labels().labels)
    for i, row in enumerate(table.row_numbers.tolist()):
        unit, value = str(texts["unit"][i]), texts["value"][i]
        question = str(texts["question"][i]) if several else None
        place: dict[str, Any] = {"file": table.file, "row": row}
        if "holds" in texts and texts["holds"][i] == "no":
            continue
        if unit not in units:
            raise InputError(f"nobody judged the unit {unit!r}", **place, hint=nearest(unit, sorted(units)))
        if question is not None and question not in study.questions:
            raise InputError(f"there is no question {question!r}", **place, hint=nearest(question, study.questions))
        if not value:
            raise InputError("there is no value", **place, hint="leave out units without a decision")
        if unit in found.setdefault(question, {}):
            raise InputError(
                f"there are two decisions on {unit!r}", **place, hint="mark the one that was revised: holds=no"
            )
        found[question][unit] = str(value)
    return found
