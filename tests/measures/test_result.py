"""Results: a value or a reason."""

import pytest

from assent.errors import Undefined
from assent.measures.result import Agreement, Interval

INTERVAL = Interval(low=0.25, high=0.75, level=0.95, method="bootstrap")


def test_a_value_or_a_reason_never_both_never_neither_never_nan() -> None:
    for value, reason in ((0.5, "because"), (None, None), (float("nan"), None)):
        with pytest.raises(ValueError, match="kappa"):
            Agreement(measure="kappa", name="Cohen's kappa", value=value, reason=reason)


def test_an_undefined_result_is_not_a_number() -> None:
    undefined = Agreement(measure="kappa", name="Cohen's kappa", value=None, reason="no data")
    with pytest.raises(Undefined, match="Cohen's kappa is undefined: no data"):
        float(undefined)


def test_json_follows_the_contract() -> None:
    result = Agreement(measure="kappa", name="Cohen's kappa", value=0.5, interval=INTERVAL, slice={"group": "NS"})
    shown = result.with_(n_units=3).as_dict()
    assert list(shown) == [
        "measure",
        "name",
        "question",
        "slice",
        "raters",
        "value",
        "reason",
        "observed",
        "expected",
        "interval",
        "n_units",
        "n_raters",
        "n_judgements",
        "n_dropped",
        "notes",
        "details",
        "signature",
    ]
    assert shown["interval"] == {"low": 0.25, "high": 0.75, "level": 0.95, "method": "bootstrap"}
    assert (shown["n_units"], shown["slice"]) == (3, {"group": "NS"})
    assert Agreement(measure="s", name="S", value=1.0).as_dict()["interval"] is None
    assert INTERVAL.width == 0.5
