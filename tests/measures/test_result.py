"""Results: a value or a reason; several together in text, notebook and frame; the matrix of texts and slices."""

import sys
from typing import Any

import pandas as pd
import polars as pl
import pytest

from concordant import notebook
from concordant.errors import MissingExtra, Undefined
from concordant.measures.gamma import options
from concordant.measures.result import Agreement, Interval, Results, apart, as_html, matrix, places, summary_rows
from tests.measures.unitizing.oracles import measure_all, random_continuum

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
    shown = result.with_(n_units=3).to_dict()
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
    over = {"over": None, "n_clusters": None, "design_effect": None, "why": None}
    assert shown["interval"] == {"low": 0.25, "high": 0.75, "level": 0.95, "method": "bootstrap", **over}
    assert (shown["n_units"], shown["slice"]) == (3, {"group": "NS"})
    assert Agreement(measure="s", name="S", value=1.0).to_dict()["interval"] is None
    assert INTERVAL.width == 0.5


def test_what_is_not_said_is_nothing() -> None:
    bare = Agreement(measure="kappa", name="Cohen's kappa", value=0.5)
    assert (bare.n_units, bare.n_raters, bare.n_judgements, bare.n_dropped) == (0, 0, 0, 0)
    assert (bare.raters, bare.notes, bare.signature, dict(bare.details)) == ((), (), "", {})
    assert (bare.reason, bare.observed, bare.expected, bare.interval, bare.question, bare.slice) == (None,) * 6


ENDS = Interval(low=-1.4, high=0.9, level=0.95, method="bootstrap")
GOOD = Agreement(
    measure="alpha",
    name="Krippendorff's alpha (ordinal)",
    value=0.5,
    interval=ENDS,
    n_units=40,
    n_raters=2,
    raters=("A", "B"),
    question="fluency",
    slice={"genre": "<news>"},
)
NONE = Agreement(measure="kappa", name="Cohen's kappa", value=None, reason="no pair", raters=("A", "C"))


def test_results_are_a_sequence() -> None:
    both = Results([GOOD, NONE], notes=["a note"])
    assert (len(both), both[0], both[-1]) == (2, GOOD, NONE)
    assert list(both[:1]) == [GOOD]
    assert both[:1].notes == ("a note",)
    assert both.to_dict() == {"results": [GOOD.to_dict(), NONE.to_dict()], "notes": ["a note"]}


def test_printed_results_fit_a_screen() -> None:
    assert repr(GOOD) == (
        "<fluency, genre=<news>, Krippendorff's alpha (ordinal): 0.500 [-1.400, 0.900]; 40 units, 2 raters>"
    )
    assert repr(NONE) == "<Cohen's kappa: undefined: no pair; 0 units, 0 raters>"
    many = repr(Results([GOOD] * 500))
    assert many.splitlines()[0] == "500 results"
    assert many.splitlines()[-1] == "… 480 more: see .to_frame()"
    assert len(many.splitlines()) == 22


def test_a_notebook_shows_a_table_with_bars() -> None:
    page = Results([GOOD, NONE], notes=["a note"])._repr_html_()
    assert "&lt;news&gt;" in page
    assert "<svg" in page
    assert "A &amp; C" in page
    assert "undefined" in page
    assert "Cohen&#x27;s kappa: no pair" in page
    assert "a note" in page
    assert GOOD.interval is not None
    assert f"{GOOD.interval.low:.3f} … {GOOD.interval.high:.3f}" in page
    assert "discard" in page
    assert GOOD._repr_html_().count("<tr>") == 2


def test_a_frame_has_a_row_for_each_result() -> None:
    frame = Results([GOOD, NONE]).to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame.loc[0, "genre"] == "<news>"
    assert frame.loc[0, "interval_high"] == 0.9
    assert frame.loc[1, "reason"] == "no pair"
    assert list(GOOD.to_frame()["value"]) == [0.5]


def test_a_frame_is_of_polars_where_pandas_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(GOOD.to_frame(), pl.DataFrame)


def test_without_a_library_of_frames_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra, match="a data frame needs"):
        GOOD.to_frame()


def test_results_are_drawn_by_the_public_function(monkeypatch: pytest.MonkeyPatch) -> None:
    import concordant

    drawn: list[Any] = []
    monkeypatch.setattr(
        concordant, "plot", lambda results, **options: drawn.append((list(results), options)), raising=False
    )
    GOOD.plot(title="x")
    Results([NONE]).plot()
    assert drawn == [([GOOD], {"title": "x"}), ([NONE], {})]


def test_bars_share_an_axis_from_nought_or_below_to_one() -> None:
    """The ends of the axis are the values and low ends, but no lower than -1."""
    low = Agreement(
        measure="alpha", name="low", value=-0.2, interval=Interval(low=-0.4, high=0.1, level=0.95, method="t")
    )
    plain = Agreement(measure="alpha", name="plain", value=0.3)
    assert notebook.interval_bar(0.5, (-1.4, 0.9), (-1.0, 1.0)) in as_html([GOOD])
    assert notebook.interval_bar(-0.2, (-0.4, 0.1), (-0.4, 1.0)) in as_html([low, plain])
    assert notebook.interval_bar(0.3, None, (-0.4, 1.0)) in as_html([low, plain])
    assert notebook.interval_bar(0.3, None, (0.0, 1.0)) in as_html([plain, NONE])


