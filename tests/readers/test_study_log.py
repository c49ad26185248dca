"""Reading judgements straight from a log."""

from pathlib import Path

import pytest

from concordant import measure, verify
from concordant.collection.database import default_url
from concordant.collection.folding import LiveFold
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.design.examples import STUDIES, example_names
from concordant.design.plan import load_plan
from concordant.design.study_file import read as read_description
from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.readers import read
from concordant.readers.study_log import Encoding
from concordant.tasks.kind import as_text, kind_of
from tests.collection.playing import planned, play


def example(folder: Path, name: str, raters: list[str]) -> Path:
    """A copy of an example with answers."""
    import shutil

    shutil.copytree(str(STUDIES / name), folder / name)
    description = read_description(folder / name)
    study = Running(description=description, plan=load_plan(description))
    with Log.open(default_url(description.folder)) as log:
        for rater in raters:
            play(log, study, rater)
    return folder / name


def test_features_are_binary_questions_with_attributes(tmp_path: Path) -> None:
    study = read(example(tmp_path, "features", ["A1", "A2"]))
    assert set(study.questions) == {"core_event", "answerhood", "grammaticality", "interpretability", "verifiability"}
    assert (study.level, study.categories) == (Level.NOMINAL, ("yes", "no"))
    assert study.n_rows == 360
    assert {"writer", "event", "rater_role"} <= set(study.attributes)


@pytest.mark.parametrize("allocated", [False, True])
@pytest.mark.parametrize("name", example_names())
def test_columns_are_what_raters_said_of_each_unit(tmp_path: Path, name: str, *, allocated: bool) -> None:
    """Pairs, rounds, fields, copies, parses: what is looked up for a rater is what was said, row by row."""
    description = read_description(Path(str(STUDIES / name)))
    running = planned(description)
    with Log.open(f"sqlite:///{tmp_path}/study.db") as log:
        for rater in [one.id for one in description.raters[:2]] or ["p1", "p2"]:
            play(log, running, rater)
        fold = LiveFold(log, running)
        fold.update()
    encoded = Encoding(running, allocated=allocated).study(fold.raters)
    everybody = [fold.raters[rater] for rater in sorted(fold.raters)]
    rows = [row for one in everybody for row in (one.labelled if allocated else one.judged)]
    wanted = [row for row in rows if kind_of(row.question).level is not None]
    assert encoded is not None
    assert encoded.unit.text().tolist() == [row.unit.id for row in wanted]
    assert encoded.rater.text().tolist() == [row.judgement.rater for row in wanted]
    values = [as_text(row.question, row.judgement.value) for row in wanted]
    assert [text or "" for text in encoded.value.text().tolist()] == values
    if encoded.question is not None:
        assert encoded.question.text().tolist() == [row.question.id for row in wanted]
    for attribute in {name for row in wanted for name in row.unit.attributes}:
        last = {row.unit.id: row.unit.attributes.get(attribute, "") for row in wanted}
        assert encoded.attributes[attribute].text().tolist() == [last[row.unit.id] for row in wanted]


def test_preferences_are_one_nominal_question(tmp_path: Path) -> None:
    study = read(example(tmp_path, "preferences", ["A1", "A2"]) / "study.toml")
    assert study.questions == ()
    assert (study.level, study.categories) == (Level.NOMINAL, ("A", "B", "same"))
    assert study.judgements().n_units == 24


def test_patterns_are_sets_of_classes(tmp_path: Path) -> None:
    study = read(example(tmp_path, "experiment", ["p1", "p2", "p3"]) / "study.db")
    assert (study.level, study.categories) == (Level.SET, ("basic", "object", "event"))
    assert any("words dropped" in note and "several words" in note for note in study.notes)


def test_what_has_no_categories_is_left_aside_and_said(tmp_path: Path) -> None:
    study = read(example(tmp_path, "tasks", ["p1", "p2", "p3", "p4"]))
    assert not {"order", "note", "mentions"} & set(study.questions)
    assert any("not measured here: order, note, mentions" in note for note in study.notes)


def test_a_study_without_answers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are no judgements yet"):
        read(example(tmp_path, "features", []))


def test_a_rater_that_is_a_model_is_left_out(tmp_path: Path) -> None:
    folder = example(tmp_path, "features", ["A1", "A2"])
    file = folder / "study.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(
        text.replace('id = "A2"', 'id = "A2"\nkind = "model"\nprompt = "v3"\ntemperature = 0', 1), encoding="utf-8"
    )
    study = read(folder)
    assert study.raters == ("A1",)
    assert study.notes[-1].startswith("1 model left out: A2")
    assert read(folder, kind="all").models == ("A2",)


def test_attributes_may_come_from_a_table(tmp_path: Path) -> None:
    folder = example(tmp_path, "features", ["A1", "A2"])
    alone = read(folder)
    units = {"unit": alone.unit.labels, "hard": ["yes", "no"] * (len(alone.unit.labels) // 2)}
    people = {"rater": alone.raters, "training": ["long", "short"]}
    joined = read(folder, attributes=[units, people], on=["unit", "rater"])
    assert (joined.attribute_of("unit")[-1], joined.attribute_of("rater")[-1]) == ("hard", "training")
    found = measure(folder, "alpha", by="hard", ci="none", attributes=units, on="unit")
    assert verify(found[0].signature, folder, attributes=units, on="unit").matches


def test_columns_at_the_right_of_the_units_are_no_change(tmp_path: Path) -> None:
    folder = example(tmp_path, "features", ["A1", "A2"])
    lines = (folder / "responses.csv").read_text(encoding="utf-8").splitlines()
    more = [f"{line},{'class' if i == 0 else 'xy'[i % 2]}" for i, line in enumerate(lines)]
    (folder / "responses.csv").write_text("\n".join(more) + "\n", encoding="utf-8")
    assert "class" in read(folder).attribute_of("unit")
    assert len(measure(folder, "alpha", by="class", ci="none")) == 10
