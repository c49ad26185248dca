"""Logs of Inspect, invented: answers, completions, scores, epochs, errors; and files of several models."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import concordant as cc
from concordant.errors import InputError
from concordant.readers import find_format


def sample(id: Any, answer: Any, *, epoch: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "id": id,
        "epoch": epoch,
        "input": f"Text {id}",
        "target": "",
        "metadata": {"genre": "news" if int(id) % 2 else "mail"},
        "output": {"model": "openai/gpt-4o", "completion": f"I say {answer}."},
        "scores": {"match": {"value": "C", "answer": answer, "explanation": f"I say {answer}."}},
        **more,
    }


def log(path: Path, samples: list[dict[str, Any]], model: str = "openai/gpt-4o") -> str:
    head = {"task": "stars", "run_id": "r1", "model": model}
    path.write_text(
        json.dumps({"version": 2, "status": "success", "eval": head, "samples": samples}, indent=1), "utf-8"
    )
    return str(path)


def test_answers_epochs_and_what_is_missing(tmp_path: Path) -> None:
    samples = [sample(i, str(i % 3 + 1), epoch=e) for e in (1, 2) for i in range(5)]
    samples[1]["scores"]["match"]["answer"] = None
    samples[2]["error"] = {"message": "timeout"}
    file = log(tmp_path / "log.json", samples)
    assert find_format(file).format.name == "inspect"
    study = cc.read(file, kind="all")
    assert study.models == ("openai/gpt-4o",)
    assert study.n_rows == 10
    assert study.column("run").as_labels().labels == ("1", "2") or list(study.column("run").as_labels().labels) == [
        "1",
        "2",
    ]
    assert "genre" in study.attribute_of("unit")
    assert any("1 missing: the sample ended in an error" in note for note in study.notes)
    assert any("1 missing: the scorer took no answer" in note for note in study.notes)
    whole = cc.read(file, kind="all", take="completion")
    assert "I say 1." in whole.value.as_labels().labels
    assert cc.read(file, kind="all", take="score").value.as_labels().labels[0] == "C"


def test_a_log_beside_people(tmp_path: Path) -> None:
    people = [f"{i},{rater},{i % 3 + 1}" for i in range(60) for rater in "ab"]
    (tmp_path / "people.csv").write_text("\n".join(["unit,rater,value", *people]), "utf-8")
    file = log(tmp_path / "log.json", [sample(i, str(i % 3 + 1)) for i in range(60)])
    [one] = cc.judges(tmp_path / "people.csv", model_file=file, level="ordinal").judges
    assert (one.model, one.n_units) == ("openai/gpt-4o", 60)
    assert one.alt_test.win_rate == 1


def test_jsonl_with_a_column_model_and_several_files(tmp_path: Path) -> None:
    people = [f"{i},{rater},{i % 3 + 1}" for i in range(60) for rater in "ab"]
    (tmp_path / "people.csv").write_text("\n".join(["unit,rater,value", *people]), "utf-8")
    files = []
    for name in ("m1", "m2"):
        lines = [json.dumps({"unit": str(i), "model": name, "value": str(i % 3 + 1)}) for i in range(60)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
        files.append(str(tmp_path / f"{name}.jsonl"))
    found = cc.judges(tmp_path / "people.csv", model_file=",".join(files), level="ordinal").judges
    assert [one.model for one in found] == ["m1", "m2"]


def test_what_is_no_log(tmp_path: Path) -> None:
    good = [sample(1, "1")]
    several = [sample(1, "1")]
    several[0]["scores"]["other"] = {"value": 1}
    nested = [sample(1, "1")]
    nested[0]["scores"]["match"]["value"] = {"a": 1}
    bare: list[dict[str, Any]] = [{"epoch": 1}]
    wrong: list[tuple[list[dict[str, Any]], dict[str, Any], str]] = [
        (several, {}, "there are several scorers: match, other; say --read scorer=NAME"),
        (good, {"scorer": "macth"}, "there is no scorer 'macth'; did you mean 'match'"),
        (nested, {"take": "score"}, "the score is not one value"),
        (bare, {}, "a sample has no id"),
    ]
    for samples, how, why in wrong:
        file = log(tmp_path / "log.json", samples)
        with pytest.raises(InputError, match=why):
            cc.read(file, format="inspect", **how)
    with pytest.raises(InputError, match="the log names no model"):
        cc.read(log(tmp_path / "log.json", good, model=""), format="inspect")
    (tmp_path / "log.json").write_text('{"eval": {}}', "utf-8")
    with pytest.raises(InputError, match="no log of Inspect with samples"):
        cc.read(tmp_path / "log.json", format="inspect")
    (tmp_path / "decoy.json").write_text('[{"unit": "1", "rater": "a", "value": "x"}]', "utf-8")
    assert find_format(tmp_path / "decoy.json").format.name != "inspect"


def as_archive(file: str, path: Path, *, whole: bool = True) -> str:
    """The same log in its usual form."""
    told = json.loads(Path(file).read_text("utf-8"))
    samples = told.pop("samples")
    with ZipFile(path, "w") as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": told["eval"]}))
        for one in samples:
            archive.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        if whole:
            archive.writestr("header.json", json.dumps(told))
    return str(path)


def test_an_archive_holds_the_same_log(tmp_path: Path) -> None:
    file = log(tmp_path / "log.json", [sample(i, str(i % 3 + 1), epoch=e) for e in (1, 2) for i in range(5)])
    plain = cc.read(file, kind="all")
    packed = cc.read(as_archive(file, tmp_path / "log.eval"), kind="all")
    for name in ("unit", "rater", "value"):
        assert getattr(packed, name).text().tolist() == getattr(plain, name).text().tolist()
    assert packed.column("run").as_labels().labels == plain.column("run").as_labels().labels
    with pytest.raises(InputError, match="the log has no header: the evaluation has not ended"):
        cc.read(as_archive(file, tmp_path / "half.eval", whole=False), kind="all")
    (tmp_path / "torn.eval").write_bytes((tmp_path / "log.eval").read_bytes()[:200])
    with pytest.raises(InputError, match="this is not a whole zip archive"):
        cc.read(tmp_path / "torn.eval", kind="all")


def test_of_a_log_without_scores_the_completions_are_the_answers(tmp_path: Path) -> None:
    samples = [{**sample(i, "3"), "scores": {}} for i in range(4)]
    study = cc.read(log(tmp_path / "log.json", samples), kind="all")
    assert study.value.as_labels().labels == ["I say 3."]
    assert any("no scorer took an answer from any sample" in note for note in study.notes)
