"""`judges`: may a model stand for a person, who decides that, and what may be said.

The test and the ceiling are in `alt_test.py` and `ceiling.py`, what may be said in `results.py`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from concordant.diagnosis.material import Material, materials
from concordant.diagnosis.verdict import MAIN
from concordant.digits import brief, decimal, per_cent
from concordant.errors import InputError, nearest
from concordant.judging.alt_test import CROWD, EPSILON, LEAST, Q, alt_test
from concordant.judging.bias import (
    Compared,
    compared,
    difference,
    length_slope,
    own_texts,
    position_of,
    slices_of,
    stability,
)
from concordant.judging.ceiling import MARGIN, RESAMPLES, ceiling, prompt_optimism
from concordant.judging.corrected import Aim, Estimate, estimated
from concordant.judging.fingerprints import fingerprint, signed
from concordant.judging.labelled import values_of_units
from concordant.judging.panel import Judge, Panel, Runs, assembled, is_answer, on_common_scale
from concordant.judging.refused import refusals_of, refuse_strangers
from concordant.judging.results import MANY_REFUSALS, JudgeResult, Judging, sentence_on
from concordant.model.study import Study
from concordant.progress import Progress, silent
from concordant.readers.data import as_study
from concordant.readers.rater_kinds import TOGETHER
from concordant.uncertainty.front import selection

ALONE = "one person judged: whether a model may stand for a person cannot be said, only what their labels correct"
MUCH = 0.05  # agreement that people gain without one of them
SHARED_TEXT = re.compile(r"(?i)^(text|article|document|doc|item|conversation|dialogue)(_?id)?$")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What was chosen, as it is signed."""

    epsilon: float = EPSILON
    q: float = Q
    least: int = LEAST
    margin: float = MARGIN
    measure: str = MAIN
    cluster: str | None = None
    resamples: int = RESAMPLES
    seed: int = 1
    places: str = ""  # ranks or standardise: what the alternative annotator test compares instead of answers
    expert: str | None = None
    runs: Runs = "first"


@dataclass(frozen=True, kw_only=True)
class Looks:
    """Columns to look for bias in."""

    by: tuple[str, ...] = ()
    length: str | None = None
    position: str | None = None
    author: str | None = None
    own: str | None = None


def judges(
    data: Any,
    models: str | Sequence[str] = (),
    *,
    epsilon: float | None = None,
    q: float = Q,
    least: int = LEAST,
    margin: float = MARGIN,
    measure: str = MAIN,
    cluster: str | None = None,
    by: str | Sequence[str] = (),
    length: str | None = None,
    position: str | None = None,
    author: str | None = None,
    own: str | None = None,
    ranks: bool = False,
    standardise: bool = False,
    expert: str | None = None,
    runs: Runs = "first",
    estimate: str | None = None,
    all: Any = None,
    group: str | None = None,
    weights: str | None = None,
    beyond: bool = False,
    require: Sequence[str] = (),
    seed: int = 1,
    resamples: int = RESAMPLES,
    progress: Progress = silent,
    read: Mapping[str, str] | None = None,
    **reading: Any,
) -> Judging:
    """May each model stand for a person? The alternative annotator test, the human ceiling, and how the model differs.

    `data` hold judgements of people and models of the same units; `models` names the models (globs), or a column `kind`
    or `model_file=` says who is one. `epsilon` is how much better a person may be (0.1 crowd, 0.15 trained, 0.2
    experts), `margin` how large a gap in agreement does not matter. `by` are columns of units to look for bias in,
    `length` the column with their lengths, `position` that which says what stood first, `author` that with who wrote a
    text (`own="gpt*"` names a family), `cluster` units that belong together. `ranks` or `standardise` compare places
    in everybody's own answers in the test, `expert` compares all with one person. Of repeated `runs` the first
    answer counts, or what most say ("majority"), or the "mean". `estimate` is "share", "mean" or
    "difference" (of the two values of `group`): results corrected by people's labels; `all` has the model's judgements
    of all units, if they are not in `data`, `weights` is the column with how many units each labelled one stands for,
    if drawn with unequal chances, and `beyond` asks about a population that all units come from. One person is
    enough for estimates. `read` says for signatures how data were read before. `require` are conditions such as
    "win_rate>=0.5"; see `Judging.require`.
    """
    limits = {"epsilon": epsilon or 0.0, "q": q, "margin": margin}
    idle = estimate is None and ((all, group, weights) != (None, None, None) or beyond)
    _refuse_contradictions(limits, least, ranks and standardise, idle)
    aim = None if estimate is None else Aim(what=estimate, group=group, weights=weights, beyond=beyond, runs=runs)
    given = {**reading, **({"models": [models] if isinstance(models, str) else list(models)} if models else {})}
    study = as_study(data, **{**given, "kind": "all"})
    settings = Settings(
        epsilon=EPSILON if epsilon is None else epsilon, q=q, least=least, margin=margin, measure=measure,
        cluster=cluster, resamples=resamples, seed=seed, expert=expert, runs=runs,
        places="ranks" if ranks else "standardise" if standardise else "",
    )  # fmt: skip
    looks = Looks(
        by=(by,) if isinstance(by, str) else tuple(by), length=length, position=position, author=author, own=own
    )
    chosen = read if read is not None else {} if study is data else selection(study, given)
    found: list[JudgeResult] = []
    pairs: list[Compared] = []
    said: list[str] = [] if epsilon is not None else [CROWD]
    is_alone = aim is not None and not require and len(set(study.raters) - set(study.models)) == 1
    said = [ALONE] if is_alone else said
    for part in () if is_alone else materials(study):
        panel, asked, used = assembled(part, cluster, runs)
        refuse_strangers(used, panel, asked)
        found += _each_judged(panel, asked, part.question, used, settings, looks, chosen, progress)
        pairs += compared(panel, asked, part.question, key=measure, resamples=resamples, seed=seed)
        said += [*_notes(panel, asked, settings, used), *used.notes]
    if author is not None and found and not any(one.column == author for each in found for one in each.slices):
        raise InputError(f"nothing in {author!r} is called like a model", hint="say --own 'gpt*' for its family")
    figures = [] if aim is None else estimated(study, aim, all, given, chosen)
    others = [*_notes_on(figures, cluster), *_notes_on_answers(found), *study.notes]
    result = Judging(
        judges=tuple(found),
        compared=tuple(pairs),
        estimates=tuple(figures),
        said=tuple(n for n in dict.fromkeys([*said, *others]) if not n.startswith(TOGETHER)),
    )
    return replace(result, requirements=result.checked(*require))


