"""Every kind of picture is documented, with a small picture made by the script."""

from pathlib import Path

import pytest

from concordant.plots.kinds import KINDS

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_documented(kind: str) -> None:
    page = (REFERENCE / "plots.md").read_text("utf-8")
    picture = REFERENCE / "pictures" / f"{kind}.svg"
    assert f"\n## {kind}\n" in page
    assert f"](pictures/{kind}.svg)" in page
    assert picture.stat().st_size < 100_000
