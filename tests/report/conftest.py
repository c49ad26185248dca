"""Made-up studies for reports."""

import numpy as np
import pytest

from concordant.model.columns import encode
from concordant.model.study import Study
from concordant.randomness import generator
from concordant.report.document import Document
from concordant.report.facts import JudgementReport, report_judgements

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
    return report_judgements(study, JudgementReport(resamples=100, independent=True))