def test_a_pair_of_raters_is_named_only_where_pairs_differ() -> None:
    other = GOOD.with_(raters=("A", "C"))
    assert "Pair" not in places([GOOD, GOOD])
    assert places([GOOD, other])["Pair"] == ["A & B", "A & C"]
    assert "Pair" not in places([GOOD, GOOD.with_(raters=("A", "B", "C"))])
    assert places([GOOD, NONE])["Question"] == ["fluency", None]
    assert places([NONE]) == {}


def result(text: str, guideline: str, value: float | None) -> Agreement:
    reason = "too short" if value is None else None
    return Agreement(
        measure="gamma", name="gamma", value=value, reason=reason, slice={"guideline": guideline, "text": text}
    )


def test_the_matrix_has_the_shape_of_the_slides() -> None:
    cells = [
        result("Kafka", "S1", 0.2),
        result("Storm", "S1", 0.4),
        result("Kafka", "S2", None),
        result("Tieck", "S2", 0.5),
    ]
    found = matrix(cells)
    assert found.texts == ("Kafka", "Storm", "Tieck")
    first, second = found.columns
    assert first.cells == (0.2, 0.4, None)
    assert second.reasons == ("too short", "not in the data", None)
    assert first.summary == pytest.approx({"Min": 0.2, "Mean": 0.3, "Max": 0.4, "Stddev": 0.1414213562})
    assert second.summary == {"Min": 0.5, "Mean": 0.5, "Max": 0.5, "Stddev": None}


def test_the_mean_over_texts_has_an_interval_of_texts() -> None:
    """Ten texts: 0.5 ± t(9) · s / √10, s of .1, .2 … 1.0 = .3027650, t = 2.262157."""
    ten = [result(f"text {i}", "", i / 10) for i in range(1, 11)]
    assert matrix(ten[:9]).columns[0].interval is None
    assert matrix(ten[:9]).columns[0].mean_in_words == ""
    found = matrix(ten)
    (column,) = found.columns
    assert column.interval is not None
    half = 2.262157 * 0.3027650 / 10**0.5
    assert (column.interval.low, column.interval.high) == pytest.approx((0.55 - half, 0.55 + half), abs=1e-6)
    assert (column.interval.over, column.interval.n_clusters) == ("texts", 10)
    assert column.interval.method == "jackknife over 10 texts"
    assert column.mean_in_words == "mean over 10 texts 0.550 [0.333, 0.767]"
    rows = dict(summary_rows(found))
    assert list(rows) == ["Min", "Mean", "Mean, 95% low", "Mean, 95% high", "Max", "Stddev"]
    assert rows["Mean, 95% low"] == [column.interval.low]
    assert list(dict(summary_rows(matrix(ten[:3])))) == ["Min", "Mean", "Max", "Stddev"]
    assert matrix(ten, "n_units").columns[0].interval is None
    assert matrix([result(f"text {i}", "", 0.5) for i in range(12)]).columns[0].interval is None
    even = matrix([result(f"text {i}", "", (-1.0) ** i) for i in range(10)]).columns[0]
    assert even.mean_in_words == "mean over 10 texts 0.000 [-0.754, 0.754]"
    high = matrix([result(f"text {i}", "", 1.0 if i else 0.2) for i in range(10)]).columns[0].interval
    assert high is not None
    assert high.high == 1.0


def test_an_empty_column_has_no_summary() -> None:
    (column,) = matrix([result("Kafka", "S1", None)]).columns
    assert set(column.summary.values()) == {None}


def test_results_without_a_slice_are_one_cell() -> None:
    bare = Agreement(measure="gamma", name="gamma", value=0.5)
    assert matrix([bare]).columns[0].title == ""


def test_all_keys_in_one_go() -> None:
    text = random_continuum(1, 2, 8, least=4, n_categories=2)
    results = measure_all(text, ["alpha_u", "gamma", "gamma_cat"], options(samples=20, precision="none"))
    assert [one.measure for one in results] == ["alpha_u", "gamma", "gamma_cat"]
    assert [one.measure for one in measure_all(text, ["alpha_u"], options())] == ["alpha_u"]


def test_groups_of_raters_have_a_matrix_each_where_slices_divide_them() -> None:
    found = [
        result(text, guideline, 0.5).with_(slice={"raters": raters, "guideline": guideline, "text": text})
        for raters in ("all", "own × foreign")
        for guideline in ("1", "2")
        for text in ("Kafka", "Kleist")
    ]
    parts = {name: [column.title for column in one.columns] for name, one in apart(matrix(found))}
    assert parts == {"all": ["1", "2"], "own × foreign": ["1", "2"]}
    whole = matrix([one.with_(slice={k: v for k, v in (one.slice or {}).items() if k != "guideline"}) for one in found])
    assert apart(whole) == [("", whole)]
    assert [column.title for column in whole.columns] == ["all", "own × foreign"]
