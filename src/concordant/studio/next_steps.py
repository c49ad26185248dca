"""What to do next: at most three things, each with what may be expected of it and the page where it is done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from concordant.diagnosis.verdict import WORST_FIRST, QuestionVerdict, StudyVerdict, Word, strictest
from concordant.digits import coefficient, decimal
from concordant.engines.tally import with_raters
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.measures.krippendorff import alpha
from concordant.studio.live import Snapshot
from concordant.studio.measurements import material_of, readings_of
from concordant.studio.people import MemberPlace
from concordant.studio.splits import label_in, most_confused, question_of
from concordant.uncertainty.planning import Stopping

MOST_STEPS = 3


@dataclass(frozen=True, kw_only=True)
class Step:
    """Something to do next: its kind has words in the catalogues, which `values` fill in; it is done on `page`."""

    kind: str
    page: str
    asked: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str | int] = field(default_factory=dict)


def next_steps(
    place: MemberPlace, snapshot: Snapshot, found: StudyVerdict, stops: Sequence[Stopping] = ()
) -> tuple[Step, ...]:
    """At most three things to do, for the worst question first; to stop is said only of what can be used."""
    done = [one for one in found.questions if _may_stop(place, one)]
    steps: list[Step] = []
    for one in sorted(found.questions, key=lambda one: WORST_FIRST.index(one.word)):
        steps += [step for step in _steps_for(snapshot, one, stops) if step not in steps]
    steps = steps[: MOST_STEPS - bool(done)]
    if done:
        width = place.studio.targets.width(place.name)
        values: dict[str, str | int] = {"questions": ", ".join(one.title for one in done), "width": decimal(width, 2)}
        is_all = len(done) == len(found.questions)
        steps.append(Step(kind="stop" if is_all else "leave", page="raters", values=values))
    return tuple(steps)


def _may_stop(place: MemberPlace, one: QuestionVerdict) -> bool:
    stop = Stopping(result=one.result, target=place.studio.targets.width(place.name))
    return one.word in (Word.RELIABLE, Word.WITH_CARE) and stop.is_done


def _steps_for(snapshot: Snapshot, one: QuestionVerdict, stops: Sequence[Stopping]) -> list[Step]:
    """What one question asks for."""
    asked = question_of(snapshot, one.question)
    values: dict[str, str | int] = {"question": one.title}
    if one.word is Word.UNDEFINED:
        return [
            Step(kind="undefined", page="raters", values=values | {"reason": one.reason[:1].upper() + one.reason[1:]})
        ]
    if one.word is Word.TOO_EARLY:
        more = next((stop.more_units for stop in stops if stop.result.question == one.question), None)
        kind = "collect" if more is None else "collect_so_many"
        return [Step(kind=kind, page="raters", values=values | {"n": more or 0})]
    steps = []
    if one.word is Word.NOT_YET or one.cause:
        strict = _recalibrated(snapshot, one)
        if strict:
            look = {"question": asked.id, "rater": str(strict["rater"])}
            steps.append(Step(kind="recalibrate", page="disagreements", asked=look, values=values | strict))
    if one.word in (Word.NOT_YET, Word.WITH_CARE) and (pair := most_confused(snapshot, asked)):
        first, second, n, n_all = pair
        if len(asked.options) == 2:  # of two answers every disagreement is between them
            look = {"question": asked.id}
            return [*steps, Step(kind="clarify", page="disagreements", asked=look, values=values | {"n": n_all})]
        labels = {name: label_in(snapshot, asked, text) for name, text in (("first", first), ("second", second))}
        look, counts = {"question": asked.id, "one": first, "other": second}, {"n": n, "all": n_all}
        steps.append(Step(kind="sharpen", page="disagreements", asked=look, values=values | labels | counts))
    return steps


def _recalibrated(snapshot: Snapshot, one: QuestionVerdict) -> dict[str, str | int]:
    """The rater who is stricter, by how much, and the coefficient without them."""
    readings = readings_of(snapshot, one.question)
    found = strictest(readings.pairs) if readings else None
    material = material_of(snapshot, one.question)
    if found is None or material is None or not one.cause:
        return {}
    rater, shift = found[:2]
    others = [name for name in material.tally.used_raters if name != rater]
    left = evaluate(find_measure(alpha.key), with_raters(material.tally, others)) if len(others) > 1 else None
    then = "" if left is None or left.value is None else coefficient(left.value)
    if not then:
        return {}
    return {"rater": rater, "by": decimal(shift, 1), "now": coefficient(float(one.result)), "then": then}
