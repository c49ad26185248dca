"""Nothing is ever half-written."""

from pathlib import Path

import pytest

from assent.errors import InputError
from assent.files import written_whole


def test_a_failure_leaves_no_trace(tmp_path: Path) -> None:
    def fail() -> None:
        with written_whole(tmp_path / "x.txt") as beside:
            beside.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: No space left"), written_whole(tmp_path / "x.txt"):
        raise OSError(28, "No space left on device")


def test_the_file_can_be_read_by_others_as_usual(tmp_path: Path) -> None:
    ordinary, ours = tmp_path / "ordinary", tmp_path / "ours"
    ordinary.write_text("")
    with written_whole(ours) as beside:
        beside.write_text("")
    assert ours.stat().st_mode == ordinary.stat().st_mode
