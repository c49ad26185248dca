"""A studio on a log, without a server: three studies, their members and answers."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from concordant.collection.log import Log
from concordant.studio.people import MemberPlace, place_of
from concordant.studio.projects import Studio
from tests.web.members import RESEARCHER, fill, studies


@pytest.fixture(scope="package")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio to look at; tests that change something make it anew."""
    folder = tmp_path_factory.mktemp("studio")
    yield from _opened(folder)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    """A studio to change."""
    yield from _opened(tmp_path)


def _opened(folder: Path) -> Iterator[Studio]:
    (folder / "made").mkdir()
    with Log.open(f"sqlite:///{folder}/answers.db") as log:
        made = Studio(log, {one.description.name: one for one in studies(folder)}, home=folder / "made")
        fill(made)
        with closing(made.live):
            yield made


@pytest.fixture
def sample(filled: Studio) -> MemberPlace:
    """The study whose raters differ on two units, for its researcher."""
    return place_of(filled, RESEARCHER, "sample")


@pytest.fixture
def changing(studio: Studio) -> MemberPlace:
    """The same, to change."""
    return place_of(studio, RESEARCHER, "sample")


@pytest.fixture
def preferences(filled: Studio) -> MemberPlace:
    """The preference test, for its researcher."""
    return place_of(filled, RESEARCHER, "preferences")
