"""The front door: what people have goes in, what they asked for comes out, and nothing given is ignored."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest

import concordant as cc
from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.measures.catalogue import CATALOGUE
from concordant.readers import formats
from concordant.readers.data import as_study
from concordant.uncertainty import estimate
from concordant.uncertainty.front import ASKED, selection
from concordant.uncertainty.studies import measure_study
from tests.cli.running import run
from tests.treebank.made import EXAMPLE

DATA = Path(str(files("concordant") / "examples" / "data"))
RATINGS, FEATURES, SPANS = (str(DATA / f"{name}.csv") for name in ("ratings", "features", "spans"))
ROWS = [[1, 1, 2], [2, 2, 2], [3, 3, 3], [1, 2, 1]]


def test_every_form_of_the_same_data_gives_the_same_number() -> None:
    frame = pd.read_csv(RATINGS).rename(columns={"unit": "item", "rater": "who", "value": "score"})
    named: dict[str, Any] = {"unit": "item", "rater": "who", "value": "score", "level": "ordinal", "ci": "none"}
    study = cc.read(RATINGS, level="ordinal")
    plain = [one.value for one in cc.measure(RATINGS, "alpha", level="ordinal", ci="none")]
    assert [one.value for one in cc.measure(frame, "alpha", **named)] == plain
    assert [one.value for one in cc.measure(pl.from_pandas(frame), "alpha", **named)] == plain
    assert [one.value for one in cc.measure(study, "alpha", ci="none")] == plain
    assert cc.measure(study.judgements("fluency"), "alpha", ci="none").value == plain[0]
    assert cc.measure(tally(study.judgements("fluency")), "alpha", ci="none").value == plain[0]


def test_rows_and_arrays_are_units_by_raters() -> None:
    one = cc.measure(ROWS, "alpha", level="ordinal", seed=1)
    two = cc.measure(np.array(ROWS), "alpha", level="ordinal", seed=1)
    three = estimate.measure(cc.Judgements.from_matrix(ROWS, level="ordinal"), "alpha", seed=1)
    assert one.value == two.value == three.value
    assert one.interval == two.interval == three.interval
    assert (one.n_units, one.n_raters) == (4, 3)


def test_one_key_on_one_part_is_one_result_and_everything_else_several() -> None:
    assert isinstance(cc.measure(ROWS, "alpha", ci="none"), cc.Agreement)
    assert isinstance(cc.measure(ROWS, ["alpha"], ci="none"), cc.Results)
    assert len(cc.measure(ROWS, ci="none")) > 1
    assert [one.question for one in cc.measure(RATINGS, "alpha", level="ordinal", ci="none")] == ["fluency", "adequacy"]
    sliced = cc.measure(FEATURES, ["alpha", "kappa"], by="group", pool=True, ci="none")
    assert [(one.measure, one.slice) for one in sliced] == [
        ("alpha", {"group": "non-native"}),
        ("kappa", {"group": "non-native"}),
        ("alpha", {"group": "native"}),
        ("kappa", {"group": "native"}),
    ]
    assert list(sliced.to_frame()["group"]) == ["non-native", "non-native", "native", "native"]
    assert [one.raters for one in cc.measure(ROWS, "kappa", pairs=True, ci="none")] == [
        ("rater 1", "rater 2"),
        ("rater 1", "rater 3"),
        ("rater 2", "rater 3"),
    ]


def test_groups_of_raters_are_named_or_made_by_a_column() -> None:
    by_column = cc.measure(RATINGS, "alpha", level="ordinal", group="speaker", pool=True, ci="none")
    native = next(one.raters for one in by_column if (one.slice or {})["raters"] == "native")
    by_name = cc.measure(RATINGS, "alpha", level="ordinal", group={"native": list(native)}, pool=True, ci="none")
    assert by_name[1].value == by_column[1].value
    spans = cc.measure(SPANS, "alpha_u", group={"own": ["Ida"], "foreign": ["Jon", "Kim"]})
    assert {(one.slice or {})["raters"] for one in spans} == {"all", "own × foreign", "foreign"}
    with pytest.raises(InputError, match="only a study has columns of raters"):
        cc.measure(SPANS, "alpha_u", group="speaker")


@pytest.mark.parametrize(
    ("data", "key", "options", "said"),
    [
        (ROWS, "alpha", {"resample": 3}, r"no option 'resample'; did you mean 'resamples'"),
        (ROWS, "alpha", {"units": 3}, r"an array has no option 'units'; it has level"),
        (ROWS, "alpha", {"samples": 3}, r"alpha has no option 'samples'"),
        (SPANS, "alpha_u", {"samples": 30}, r"alpha_u has no option 'samples'"),
        (SPANS, "gamma", {"weights": "linear"}, r"gamma has no option 'weights'"),
        (SPANS, "gamma", {"ci": "bca"}, r"no bca interval for gamma; it has chance"),
        (SPANS, "gamma", {"permutations": 9}, r"permutations is for judgements, and these are spans"),
        (cc.Judgements.from_matrix(ROWS), "alpha", {"unit": "x"}, r"alpha has no option 'unit'"),
        (RATINGS, "alpha", {"rater": "who"}, r"no such column|did you mean"),
        (7, "alpha", {}, r"int is nothing that can be read; give a path"),
        (ROWS, "alfa", {}, r"unknown measure 'alfa'; did you mean 'alpha'"),
        (SPANS, "kappa", {}, r"kappa"),
    ],
)
def test_what_nobody_has_is_refused(data: Any, key: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        cc.measure(data, key, **options)


def test_options_of_requests_are_options_of_no_measure_and_no_reader() -> None:
    readers = {choice.name for one in formats().values() for choice in one.options.described()}
    measures = {choice.name for one in CATALOGUE.values() for choice in one.options.described()} - {
        "confidence",
        "seed",
    }
    assert not set(ASKED) & (readers | measures)


def test_a_signature_says_how_the_data_were_read_and_verifies_on_every_form() -> None:
    made = cc.measure(RATINGS, "alpha", level="ordinal", where={"question": ["fluency"]}, seed=1)
    assert "|from.level:ordinal|from.where:question%3Dfluency|" in made.signature
    assert cc.verify(made.signature, RATINGS).matches
    assert cc.verify(made.signature, pd.read_csv(RATINGS)).matches
    assert cc.verify(made.signature, cc.read(RATINGS, level="ordinal").judgements("fluency")).matches
    other = pd.read_csv(RATINGS)
    other.loc[0, "value"] = 1 if other.loc[0, "value"] != 1 else 2
    found = cc.verify(made.signature, other)
    assert not found.matches
    assert found.differences[0].startswith("data: ")


def test_signatures_of_slices_pooled_questions_and_chosen_raters_verify() -> None:
    frame = pd.read_csv(RATINGS).rename(columns={"unit": "item", "rater": "who", "value": "score"})
    some = cc.measure(frame, "alpha", unit="item", rater="who", value="score", level="ordinal", pool=True,
                      categories=[1, 2, 3, 4, 5], raters=["J1", "J2", "J3"], seed=3)  # fmt: skip
    assert some.n_raters == 3
    assert cc.verify(some.signature, frame).matches
    for one in cc.measure(RATINGS, "alpha", level="ordinal", group="speaker", seed=2, resamples=50):
        assert cc.verify(one.signature, RATINGS).matches
    for one in cc.measure(FEATURES, "kappa", by="group", pool=True, seed=2):
        assert cc.verify(one.signature, FEATURES).matches


def test_signatures_of_a_question_verify_on_an_engine() -> None:
    found = cc.measure(RATINGS, "alpha", level="ordinal", seed=1)
    assert len(found) > 1
    for one in found:
        assert cc.verify(one.signature, RATINGS, engine="duckdb").matches
    [pooled] = cc.measure(RATINGS, ["alpha"], level="ordinal", pool=True, seed=1, engine="duckdb")
    again = cc.verify(pooled.signature, RATINGS, engine="duckdb")
    assert again.matches
    assert again.result.value == pooled.value


def test_signatures_of_spans_verify_text_by_text() -> None:
    for one in cc.measure(SPANS, ["gamma", "gamma_k", "alpha_u"], samples=30, precision="none", seed=2):
        assert cc.verify(one.signature, SPANS).matches
    grouped = cc.measure(SPANS, "alpha_u", group={"own": ["Ida"], "foreign": ["Jon", "Kim"]})
    assert all(cc.verify(one.signature, SPANS).matches for one in grouped)
    one = cc.measure(SPANS, "alpha_u")[0]
    with pytest.raises(InputError, match="there is no ferry in these data"):
        cc.verify(one.signature, pd.read_csv(SPANS).query("text != 'ferry'"))


def test_signatures_of_the_command_line_verify_in_python(tmp_path: Path) -> None:
    """Both read the data in one way: tokens, features and groups of spans, matrices, options of profiles."""
    (tmp_path / "t.txt").write_text("Ida saw Jon and Kim")
    spans = "text,rater,begin,end,category,mood\nt,Ida,0,3,A,x\nt,Ida,8,11,B,y\nt,Jon,0,7,A,x\nt,Kim,0,3,A,y\n"
    (tmp_path / "s.csv").write_text(spans)
    (tmp_path / "w.csv").write_text(",1,2,3\n1,1,.5,0\n2,.5,1,.5\n3,0,.5,1\n")
    (tmp_path / "j.csv").write_text("unit,x,y\na,1,1\nb,2,3\nc,3,3\nd,1,2\n")

    def signed(*words: str) -> list[str]:
        found = run("measure", *words, "--ci", "none", "--json", cwd=tmp_path).stdout
        return [one["signature"] for one in json.loads(found)["results"]]

    tokens = ("--positions", "tokens", "--texts", str(tmp_path), "--features", "mood", "--where", "rater=Ida,Jon,Kim")
    for one in signed("s.csv", "--measure", "alpha_u", *tokens, "--group", "own=Ida,other=Jon,Kim"):
        assert cc.verify(one, tmp_path / "s.csv").matches
        assert cc.verify(one, pd.read_csv(tmp_path / "s.csv")).matches
    (weighted,) = signed("j.csv", "--measure", "kappa", "--weights", "w.csv", "--level", "ordinal")
    assert cc.verify(weighted, tmp_path / "j.csv", matrices={"weights": tmp_path / "w.csv"}).matches
    (half,) = signed(str(EXAMPLE / "anna"), str(EXAMPLE / "bruno"), "--format", "profiles", "--measure", "y_option",
                     "--read", "reading=log", "--read", "edm=no")  # fmt: skip
    assert cc.verify(half, [EXAMPLE / "anna", EXAMPLE / "bruno"]).matches


def test_trees_of_two_raters_are_measured_and_verified(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in ("anna.mrg", "bruno.mrg")]
    Path(paths[0]).write_text("(S (NP (N dogs)) (VP (V bark)))\n(S (NP (N cats)) (VP (V sleep)))\n")
    Path(paths[1]).write_text("(S (NP (N dogs)) (VP (V bark)))\n(S (N cats) (VP (V sleep)))\n")
    made = cc.measure(paths, "parseval", seed=1, resamples=50)
    assert isinstance(made, cc.Agreement)
    assert cc.verify(made.signature, paths).matches


def test_everything_that_chose_the_data_is_signed_whatever_stands_before_it() -> None:
    chosen = selection(cc.read(RATINGS), {"encoding": None, "where": {"genre": ["news", "mail"]}, "unit": "item"})
    assert chosen == {"unit": "item", "where": "genre=news,mail"}


def test_one_text_is_enough_to_say_what_suits() -> None:
    one = {"rater": ["a", "b"], "start": [0, 1], "end": [4, 5], "category": ["x", "x"], "text": ["t", "t"]}
    assert cc.suitable(pd.DataFrame(one))[0].measure.key in ("gamma", "gamma_cat", "gamma_k", "alpha_u")


def test_without_data_every_measure_is_named() -> None:
    assert [one.measure for one in cc.suitable()] == list(CATALOGUE.values())


def test_suitable_says_which_measures_fit_each_question() -> None:
    best = [(one.question, one.measure.key) for one in cc.suitable(RATINGS, level="ordinal") if one.is_recommended]
    assert ("fluency", "alpha") in best
    assert ("adequacy", "alpha") in best
    assert cc.suitable(SPANS)[0].measure.key in ("gamma", "gamma_cat", "gamma_k", "alpha_u")
    assert cc.suitable(ROWS)[0].question is None


def test_plan_takes_any_data_with_one_question() -> None:
    how: dict[str, Any] = {"width": 0.3, "resamples": 100, "level": "ordinal"}
    made = cc.plan(RATINGS, "alpha", where={"question": ["fluency"]}, seed=1, **how)
    assert made == cc.plan(RATINGS, "alpha", where={"question": ["fluency"]}, seed=1, **how)
    assert made.size > 2
    assert cc.plan(RATINGS, "alpha", where={"question": ["fluency"]}, **how).seed >= 0
    with pytest.raises(InputError, match="the data have 2 questions; plan for one of them"):
        cc.plan(RATINGS, "alpha", seed=1, **how)


def test_options_of_any_measure_are_taken_where_none_is_named() -> None:
    rows = [["a", "b"], ["b", "b"], ["a", "a"], ["c", "b"]]
    found = cc.measure(rows, distance="nominal", ci="none")
    assert {"percent", "kappa", "alpha"} <= {one.measure for one in found}


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        (ROWS, {"by": "genre"}, "these data cannot be taken apart: by; leave out by"),
        (ROWS, {"pool": True}, "these data cannot be taken apart: pool"),
        (SPANS, {"pairs": True}, "these data cannot be taken apart: pairs"),
    ],
)
def test_ways_to_take_data_apart_that_they_do_not_have_are_refused(
    data: Any, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        cc.measure(data, "alpha_u" if data is SPANS else "alpha", **options)


def test_a_study_refuses_options_that_none_of_the_measures_has_and_values_of_categories_of_spans() -> None:
    with pytest.raises(InputError, match="alpha has no option 'variant'"):
        measure_study(cc.read(RATINGS, level="ordinal"), ["alpha"], variant="pygamma")
    with pytest.raises(InputError, match="alpha_u has no value for each category; only judgements have"):
        measure_study(cc.read(SPANS), ["alpha_u"], per_category=True)


def test_a_category_that_no_span_has_names_the_nearest() -> None:
    with pytest.raises(InputError, match="no category 'drem' in these spans; did you mean 'dream'"):
        cc.measure(SPANS, "gamma_k", category="drem", samples=10, precision="none", seed=1)


class TestSlicesKeepTheScaleOfTheWhole:
    """A part where not every value occurs is on the scale of all: its level, its categories, chance among them."""

    DATA: ClassVar[dict[str, Any]] = {
        "unit": list("aabbccddeeff"),
        "rater": ["x", "y"] * 6,
        "value": [1, 1, 5, 1, 5, 5, 1, 2, 4, 3, 5, 5],
        "genre": ["p"] * 6 + ["q"] * 6,
    }

    def test_level_and_chance_are_those_of_all_values(self) -> None:
        low, high = cc.measure(self.DATA, "alpha", by="genre", ci="none")
        assert (low.name, high.name) == ("Krippendorff's alpha (ordinal)",) * 2
        assert any("guessed" in note for note in low.notes)
        [first, _] = cc.measure(self.DATA, "s", by="genre", ci="none")
        assert first.expected == pytest.approx(1 / 5)  # and not one of the two values that occur there
        declared = cc.measure(self.DATA, "s", by="genre", ci="none", level="ordinal", categories=list("12345"))
        assert [one.value for one in declared] == [
            one.value for one in cc.measure(self.DATA, "s", by="genre", ci="none")
        ]

    def test_two_slices_share_the_fingerprint_of_their_scale_and_verify(self) -> None:
        found = cc.measure(self.DATA, ["alpha", "s"], by="genre", seed=1)
        assert len({one.signature.partition("|scale:")[2].partition("|")[0] for one in found}) == 1
        assert all(cc.verify(one.signature, self.DATA).matches for one in found)
        with pytest.raises(InputError, match="no row has the value 'r'"):
            cc.verify(found[0].signature.replace("slice:genre=p", "slice:genre=r"), self.DATA)

    def test_questions_have_their_own_scales_and_pooled_ones_a_common_one(self) -> None:
        study = as_study({**self.DATA, "question": ["one", "one", "two", "two"] * 3})
        found = {
            (place["genre"], question): piece.judgements(question).scale.categories
            for place, piece in study.slices(["genre"])
            for question in piece.questions
        }
        assert found["p", "one"] == found["q", "one"] == ("1", "3", "4", "5")
        assert found["p", "two"] == found["q", "two"] == ("1", "2", "5")
        pooled = cc.measure(study, "s", by="genre", pool=True, ci="none")
        assert [one.expected for one in pooled] == pytest.approx([1 / 5, 1 / 5])
        assert cc.verify(cc.measure(study, "s", by="genre", pool=True, seed=1)[0].signature, study).matches

    def test_an_engine_finds_the_same(self, tmp_path: Path) -> None:
        pl.DataFrame(self.DATA).write_parquet(tmp_path / "data.parquet")
        file = str(tmp_path / "data.parquet")
        here, there = (cc.measure(file, ["alpha", "s"], by="genre", seed=1, engine=e) for e in ("memory", "duckdb"))
        assert [(one.value, one.name) for one in here] == [(one.value, one.name) for one in there]
        assert all(cc.verify(one.signature, file, engine="duckdb").matches for one in here)
        assert all(cc.verify(one.signature, file).matches for one in there)
        with pytest.raises(InputError, match="there is no judgement in r"):
            cc.verify(here[0].signature.replace("slice:genre=p", "slice:genre=r"), file, engine="duckdb")
