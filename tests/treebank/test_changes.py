"""What changed since an earlier version of the example."""

from collections import Counter
from pathlib import Path

import pytest

from assent.errors import InputError
from assent.treebank import compare
from assent.treebank.changes import changes, earlier_sources
from tests.treebank.made import EXAMPLE


def test_the_example_since_its_earlier_version() -> None:
    a, b = EXAMPLE / "anna", EXAMPLE / "bruno"
    before, after = compare(*earlier_sources(EXAMPLE / "earlier", a, b)), compare(a, b)
    found = changes(before, after)
    kinds = {change.row.sentence: change.kind for change in found if change.row.corpus == "letters"}
    assert (kinds["1"], kinds["5"], kinds["9"], kinds["2"]) == (
        "settled",
        "settled",
        "new divergence",
        "still divergent",
    )
    assert Counter(change.kind for change in found)["still divergent"] == 4


def test_nothing_changed() -> None:
    now = compare(EXAMPLE / "anna", EXAMPLE / "bruno")
    assert {change.kind for change in changes(now, now)} == {"still divergent"}


def test_added_and_removed_sentences() -> None:
    whole = compare(EXAMPLE / "anna", EXAMPLE / "bruno")
    part = compare(EXAMPLE / "anna", EXAMPLE / "bruno", skip="-2-")
    kinds = Counter(change.kind for change in changes(part, whole))
    assert kinds["added"] == 7
    assert Counter(change.kind for change in changes(whole, part))["removed"] == 7


def test_an_earlier_version_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must be there under the same name"):
        earlier_sources(tmp_path, EXAMPLE / "anna", EXAMPLE / "bruno")
