"""Causes of disagreement, counted: what adjudicators named, question by question, and how much was avoidable."""

from dataclasses import replace
from pathlib import Path

import pytest

from concordant.collection.database import default_url
from concordant.collection.disputes import Adjudication, Decision
from concordant.collection.log import Log
from concordant.diagnosis.causes import count_causes, on_causes
from concordant.diagnosis.diagnose import diagnose
from concordant.model.columns import encode
from concordant.model.study import Cause, Study
from concordant.readers import read
from tests.cli.running import run
from tests.readers.test_study_log import example

NAMED = [
    *[("q", "u1", "slip"), ("q", "u2", "slip"), ("q", "u3", "unclear"), ("q", "u4", "ambiguous")],
    *[("r", "u1", "scale"), ("r", "u2", "too long")],
]


@pytest.fixture
def study() -> Study:
    """Four texts, two questions, two raters; six causes were named."""
    cells = [(f"u{n}", question, rater) for n in range(1, 5) for question in "qr" for rater in "AB"]
    unit, question, rater = zip(*cells, strict=True)
    avoidable = {"slip", "unclear", "scale"}
    return Study(
        name="invented",
        unit=encode(list(unit)),
        question=encode(list(question)),
        rater=encode(list(rater)),
        value=encode(["yes" if (name, who) != ("u1", "B") else "no" for name, _, who in cells]),
        causes=tuple(Cause(question=q, units=(u,), name=c, is_avoidable=c in avoidable) for q, u, c in NAMED),
    )


def test_causes_are_counted_question_by_question(study: Study) -> None:
    rows = [(one.question, one.words, one.n, one.share, one.is_avoidable) for one in count_causes(study)]
    assert rows == [
        ("q", "attention slip", 2, 0.5, True),
        ("q", "truly ambiguous", 1, 0.25, False),
        ("q", "guideline unclear", 1, 0.25, True),
        ("r", "no answer fits", 1, 0.5, True),
        ("r", "too long", 1, 0.5, False),
    ]


def test_only_what_is_looked_at_is_counted(study: Study) -> None:
    """A part of the study has the causes of its own texts and questions; what was never measured stays."""
    assert {one.question for one in count_causes(study.where("question", ["r"]))} == {"r"}
    assert sum(one.n for one in count_causes(study.where("unit", ["u1"]))) == 2
    spans = Cause(question="marks", units=("u3",), name="slip", is_avoidable=True, is_measured=False)
    marked = replace(study, causes=(*study.causes, spans))
    assert sum(one.n for one in count_causes(marked.where("question", ["q"]))) == 5
    assert count_causes(replace(study, causes=())) == ()


def test_one_sentence_says_how_much_was_avoidable(study: Study) -> None:
    [found] = [one for one in diagnose(study).findings if one.kind == "causes"]
    assert found.seen.startswith("4 of the 6 disagreements whose cause adjudicators named could have been avoided")
    assert "attention slip 2" in found.seen
    assert found.sure.startswith("Counted, not estimated: 67%")
    assert list(on_causes(())) == []
    [single] = on_causes(count_causes(study.where("unit", ["u3"])))
    assert single.seen.startswith("1 of the disagreement ")


def test_diagnose_and_report_of_a_study_count_them(tmp_path: Path) -> None:
    """From what adjudicators decided in the database, the last word of each; cases without a cause do not count."""
    folder = example(tmp_path, "features", ["A1", "A2"])
    ids = list(dict.fromkeys(read(folder).unit.labels))[:3]
    with Log.open(default_url(folder)) as log:
        decided = Adjudication(log)
        same = {"question": "answerhood", "value": "yes", "adjudicator": "Mara"}
        for id, cause in [(ids[0], "slip"), (ids[1], "ambiguous"), (ids[2], ""), (ids[0], "unclear")]:
            decided.decide("features", Decision(unit=id, cause=cause, **same))  # type: ignore[arg-type]
    shown = run("diagnose", folder).stdout
    assert "1 of the 2 disagreements whose cause adjudicators named could have been avoided" in " ".join(shown.split())
    assert "Causes of disagreement, as adjudicators named them" in shown
    run("report", folder, "-o", tmp_path / "report.md", "--independent")
    told = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "1 of the 2 disagreements" in told
    assert "| answerhood | guideline unclear | 1 |" in " ".join(told.split(" "))
    run("diagnose", folder, "--where", "question=grammaticality")
    assert "whose cause" not in run("diagnose", folder, "--where", "question=grammaticality").stdout
