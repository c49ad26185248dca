"""Agreement of a running study as plain functions: the panel, its parts, pairs, the target."""

from contextlib import closing
from pathlib import Path

import pytest

from concordant.collection.log import Log
from concordant.design.description import Rater
from concordant.diagnosis.verdict import MAIN
from concordant.errors import InputError
from concordant.studio.live import SEED
from concordant.studio.measurements import aim, measured, pairs, panel, parts, stoppings
from concordant.studio.people import MemberPlace, place_of
from concordant.studio.projects import NotFoundError, Studio
from concordant.uncertainty.studies import measure_study
from tests.collection.playing import play
from tests.web.samples import study, unit


def test_the_panel_shows_what_is_measured(sample: MemberPlace) -> None:
    shown = panel(sample)
    judgements = sample.latest().judgements
    assert judgements is not None
    (block,) = shown.blocks
    assert [row.result for row in block.rows] == measure_study(judgements, seed=SEED)
    assert (block.title, block.reason) == ("Truth", "")
    assert all(row.bar and 0 <= row.bar.begin <= row.bar.point <= row.bar.end <= 100 for row in block.rows)
    assert (shown.snapshot.progress.n_answered, shown.target, shown.is_reached) == (16, 0.2, False)
    assert "kind" in shown.snapshot.attributes


def test_parts_are_worked_out_when_they_are_asked_for_or_few(sample: MemberPlace) -> None:
    shown = parts(sample, by="kind")
    ((_, blocks),) = shown.sliced
    assert {block.title for block in blocks} == {"odd", "even"}
    assert [pair.raters for one in shown.readings for pair in one.pairs] == [("Ada", "Ben")]
    assert (shown.n_texts, shown.marked, shown.spans_reason) == (0, [], "")
    assert parts(sample, by="nothing").sliced == []


def test_results_of_the_whole_of_parts_and_of_pairs(sample: MemberPlace) -> None:
    (_, whole), (_, by_kind), (_, of_pairs) = (
        measured(sample),
        measured(sample, by="kind"),
        measured(sample, pairs=True),
    )
    assert {one.slice for one in whole} == {None}
    assert {(one.slice or {})["kind"] for one in by_kind} == {"odd", "even"}
    assert of_pairs
    assert of_pairs != whole
    with pytest.raises(NotFoundError, match="no such attribute"):
        measured(sample, by="nothing")


def test_pairs_are_read_once_for_a_snapshot(sample: MemberPlace) -> None:
    snapshot = sample.latest()
    assert pairs(snapshot) is pairs(snapshot)


def test_the_target_moves_what_it_takes(changing: MemberPlace) -> None:
    (before,) = stoppings(changing, changing.latest())
    assert (before.result.measure, before.target, before.is_reached) == (MAIN, 0.2, False)
    aim(changing, "1,99")
    (after,) = stoppings(changing, changing.latest())
    assert after.target == 1.99
    with pytest.raises(InputError, match="'wide' is not a number"):
        aim(changing, "wide")
    with pytest.raises(InputError, match="cannot be 3 wide"):
        aim(changing, 3)


def test_choices_of_parses_are_measured_in_parts(tmp_path: Path) -> None:
    """One answer becomes judgements of two questions, neither of which is called like the one that was asked."""
    units = tuple(unit(number, attributes={"kind": "odd" if number % 2 else "even"}) for number in range(1, 5))
    asked = study(tmp_path, "parses", units=units, raters=(Rater(id="Ada"), Rater(id="Ben")))
    with Log.open(f"sqlite:///{tmp_path}/answers.db") as log:
        studio = Studio(log, {"sample": asked})
        studio.accounts.add_researcher("Cleo", "a hash", study="sample")
        for rater in ("Ada", "Ben"):
            play(log, asked, rater)
        with closing(studio.live):
            shown = parts(place_of(studio, "Cleo", "sample"), by="kind")
    assert [{block.title for block in blocks} for _, blocks in shown.sliced] == [{"odd", "even"}] * 2
