"""Answers collected with Potato."""

from pathlib import Path
from typing import Any

import pytest

import concordant
from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.readers.potato import FORMAT as BOTH
from tests.readers.exported import EXPORTS, cells, claim, study_of, write

FORMAT = BOTH[0]


def state(user: str, **units: list[tuple[str, str, Any]]) -> dict[str, Any]:
    labels = {unit: [[{"schema": s, "name": n}, v] for s, n, v in chosen] for unit, chosen in units.items()}
    return {"user_id": user, "instance_id_ordering": list(units), "instance_id_to_label_to_value": labels}


def test_folders_are_raters_and_schemas_are_questions(tmp_path: Path) -> None:
    write(tmp_path / "p/a/user_state.json", state("ida", r1=[("mood", "happy", "true"), ("topic", "art", "true")]))
    second = state("jon", r1=[("mood", "sad", "true"), ("topic", "art", True), ("topic", "film", "true")])
    write(tmp_path / "p/b/user_state.json", {**second, "instance_id_to_span_to_value": {"r1": [[{}, "x"]]}})
    study = study_of(tmp_path / "p")
    assert study.raters == ("ida", "jon")
    assert cells(study)[2:] == [("r1", "ida", "topic", "art"), ("r1", "jon", "topic", "art+film")]
    assert {name: scale.level for name, scale in study.scales.items()} == {"mood": Level.NOMINAL, "topic": Level.SET}
    assert study.left_out == ((1, "spans are read by --format potato_spans"),)
    both = study_of(tmp_path / "p/a/user_state.json", tmp_path / "p/b/user_state.json")
    assert cells(both) == cells(study)


def test_scales_are_numbers_boxes_of_text_are_not_judged_and_unticked_is_not_chosen(tmp_path: Path) -> None:
    chosen = [
        ("hate", "scale_4", "4"),
        ("why", "text_box", "it is"),
        ("sure", "slider", "70"),
        ("mood", "sad", "false"),
    ]
    study = study_of(write(tmp_path / "user_state.json", state("ida", r1=chosen, r2=[("hate", "scale_5", "5")])))
    assert cells(study) == [
        ("r1", "ida", "hate", "4"), ("r2", "ida", "hate", "5"), ("r1", "ida", "sure", "70"), ("r2", "ida", "sure", "")
    ]  # fmt: skip
    assert (study.unused, study.notes) == (
        {"why": "a text box is no judgement"},
        ("1 missing: nothing chosen for sure",),
    )


def test_lines_of_the_first_version(tmp_path: Path) -> None:
    record = {"id": "r1", "displayed_text": "A", "label_annotations": {"mood": {"sad": "2"}}, "span_annotations": {}}
    write(tmp_path / "p/ida/annotated_instances.jsonl", [record])
    write(tmp_path / "p/jon/annotated_instances.jsonl", [{**record, "label_annotations": {"mood": {"happy": "1"}}}])
    assert cells(study_of(tmp_path / "p")) == [("r1", "ida", "sad"), ("r1", "jon", "happy")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"instance_id_to_label_to_value": {"r1": [["happy", "true"]]}}, "not a label with a value"),
        ({"instance_id_to_label_to_value": ["r1"]}, "this has no instance_id_to_label_to_value"),
        ('{"instance_id_to_label_to_value": {', "not JSON"),
        (state("ida"), "there are no judgements"),
    ],
)
def test_a_damaged_state_is_refused(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_of(write(tmp_path / "user_state.json", content))


def test_a_decoy_is_not_taken(tmp_path: Path) -> None:
    assert claim(FORMAT, write(tmp_path / "user_state.json", {"user": "ida", "cart": []})) == 0
    assert claim(FORMAT, write(tmp_path / "a.jsonl", [{"id": 1, "text": '"label_annotations"'}])) == 0
    with pytest.raises(InputError, match=r"no user_state\.json"):
        study_of(write(tmp_path / "p/readme.md", "x").parent, format="potato")


@pytest.mark.data
def test_a_real_project() -> None:
    study = study_of(EXPORTS / "potato")
    mood = study.judgements("sentiment")
    assert (study.raters, study.where("question", ["sentiment"]).n_rows) == (("alice", "bob"), 12)
    assert round(concordant.measure(mood, "alpha", ci=None).value, 4) == 0.5111
    assert round(concordant.measure(mood, "kappa", ci=None).value, 4) == 0.4783
    aspects = study.where("question", ["aspects"])
    assert (aspects.value.n_blank, study.scales["aspects"].level) == (4, Level.SET)
