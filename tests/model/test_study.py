"""A study: questions, attributes, slices, and judgements made of them.

Groups of raters, named or made by an attribute.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from concordant.errors import InputError
from concordant.model.columns import Column, encode
from concordant.model.continuum import Continuum, by_groups, continua, groups_said
from concordant.model.scale import Level
from concordant.model.spans import SpanTable
from concordant.model.study import Declared, Study, check_groups, groups_by_attribute, named_groups
from tests.diagnosis.simulated import study_of
from tests.measures.unitizing.oracles import random_continuum


def make_study(**changes: object) -> Study:
    """Two units, two raters, two questions; invented."""
    fields: dict[str, Any] = {
        "name": "study.csv",
        "unit": encode(["u", "u", "v", "v", "u", "u"]),
        "rater": encode(["a", "b", "a", "b", "a", "b"]),
        "value": encode(["yes", "no", "yes", "yes", "no", "no"]),
        "question": encode(["clear", "clear", "clear", "clear", "true", "true"]),
        "attributes": {
            "genre": encode(["news", "news", "blog", "blog", "news", "news"]),
            "day": encode([1, 2, 1, 1, 1, 2]),
        },
        "row_numbers": np.arange(2, 8),
    }
    return Study(**(fields | changes))


def test_questions_and_raters() -> None:
    study = make_study()
    assert (study.questions, study.raters, study.n_rows) == (("clear", "true"), ("a", "b"), 6)
    assert make_study(question=None).questions == ()


def test_judgements_of_one_question() -> None:
    data = make_study().judgements("clear")
    assert (data.n_units, data.n_judgements) == (2, 4)
    assert any("guessed: nominal" in note for note in data.notes)
    with pytest.raises(InputError, match="2 questions"):
        make_study().judgements()


def test_pooled_units_are_units_with_questions() -> None:
    assert make_study().pooled().unit_names == ["u · clear", "u · true", "v · clear"]
    single = make_study(question=None, duplicates="last")
    assert single.pooled().n_units == single.judgements().n_units == 2


def test_a_declared_level_is_not_a_guess() -> None:
    assert make_study(level=Level.NOMINAL).judgements("clear").notes == ()


def test_a_value_off_the_scale_names_its_row() -> None:
    with pytest.raises(InputError, match=r"study\.csv, row 3, column 'value': the value 'no' is not on"):
        make_study(categories=("yes", "maybe")).judgements("clear")
    with pytest.raises(InputError, match="row 2, column"):
        make_study(categories=("yes", "maybe"), row_numbers=None).judgements("clear")
    sets = make_study(categories=("yes", "no"), level=Level.SET)
    assert sets.judgements("clear").scale.level is Level.SET
    assert make_study(categories=("yes", "no")).judgements("clear").n_judgements == 4


def test_where_and_take_keep_row_numbers() -> None:
    part = make_study().where("genre", ["blog"])
    assert part.row_numbers is not None
    assert part.row_numbers.tolist() == [4, 5]
    assert list(part.unit.labels) == ["v"]
    unnumbered = make_study(row_numbers=None).where("rater", ["b"])
    assert unnumbered.row_numbers is not None
    assert unnumbered.row_numbers.tolist() == [2, 4, 6]
    assert make_study(question=None).where("rater", ["b"]).question is None


def test_unknown_columns_and_values_suggest_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'genre'"):
        make_study().column("gener")
    with pytest.raises(InputError, match="did you mean 'blog'"):
        make_study().where("genre", ["blogg"])


def test_slices_are_the_combinations_that_occur() -> None:
    found = {tuple(where.values()): part.n_rows for where, part in make_study().slices(["genre", "day"])}
    assert found == {("news", "1"): 2, ("news", "2"): 2, ("blog", "1"): 2}


def test_attributes_belong_to_units_or_raters() -> None:
    study = make_study()
    assert study.attribute_of("unit") == ("genre",)
    assert study.attribute_of("rater") == ()
    blank = Column(codes=np.array([-1, 0, -1, 0, -1, 0]), labels=["x"])
    assert make_study(attributes={"group": blank}).attribute_of("rater") == ("group",)


def test_questions_may_have_scales_of_their_own() -> None:
    study = Study(
        name="mixed",
        unit=encode(["a", "a", "a", "a"]),
        rater=encode(["x", "y", "x", "y"]),
        value=encode(["good", "bad", "yes", "no"]),
        question=encode(["quality", "quality", "fit", "fit"]),
        scales={"quality": Declared(level=Level.ORDINAL, categories=("bad", "fair", "good"))},
    )
    assert study.judgements("quality").scale.categories == ("bad", "fair", "good")
    assert study.judgements("fit").scale.level is Level.NOMINAL


CELLS = np.tile(np.arange(1, 5), (4, 10)).T


def test_groups_from_a_rater_attribute() -> None:
    study = study_of(CELLS, columns={"speaker": np.tile(["native", "native", "other", "other"], (40, 1))})
    assert groups_by_attribute(study, "speaker") == {"native": ("J1", "J2"), "other": ("J3", "J4")}
    with pytest.raises(InputError, match="no such column"):
        groups_by_attribute(study, "tongue")


def test_a_column_that_changes_within_raters_makes_no_groups() -> None:
    study = study_of(CELLS, columns={"weather": np.tile(["dry", "wet"], (40, 2))})
    mixed = study_of(CELLS, columns={"weather": np.tile([["dry", "wet", "dry", "wet"], ["wet"] * 4], (20, 1))})
    assert set(groups_by_attribute(study, "weather")) == {"dry", "wet"}
    with pytest.raises(InputError, match="not an attribute of raters"):
        groups_by_attribute(mixed, "weather")


@pytest.mark.parametrize(
    ("groups", "message"), [({"a": ("J9",)}, "no rater 'J9'"), ({"a": ("J1",), "b": ("J1", "J2")}, "in two groups")]
)
def test_bad_groups(groups: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_groups(study_of(CELLS), groups)


@pytest.mark.parametrize("text", ["own", "own=", "=a", "own=a,,b", "a,own=b"])
def test_what_names_no_group_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a group of raters"):
        named_groups([text])


def test_one_text_or_several_name_groups() -> None:
    expected = {"own": ("Ida", "Jon Doe"), "foreign": ("Kim",)}
    assert named_groups(["own=Ida,Jon Doe,foreign=Kim"]) == expected
    assert named_groups(["own = Ida, Jon Doe", "foreign=Kim"]) == expected


def test_good_groups_are_not_complained_about() -> None:
    study = study_of(CELLS)
    check_groups(study, {"a": study.raters[:1], "b": study.raters[1:]})


def test_groups_of_raters_of_spans_are_compared() -> None:
    text = random_continuum(1, 4, 5, least=2)
    made = by_groups([text], named_groups(["own=r0,r1", "foreign=r2,student=r3"]))
    chosen = {one.slice["raters"]: one.raters for one in made}
    assert chosen == {
        "all": ("r0", "r1", "r2", "r3"),
        "own × foreign": ("r0", "r1", "r2"),
        "own × student": ("r0", "r1", "r3"),
        "foreign × student": ("r2", "r3"),
        "own": ("r0", "r1"),
    }


def test_one_group_is_too_few() -> None:
    with pytest.raises(InputError, match="only one group"):
        by_groups([random_continuum(1, 4, 5, least=2)], {"own": ("r0",)})


def test_unknown_raters_of_spans_are_refused() -> None:
    with pytest.raises(InputError, match="'r0' is in two groups"):
        by_groups([random_continuum(1, 2, 5)], {"own": ["r0"], "foreign": ["r0", "r1"]})
    with pytest.raises(InputError, match="no rater 'r9'"):
        by_groups([random_continuum(1, 2, 5)], {"own": ["r0"], "foreign": ["r9"]})


def marked(*rows: tuple[str, str, str, str], seen: Iterable[tuple[str, str]] = ()) -> list[Continuum]:
    """Texts in slices, of spans with guideline, text, rater and role; `seen` had a file and marked nothing."""
    names = ("guideline", "text", "rater", "role")
    columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    n = len(rows)
    frame = pl.DataFrame({**columns, "begin": range(n), "end": range(2, n + 2), "category": ["x"] * n})
    return continua(replace(SpanTable.from_frame(frame), seen=frozenset(seen)), by=["guideline"])


def test_a_column_says_who_is_own_and_who_is_foreign_guideline_by_guideline() -> None:
    """Ida wrote the first guideline and is a stranger to the second."""
    texts = marked(
        ("1", "t", "Ida", "own"), ("1", "t", "Jon", "foreign"), ("1", "t", "Kim", "foreign"), ("1", "t", "Lea", ""),
        ("2", "t", "Ida", "foreign"), ("2", "t", "Jon", "own"),
    )  # fmt: skip
    found = {tuple(one.slice.values()): one for one in by_groups(texts, "role")}
    across = {place: one.across for place, one in found.items() if one.across}
    assert across == {
        ("foreign × own", "1", "t"): (("Jon", "Kim"), ("Ida",)),
        ("foreign × own", "2", "t"): (("Ida",), ("Jon",)),
    }
    assert found["foreign", "1", "t"].raters == ("Jon", "Kim")
    assert found["all", "1", "t"].raters == ("Ida", "Jon", "Kim", "Lea")


def test_who_marked_nothing_has_the_group_of_the_other_texts_of_the_slice() -> None:
    rows = [("1", "t", "Ida", "own"), ("1", "t", "Jon", "foreign"), ("1", "u", "Ida", "own")]
    one, two = groups_said(marked(*rows, seen=[("u", "Jon")]), "role")
    assert one == two == {"own": ["Ida"], "foreign": ["Jon"]}
    with pytest.raises(InputError, match="the rater 'Kim' marked nothing in 'u'; say role once for each rater"):
        groups_said(marked(*rows, seen=[("u", "Kim")]), "role")


def test_a_column_that_says_two_groups_of_a_rater_is_refused() -> None:
    texts = marked(("1", "t", "Ida", "own"), ("1", "t", "Ida", "foreign"))
    with pytest.raises(InputError, match="the rater 'Ida' has the groups foreign and own in 't'"):
        by_groups(texts, "role")
    with pytest.raises(InputError, match="'rolle' is neither a column of these spans nor a group of raters"):
        by_groups(texts, "rolle")
    with pytest.raises(InputError, match="only one group"):
        by_groups(marked(("1", "t", "Ida", "own"), ("1", "t", "Jon", "own")), "role")
