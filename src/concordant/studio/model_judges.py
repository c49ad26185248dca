"""What models that answered a study may stand for: the page Models, for researchers only."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from concordant.about import NAME
from concordant.diagnosis.requirements import Requirement
from concordant.digits import brief, decimal, interval_text
from concordant.errors import ConcordantError, InputError
from concordant.judging.bias import Compared
from concordant.judging.judge import judges
from concordant.judging.results import JudgeResult, Judging
from concordant.model.study import Study
from concordant.plots.axis import Mark, placed
from concordant.readers.study_log import Encoding
from concordant.studio.people import MemberPlace

EPSILON = 0.1
MOST_EPSILON = 0.5
ROOM = 1.15  # of the axis beyond the longest interval


@dataclass(frozen=True, kw_only=True)
class GapMark(Mark):
    """How far a model's agreement is from people's, 0 in the middle of the axis; `words` say it with its interval."""

    words: str


@dataclass(frozen=True, kw_only=True)
class ModelRow:
    """One judge as the page shows it."""

    found: JudgeResult
    mark: GapMark | None
    deciding: str


@dataclass(frozen=True, kw_only=True)
class ModelsView:
    """Everything on the page; `reason` says what is lacking, `fault` what is wrong with a requirement."""

    rows: tuple[ModelRow, ...] = ()
    compared: tuple[Compared, ...] = ()
    bands: tuple[dict[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    attributes: tuple[str, ...] = ()
    command: str = ""
    reason: str = ""
    fault: str = ""


def judged_by_all(place: MemberPlace) -> Study:
    """All judgements, models' too; an error where no model has answered beside people."""
    snapshot = place.latest()
    if not place.study.description.has_models:
        hint = 'declare one in the study file: [[raters]] with kind = "model"'
        raise InputError("no rater of this study is a model", hint=hint)
    whole = {one.person.rater: one for one in snapshot.followed}
    study = snapshot.remember("models' too", lambda: Encoding(snapshot.study).study(whole))
    if study is None or not set(study.raters) & set(study.models):
        raise InputError("no model has answered yet", hint=f"`{NAME} ask` asks one")
    return study


def models_beside(place: MemberPlace) -> Study | None:
    """All judgements where people and models judged; None elsewhere."""
    try:
        study = judged_by_all(place)
    except InputError:
        return None
    return study if study.is_judged_by_both else None


def judging_of(place: MemberPlace, by: str = "", epsilon: float = EPSILON) -> Judging:
    """The models of a study beside its people; computed once for each state of the answers."""
    study = judged_by_all(place)
    columns = [by] if by else []
    return place.latest().remember(f"judges {epsilon} {by}", lambda: judges(study, epsilon=epsilon, by=columns))


def models_view(place: MemberPlace, by: str = "", require: str = "", epsilon: str = "") -> ModelsView:
    """What the page shows; `require` has a requirement on each line, `epsilon` is as it was typed."""
    texts = [line.strip() for line in require.splitlines() if line.strip()][:20]
    try:
        study = judged_by_all(place)
        better_by = as_epsilon(epsilon)
        found = judging_of(place, by, better_by)
    except ConcordantError as error:
        return ModelsView(reason=str(error))
    fault, checked = "", tuple[Requirement, ...]()
    try:
        checked = found.checked(*texts)
    except ConcordantError as error:
        fault = str(error)
    words = ["--epsilon", brief(better_by), *(["--by", by] if by else [])]
    words += [word for text in texts for word in ("--require", text)]
    reach = ROOM * max([0.1, *(abs(end) for one in found.judges for end in _ends(one))])
    margin = found.judges[0].ceiling.margin
    return ModelsView(
        rows=tuple(
            ModelRow(found=one, mark=_mark(one, reach), deciding=", ".join(w.rater for w in one.alt_test.deciding))
            for one in found.judges
        ),
        bands=({"tone": "good", "begin": _place(-margin, reach), "width": 100 * margin / reach},),
        compared=found.compared,
        notes=found.said,
        requirements=checked,
        attributes=tuple(study.attribute_of("unit")),
        command=shlex.join([NAME, "judges", place.study.description.folder.resolve().name, *words]),
        fault=fault,
    )


def as_epsilon(typed: str) -> float:
    """How much better a person may be, as typed: .2 or 0,2; that of crowds when nothing is."""
    if not typed.strip():
        return EPSILON
    try:
        found = float(typed.strip().replace(",", "."))
    except ValueError:
        found = -1.0
    if not 0 <= found <= MOST_EPSILON:
        raise InputError(f"{typed!r} is not how much better a person may be", hint="write 0.1, 0.15 or 0.2")
    return found


def _ends(one: JudgeResult) -> Sequence[float]:
    return () if one.ceiling.interval is None else (one.ceiling.interval.low, one.ceiling.interval.high)


def _place(value: float, reach: float) -> float:
    return 50 + 50 * value / reach


def _mark(one: JudgeResult, reach: float) -> GapMark | None:
    """The gap with its interval; green where people's agreement is kept, red where it is not."""
    gap, interval = one.ceiling.gap, one.ceiling.interval
    if gap is None or interval is None:
        return None
    tones = {"better": "good", "equivalent": "good", "not worse": "good", "worse": "bad"}
    label, (point, begin, end) = decimal(gap), (_place(x, reach) for x in (gap, interval.low, interval.high))
    at, anchor, dx, dy = placed(label, point, begin, end)
    return GapMark(
        label=label,
        words=f"{label} [{interval_text(interval)}]",
        tone=tones.get(one.ceiling.verdict, "none"),
        point=point,
        begin=begin,
        end=end,
        label_at=at,
        anchor=anchor,
        dx=dx,
        dy=dy,
    )
