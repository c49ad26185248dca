"""The server's clock jumps: nothing depends on it but the times that are noted."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from concordant.collection import events as ev
from concordant.collection import store
from concordant.collection.folding import collect
from concordant.collection.log import Log
from tests.collection.playing import planned
from tests.design.samples import study


@pytest.mark.parametrize("jump", [timedelta(days=-400), timedelta(days=400)])
def test_the_log_keeps_its_order_when_the_clock_jumps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: timedelta
) -> None:
    made = planned(study(3, raters=(), is_open=True))
    with Log.open(f"sqlite:///{tmp_path}/study.db") as log:
        steps = log.enrol(made, "p").steps
        first = [
            ev.Answered(rater="p", step=n, unit=steps[n]["unit"], question="binary", value="yes") for n in range(2)
        ]
        log.append("sample", first)
        elsewhere = (datetime.now(UTC) + jump).isoformat(timespec="milliseconds")
        monkeypatch.setattr(store, "now", lambda: elsewhere)
        # the rater sees the first answer and changes it; what they say goes by what they saw, not by any clock
        again = ev.Answered(
            rater="p", step=0, unit=steps[0]["unit"], question="binary", value="no", at=elsewhere, revises=[first[0].id]
        )
        log.append("sample", [again])
        assert [entry.seq for entry in log.events("sample")] == [1, 2, 3, 4]
        assert {answer.step: answer.value for answer in log.answers("sample")} == {0: "no", 1: "yes"}
        assert {one.position: one.value for one in collect(log, made).judgements} == {1: "no", 2: "yes"}
        before = log.answers("sample")
        log.rebuild()
        assert log.answers("sample") == before
        assert log.enrol(made, "p").steps == steps
