"""Groups of raters, named or made by an attribute."""

import numpy as np
import pytest

from assent.errors import InputError
from assent.model.groups import check_groups, groups_by_attribute, named_groups
from tests.diagnosis.simulated import study_of

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