def _each_judged(
    panel: Panel,
    asked: Sequence[Judge],
    question: str | None,
    study: Study,
    settings: Settings,
    looks: Looks,
    chosen: Mapping[str, str],
    progress: Progress,
) -> Iterator[JudgeResult]:
    """Every judge of one question, signed."""
    marks = fingerprint(panel, asked)
    placed = on_common_scale(panel, asked, settings.places) if settings.places else (panel, asked)
    for place, judge in enumerate(asked):
        progress(place, len(asked))
        shared = Material(question=question, study=study)
        one = judged(panel, judge, shared, settings, looks, (placed[0], placed[1][place]))
        yield replace(one, signature=signed_judge(one, settings, marks, chosen))
    progress(len(asked), len(asked))


def _refuse_contradictions(limits: Mapping[str, float], least: int, is_both: bool, is_idle: bool) -> None:
    """Numbers out of their range, and options that exclude each other or say nothing."""
    for name, value in limits.items():
        high = 10 if name == "margin" else 1
        if not 0 <= value < high:
            raise InputError(f"{name} {brief(value)} is not from 0 to {high}")
    if least < 2:
        raise InputError(f"least {least} is below 2", hint="30 is usual; 10 asks for Wilcoxon's test")
    if is_both:
        raise InputError("ranks and standard scores exclude each other", hint="choose one")
    if is_idle:
        raise InputError(
            "all, group, weights and beyond are for estimates", hint="say --estimate share, mean or difference"
        )


def judged(
    panel: Panel, judge: Judge, part: Material, settings: Settings, looks: Looks, placed: tuple[Panel, Judge]
) -> JudgeResult:
    """Everything about one judge, but for its signature; `placed` is what the test compares."""
    if settings.expert is not None and settings.expert not in panel.humans:
        raise InputError(f"there is no person {settings.expert!r}", hint=nearest(settings.expert, panel.humans))
    expert = None if settings.expert is None else panel.humans.index(settings.expert)
    limits: dict[str, Any] = {"epsilon": settings.epsilon, "q": settings.q, "least": settings.least}
    test = alt_test(*placed, **limits, seed=settings.seed, expert=expert)
    how: dict[str, Any] = {"resamples": settings.resamples, "seed": settings.seed}
    mark = ceiling(panel, judge, key=settings.measure, margin=settings.margin, **how)
    columns = {name: values_of_units(part.study, name) for name in looks.by}
    if looks.author and (mine := own_texts(judge, values_of_units(part.study, looks.author), looks.own)) is not None:
        columns[looks.author] = mine
    slices = tuple(one for one in slices_of(panel, judge, columns) if one.column != looks.author or one.value == "own")
    slices += (
        length_slope(panel, judge, looks.length, values_of_units(part.study, looks.length)) if looks.length else ()
    )
    answered = is_answer(judge.answer) & (panel.sizes > 0)
    result = JudgeResult(
        question=part.question,
        model=judge.model,
        prompt=judge.prompt,
        n_units=int((answered & (panel.sizes >= 2)).sum()),
        n_humans=len(panel.humans),
        refusals=judge.refusals,
        refused=refusals_of(panel, judge, seed=settings.seed),
        coverage=float(answered.sum() / max((panel.sizes > 0).sum(), 1)),
        alt_test=test,
        ceiling=mark,
        severity=difference(panel, judge, **how),
        slices=slices,
        position=position_of(part.study, panel, judge, looks.position) if looks.position else None,
        stability=stability(panel, judge, test, settings.measure),
        sentence="",
    )
    return replace(result, sentence=sentence_on(result))


