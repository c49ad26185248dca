"""A study: questions, attributes, slices, and judgements made of them."""

from typing import Any

import numpy as np
import pytest

from assent.errors import InputError
from assent.model.columns import Column, encode
from assent.model.scale import Level
from assent.model.study import Declared, Study


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
