"""A loss of power: whatever was acknowledged had been flushed, and a disk that kept nothing else still holds it."""

from pathlib import Path

import pytest

from concordant.collection.log import Log
from tests.collection.flushed import Did, left_on_disk, watched

PROGRAM = """
import os, sys
from concordant.collection.events import Answered
from concordant.collection.log import Log
with Log.open(sys.argv[1]) as log:
    for number in range(int(sys.argv[2])):
        event = Answered(rater="A1", step=number, unit=f"u{number}", question="core", value="yes" * (number % 7 * 200 + 1))
        log.append("s", [event])
        os.write(1, f"{event.id}\\n".encode())
"""
N_ANSWERS = 30


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> list[Did]:
    """What a program did that stored answers and said so after each."""
    folder = tmp_path_factory.mktemp("watched").resolve()
    return watched(PROGRAM, folder, f"sqlite:///{folder}/study.db", str(N_ANSWERS))


def said(done: list[Did]) -> list[int]:
    """Where the program acknowledged an answer."""
    return [place for place, one in enumerate(done) if one.what == "say"]


def test_an_answer_is_flushed_before_it_is_acknowledged(done: list[Did]) -> None:
    assert len(said(done)) == N_ANSWERS
    before = 0
    for place in said(done):
        since = done[before:place]
        written = [i for i, one in enumerate(since) if one.what == "write" and one.file.endswith("-wal")]
        flushed = [i for i, one in enumerate(since) if one.what == "flush" and one.file.endswith("-wal")]
        assert written
        assert flushed
        assert flushed[-1] > written[-1]
        before = place


@pytest.mark.parametrize("n_late", [0, 1, 3])
def test_a_disk_that_loses_what_was_not_flushed_still_holds_it(done: list[Did], tmp_path: Path, n_late: int) -> None:
    acknowledged: list[str] = []
    for number, place in enumerate(said(done)):
        acknowledged.append(done[place].data.decode().strip())
        upto = done[: said(done)[number + 1]] if number + 1 < N_ANSWERS and n_late else done[: place + 1]
        if number % 6 and number != N_ANSWERS - 1:
            continue
        # with late writes the power goes while the next answer is being stored
        upto = [one for i, one in enumerate(upto) if i <= place or one.what == "write"]
        left_on_disk(upto, tmp_path / f"disk{number}", n_late=n_late)
        with Log.open(f"sqlite:///{tmp_path}/disk{number}/study.db") as log:
            found = [entry.event.id for entry in log.events("s")]
            assert found[: len(acknowledged)] == acknowledged
            assert len(found) == len(acknowledged)
            assert len(log.answers("s")) == len(found)
