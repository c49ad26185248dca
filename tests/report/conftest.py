"""Made-up studies for reports, and a real browser to open them in."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, sync_playwright

from assent.model.columns import encode
from assent.model.study import Study
from assent.randomness import generator
from assent.report.building import Choices, build
from assent.report.document import Document

CHROMIUM = os.environ.get("ASSENT_CHROMIUM", "/usr/bin/chromium")
NASTY = '<script>alert("x")</script>'
FORMULA = "=1+1"


def make_study(n_units: int = 40, *, seed: int = 1, raters: tuple[str, ...] = ("Ada", "Ben", NASTY)) -> Study:
    """Two questions on a scale of 1 to 4; labels that HTML, spreadsheets, TeX and Markdown would like to obey."""
    rng = generator(seed)
    unit = np.repeat(np.arange(n_units), len(raters) * 2)
    rater = np.tile(np.repeat(np.arange(len(raters)), 2), n_units)
    question = np.tile([0, 1], n_units * len(raters))
    truth = rng.integers(1, 5, (n_units, 2))[unit, question]
    value = np.clip(truth + np.round(rng.normal(0, 0.7, len(unit))), 1, 4).astype(int)
    return Study(
        name="made_up & 100%.csv",
        unit=encode(np.array([f"{FORMULA} {i}" for i in range(n_units)])[unit]),
        rater=encode(np.array(raters)[rater]),
        value=encode(value),
        question=encode(np.array(["flu|ency_1", "<b>rele*vance*</b>"])[question]),
        attributes={"genre": encode(np.array(["news", FORMULA, "$x$ & y"])[unit % 3])},
        notes=("a note with <i>markup</i>",),
    )


@pytest.fixture(scope="session")
def study() -> Study:
    return make_study()


@pytest.fixture(scope="session")
def document(study: Study) -> Document:
    """The report of the study, built once for all formats."""
    return build(study, Choices(resamples=100, independent=True))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    if not Path(CHROMIUM).exists():
        pytest.fail(f"no Chromium at {CHROMIUM}: install it (apt-get install chromium) or set ASSENT_CHROMIUM")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()
