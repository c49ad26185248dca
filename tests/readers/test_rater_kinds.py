"""People and models: who is a model, and that the two are never pooled unless somebody asks."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import concordant as cc
from concordant.errors import InputError
from concordant.readers import read
from concordant.readers.data import as_data, as_study
from concordant.readers.rater_kinds import of_people
from tests.cli.test_gold_commands import run, write

ROWS: list[tuple[str, str, str]] = [
    (f"u{u}", rater, value)
    for rater, values in {"Ida": "aabb", "Jon": "aaba", "gpt-4o": "bbbb", "claude-x": "bbba"}.items()
    for u, value in enumerate(values)
]
TABLE: dict[str, list[str]] = dict(zip(("unit", "rater", "value"), map(list, zip(*ROWS, strict=True)), strict=True))
KINDS = ["model" if rater in ("gpt-4o", "claude-x") else "human" for _, rater, _ in ROWS]


def long(more: dict[str, list[str]] | None = None) -> str:
    columns = {**TABLE, **(more or {})}
    return "\n".join([",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]) + "\n"


@pytest.fixture
def plain_file(tmp_path: Path) -> str:
    return write(tmp_path / "answers.csv", long())


def raters(study: Any) -> tuple[str, ...]:
    return tuple(study.raters)


def test_a_name_alone_gives_a_note_and_no_guess(plain_file: str) -> None:
    study = read(plain_file)
    assert raters(study) == ("Ida", "Jon", "gpt-4o", "claude-x")
    assert study.notes[-1].startswith("gpt-4o, claude-x: a model by its name? say --models gpt-4o,claude-x")
    assert study.models == ()
    assert "by its name" not in " ".join(read(plain_file, kind="all").notes)


def test_named_models_are_left_out_and_that_is_said(plain_file: str) -> None:
    study = read(plain_file, models=["gpt-*", "claude-x"])
    assert raters(study) == ("Ida", "Jon")
    assert study.models == ("gpt-4o", "claude-x")
    assert study.notes[-1] == "2 models left out: gpt-4o, claude-x (--kind model or all)"
    assert "models" in study.facts()
    only = read(plain_file, models=["gpt-*", "claude-x"], kind="model")
    assert raters(only) == ("gpt-4o", "claude-x")
    assert only.notes[-1] == "2 people left out: Ida, Jon (--kind human or all)"
    both = read(plain_file, models=["gpt-4o"], kind="all")
    assert len(both.raters) == 4
    assert both.notes[-1] == "people and models together, as asked: gpt-4o"
    assert read(plain_file, models=["gpt-4o"]).notes[-1] == "1 model left out: gpt-4o (--kind model or all)"


def test_the_column_of_kinds(tmp_path: Path) -> None:
    file = write(tmp_path / "kinds.csv", long({"kind": KINDS}))
    assert raters(read(file)) == ("Ida", "Jon")
    assert raters(read(file, attributes=[])) == ("Ida", "Jon")
    other = write(tmp_path / "other.csv", long({"who": KINDS}))
    assert len(read(other).raters) == 4
    assert raters(read(other, kind_column="who", attributes=[])) == ("Ida", "Jon")
    flags = write(tmp_path / "flags.csv", long({"is_model": [str(int(one == "model")) for one in KINDS]}))
    assert raters(read(flags, kind_column="is_model")) == ("Ida", "Jon")


def test_a_column_called_kind_may_be_about_something_else(tmp_path: Path) -> None:
    file = write(tmp_path / "genres.csv", long({"kind": ["news"] * 16}))
    assert len(read(file).raters) == 4


@pytest.mark.parametrize(
    ("kinds", "wrong"),
    [
        ([*KINDS[:-1], "robot"], r"row 17, column 'kind': 'robot' is no kind of rater; write human or model"),
        (["model", *KINDS[1:]], "'Ida' is human in some rows and a model in others"),
        (["model"] * 16, "every rater is a model; say --kind model or all"),
    ],
)
def test_damaged_kinds(tmp_path: Path, kinds: list[str], wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        read(write(tmp_path / "damaged.csv", long({"kind": kinds})))


def test_names_that_nobody_has(plain_file: str) -> None:
    with pytest.raises(InputError, match="there is no rater 'gpt-5'; did you mean 'gpt-4o'"):
        read(plain_file, models=["gpt-5"])
    with pytest.raises(InputError, match="no rater is a model; name them with --models"):
        read(plain_file, kind="model")
    with pytest.raises(InputError, match="unknown kind 'robots'"):
        read(plain_file, kind="robots")


def test_a_second_file_of_models(tmp_path: Path) -> None:
    people = write(tmp_path / "people.csv", "unit,rater,value,genre\nu0,Ida,a,news\nu1,Ida,b,mail\nu0,Jon,a,news\n")
    models = write(tmp_path / "models.csv", "unit,rater,value\nu0,M1,b\nu1,M1,b\n")
    study = read(people, model_file=models)
    assert raters(study) == ("Ida", "Jon")
    assert study.notes[-1].startswith("1 model left out: M1")
    both = read(people, model_file=models, kind="all")
    assert raters(both) == ("Ida", "Jon", "M1")
    assert both.models == ("M1",)
    assert both.attributes["genre"].text().tolist() == ["news", "mail", "news", "", ""]
    with pytest.raises(InputError, match="the rater 'Ida' is in both"):
        read(people, model_file=people)
    asked = write(tmp_path / "asked.csv", "unit,rater,question,value\nu0,M1,q,b\n")
    with pytest.raises(InputError, match="one of the two has questions"):
        read(people, model_file=asked)


def test_questions_and_numbers_are_joined(tmp_path: Path) -> None:
    head = "unit,rater,question,value\n"
    people = write(tmp_path / "people.csv", head + "u0,Ida,q,1\nu0,Ida,r,2\n")
    models = write(tmp_path / "models.csv", head + "u0,M1,q,2\n")
    both = read(people, model_file=models, kind="all")
    assert both.questions == ("q", "r")
    numbers = as_study({"unit": ["a", "b"], "rater": ["J", "J"], "value": [0.5, 1.5]})
    more = as_study({"unit": ["a", "b"], "rater": ["K", "K"], "value": [0.25, 2.5]})
    joined = numbers.clustered("unit").joined(more.clustered("unit"))
    assert joined.value.as_labels().text().tolist() == ["0.5", "1.5", "0.25", "2.5"]
    assert list(joined.clusters) == ["units"]


def test_data_that_are_no_file() -> None:
    assert raters(as_data(TABLE, models=["gpt-4o", "claude-x"])) == ("Ida", "Jon")
    study = as_data(TABLE, models="gpt-4o,claude-x", kind="all")
    assert raters(as_data(study)) == raters(study)
    assert raters(as_data(study, kind="human")) == ("Ida", "Jon")
    assert raters(as_data(study, kind="human", raters=["Ida", "gpt-4o"])) == ("Ida",)
    with pytest.raises(InputError, match="an array does not say who its raters are"):
        as_data([["a", "b"]], models=["x"])
    with pytest.raises(InputError, match="Judgements has no option 'kind' any more"):
        as_data(study.judgements(), kind="all")


def test_spans_of_models_are_left_out(tmp_path: Path) -> None:
    file = write(tmp_path / "spans.csv", "text,rater,start,end,category\nt,Ida,0,3,a\nt,Jon,0,3,a\nt,M1,0,4,a\n")
    table = read(file, models=["M1"])
    assert set(table.raters) == {"Ida", "Jon"}
    assert set(read(file, models=["M1"], kind="model").raters) == {"M1"}
    assert read(file, models=["M1"]).notes[-1] == "1 model left out: M1 (--kind model or all)"
    assert len(read(file, kind="human").raters) == 3
    with pytest.raises(InputError, match="no rater is a model"):
        read(file, kind="model")
    with pytest.raises(InputError, match="model_file says nothing about spans"):
        read(file, model_file=file)


def test_a_column_of_spans_says_who_is_a_model(tmp_path: Path) -> None:
    def table(*kinds: str) -> str:
        rows = [
            f"t,{who},0,{3 + i},a,{kind}"
            for i, (who, kind) in enumerate(zip(("Ida", "Jon", "Jon"), kinds, strict=True))
        ]
        return write(tmp_path / "spans.csv", "\n".join(["text,rater,begin,end,category,kind", *rows, ""]))

    assert read(table("human", " Model", "model")).raters == ("Ida",)
    assert read(table("human", "model", "car")).raters == ("Ida", "Jon")  # kinds of something else
    with pytest.raises(InputError, match="'car' is no kind of rater"):
        read(table("human", "model", "car"), kind_column="kind")
    with pytest.raises(InputError, match="'Jon' is human in some rows and a model in others"):
        read(table("human", "model", "human"))
    named = write(tmp_path / "named.csv", "text,rater,begin,end\nt,gpt-4o,0,3\nt,Jon,0,3\n")
    assert "a model by its name" in read(named).notes[-1]


def test_a_model_with_files_of_its_own_is_no_rater_who_marked_nothing(tmp_path: Path) -> None:
    for rater, spans in {
        "Ida": "T1\ta 0 3\tThe\n",
        "Jon": "T1\ta 0 3\tThe\n",
        "Kim": "",
        "M1": "T1\tb 4 7\tcat\n",
    }.items():
        (tmp_path / "project" / rater).mkdir(parents=True)
        (tmp_path / "project" / rater / "t.ann").write_text(spans)
        (tmp_path / "project" / rater / "t.txt").write_text("The cat")
    table = read(tmp_path / "project", models=["M1"])
    assert {rater for _, rater in table.seen} == {"Ida", "Jon", "Kim"}
    assert cc.gold(table).texts == {"t": ("Ida", "Jon", "Kim")}
    assert {rater for _, rater in read(tmp_path / "project", raters=["Ida", "Jon"]).seen} == {"Ida", "Jon"}


def test_every_command_leaves_them_out(tmp_path: Path) -> None:
    file = write(tmp_path / "kinds.csv", long({"kind": KINDS}))
    for command in ("measure", "gold"):
        told = json.loads(run(command, file, "--json").output)["notes"]
        assert "2 models left out: gpt-4o, claude-x (--kind model or all)" in told
    assert "2 models left out" in run("diagnose", file).output
    how = ["planning", file, "--measure", "percent", "--width", ".9", "--resamples", "20"]
    assert "2 models left out" in run(*how).output
    measured = cc.measure(file, "percent", ci="none")
    assert measured.n_raters == 2
    assert cc.measure(file, "percent", kind="all", ci="none").n_raters == 4
    assert cc.plan(file, "percent", width=0.9, resamples=20, seed=1).now == 4


def test_signatures_say_who_was_used(tmp_path: Path) -> None:
    file = write(tmp_path / "answers.csv", long())
    for how in ({"models": ["gpt-4o", "claude-*"]}, {"models": ["gpt-4o"], "kind": "all"}):
        signature = cc.measure(file, "alpha", ci="none", seed=1, **how).signature
        assert "from.models:gpt-4o" in signature
        assert cc.verify(signature, file).matches
        assert cc.verify(signature, TABLE).matches
    shown = json.loads(run("measure", file, "--models", "gpt-4o,claude-x", "--measure", "alpha", "--json").output)
    assert run("verify", shown["results"][0]["signature"], file).exit_code == 0


def test_other_engines_do_not_pool_in_silence(tmp_path: Path) -> None:
    file = write(tmp_path / "kinds.csv", long({"kind": KINDS}))
    for more in ((), ("--kind", "model"), ("--kind", "all"), ("--models", "I*"), ("--where", "kind=human")):
        how = ["measure", file, "--measure", "percent", "--ci", "none", "--seed", "1", "--json", *more]
        here, there = (json.loads(run(*how, "--engine", engine).output) for engine in ("memory", "duckdb"))
        assert there["results"][0]["signature"] == here["results"][0]["signature"]
        told = [
            [sorted(re.split(r"[ ,:]+", note)) for note in one["notes"] if "left out" in note or "together" in note]
            for one in (here, there)
        ]
        assert told[0] == told[1], "the same names, in another order"
    with pytest.raises(InputError, match="a file of models is read in memory only"):
        run("measure", file, "--engine", "duckdb", "--model-file", file)


def test_a_running_study_of_models_only_has_nothing_to_show() -> None:
    study = as_data(TABLE, models=["gpt-4o", "claude-x"], kind="all")
    people = of_people(study)
    assert people is not None
    assert people.raters == ("Ida", "Jon")
    assert of_people(as_data(study, kind="model")) is None
    assert of_people(None) is None


def test_a_column_is_model_says_it_without_being_named(tmp_path: Path) -> None:
    rows = [
        f"{unit},{rater},{value},{int(rater == 'm')}"
        for unit in "abc"
        for rater, value in (("p", 1), ("q", 2), ("m", 1))
    ]
    (tmp_path / "judged.csv").write_text("unit,rater,value,is_model\n" + "\n".join(rows) + "\n")
    study = read(tmp_path / "judged.csv")
    assert study.raters == ("p", "q")
    assert any("1 model left out: m" in note for note in study.notes)
    assert set(read(tmp_path / "judged.csv", kind="all").raters) == {"p", "q", "m"}
    (tmp_path / "other.csv").write_text("unit,rater,value,is_model\na,p,1,Golf\na,q,1,Golf\n")
    assert read(tmp_path / "other.csv").raters == ("p", "q")