def _notes(panel: Panel, asked: Sequence[Judge], settings: Settings, study: Study) -> list[str]:
    notes = []
    if len(panel.humans) == 2:
        notes.append("two people: no consensus, and nobody can be left out")
    for judge in asked:
        if judge.refusals > MANY_REFUSALS:
            told = f"{judge.n_refused:,} of {judge.n_asked:,}"
            notes.append(
                f"{judge.name}: {per_cent(judge.refusals)} of its answers are missing ({told}), not counted as wrong"
            )
        if len(judge.runs) > 1:
            notes.append("identical runs at temperature 0 say nothing about other wordings of the prompt")
    for model in dict.fromkeys(judge.model for judge in asked):
        prompts = [judge for judge in asked if judge.model == model]
        if len(prompts) > 1:
            best, held_out, optimism = prompt_optimism(panel, prompts, settings.measure, settings.seed)
            chosen = f"chosen among {len(prompts)} prompts by the same units {best} looks better by {decimal(optimism)}"
            notes.append(f"{model}: {chosen}; on units not used to choose it the gap is {decimal(held_out)}")
    if panel.clusters is None:
        several = [
            name
            for name, column in Material(question=None, study=study).unit_attributes.items()
            if 1 < len(column.labels) < len(panel.units) and SHARED_TEXT.search(name)
        ]
        if several:
            notes.append(f"units of one {several[0]} are not independent: say --cluster {several[0]}")
    return notes


def _notes_on(figures: Sequence[Estimate], cluster: str | None) -> list[str]:
    """What to doubt in corrected figures, and what they are about."""
    notes = [f"{one.judge}: {note}" for one in figures for note in one.notes]
    if figures and cluster is not None:
        notes.append(f"corrected figures take units of one {cluster} as independent: their intervals are too narrow")
    about = "corrected figures are about {}, of which those labelled by people are taken for {}"
    sample = {False: "a random sample", True: "a sample drawn with the chances that the weights say"}
    told = (about.format(one.population, sample[one.weights is not None]) for one in figures if one.value is not None)
    return [*notes, *told]


def _notes_on_answers(found: Sequence[JudgeResult]) -> list[str]:
    """What models do not answer, and people without whom the others agree much better: every model looks good then."""
    notes = [f"{one.name}: {one.refused.said}" for one in found if one.refused is not None and one.refused.said]
    for one in found:
        for rater, alone in one.ceiling.without.items():
            if alone is not None and one.ceiling.human is not None and alone - one.ceiling.human > MUCH:
                told = f"people's {one.ceiling.measure} is {decimal(one.ceiling.human)} with everybody"
                why = "a person who agrees less with the others makes every model look better than people"
                notes.append(f"{told} and {decimal(alone)} without {rater}: {why}")
    return notes


def signed_judge(one: JudgeResult, settings: Settings, marks: str, chosen: Mapping[str, str]) -> str:
    """One line with which it can be computed again: `judges|model:…|score:…|epsilon:…|…`."""
    values = (one.alt_test.win_rate, one.alt_test.advantage, one.ceiling.gap)
    fields = {
        "model": one.name,
        "score": one.alt_test.score,
        "epsilon": brief(settings.epsilon, 12),
        "q": brief(settings.q, 12),
        "least": str(settings.least),
        "margin": brief(settings.margin, 12),
        "measure": settings.measure,
        **({"cluster": settings.cluster} if settings.cluster else {}),
        **({"places": settings.places} if settings.places else {}),
        **({"expert": settings.expert} if settings.expert else {}),
        **({"runs": settings.runs} if settings.runs != "first" else {}),
        "units": str(one.n_units),
        "humans": str(one.n_humans),
        **({"question": one.question} if one.question else {}),
        "B": str(settings.resamples),
        "seed": str(settings.seed),
    }
    return signed("judges", fields, chosen, marks, values)
