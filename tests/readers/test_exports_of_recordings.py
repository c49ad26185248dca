"""Real files of programs for recordings, as other people's projects have them."""

from collections import Counter
from pathlib import Path

import pytest

from concordant.readers import read

pytestmark = pytest.mark.data


def test_elan_tiers_of_speakers_are_no_raters(data_dir: Path) -> None:
    table = read(data_dir / "exports/elan/childproject_example.eaf")
    assert table.raters == ("childproject_example",)
    tiers = Counter(table.features["tier"].tolist())
    assert len(tiers) == 13
    assert sum(n for tier, n in tiers.items() if "@" not in tier) == 296  # aligned
    assert sum(n for tier, n in tiers.items() if "@" in tier) == 416  # dependent


@pytest.mark.parametrize(("name", "n_events"), [("Example_basic", 21), ("Example_linear", 42)])
def test_exmaralda(data_dir: Path, name: str, n_events: int) -> None:
    table = read(data_dir / f"exports/exmaralda/{name}.exb")
    assert len(table) == n_events
    assert table.raters == (name,)


@pytest.mark.parametrize(
    ("name", "n_tiers", "n_points"),
    [("mary", 2, 4), ("bobby_phones", 1, 0), ("bobby_phones_elan", 1, 0), ("bobby_words_with_newlines_longfile", 2, 4)],
)
def test_praat(data_dir: Path, name: str, n_tiers: int, n_points: int) -> None:
    table = read(data_dir / f"exports/textgrid/{name}.TextGrid")
    assert len(set(table.features["tier"].tolist())) == n_tiers
    assert sum(n for n, _ in table.left_out) == n_points


def test_the_same_phones_however_they_were_written(data_dir: Path) -> None:
    plain, elan = (
        read(data_dir / f"exports/textgrid/{name}.TextGrid") for name in ("bobby_phones", "bobby_phones_elan")
    )
    assert plain.category.tolist() == elan.category.tolist()
    assert plain.begin == pytest.approx(elan.begin, abs=1e-3)
