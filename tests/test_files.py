"""Nothing is ever half-written."""

from pathlib import Path

import pytest

from concordant.errors import InputError
from concordant.files import telling_names, written_whole


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


@pytest.mark.parametrize(
    ("places", "names"),
    [
        (["A/tc-006", "B/tc-006"], ("A", "B")),
        (["/x/A/tc-006/", "/x/B/tc-006/", "/x/C/tc-006"], ("A", "B", "C")),
        (["svn+https://host/ann/trunk/tb", "svn+https://host/bob/trunk/tb"], ("ann", "bob")),
        (["git+https://host/ann.git#x", "git+https://host/bob.git#x"], ("ann", "bob")),
        (["git+https://host/x.git#ann", "git+https://host/x.git#bob"], ("ann", "bob")),
        (["a#1", "a#2"], ("a#1", "a#2")),
        (["gold.mrg", "test.mrg"], ("gold", "test")),
        (["a.mrg", "a.ptb"], ("a.mrg", "a.ptb")),
        (["A/x/p", "B/y/p", "A/y/p"], ("A/x/p", "B/y/p", "A/y/p")),
        (["p", "p"], ("p (1)", "p (2)")),
    ],
)
def test_things_are_called_by_the_part_of_their_paths_that_differs(places: list[str], names: tuple[str, ...]) -> None:
    assert telling_names(places) == names
