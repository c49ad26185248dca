"""Gold standards of spans: raters' spans matched and merged, and written for other tools."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import concordant as cc
from concordant.errors import InputError
from concordant.gold.exchange import write_gold
from concordant.gold.spans import SPLIT, TIED, GoldSpan, SpanStandard, middle
from concordant.model.continuum import continua
from concordant.readers import read
from concordant.readers.data import as_data, as_study
from tests.cli.running import run

HEADER = "text,rater,begin,end,category\n"
TEXT = "The ferry left.\nNobody saw it go."


def spans_of(table: Any) -> list[tuple[str, float, float, str]]:
    columns = (table.text, table.begin, table.end, table.category)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


def frame(*rows: tuple[str, str, int, int, str]) -> dict[str, list[Any]]:
    return dict(zip(HEADER.strip().split(","), map(list, zip(*rows, strict=True)), strict=True))


def one(*rows: tuple[str, int, int, str], **options: Any) -> SpanStandard:
    found = cc.gold(frame(*(("t", *row) for row in rows)), **options)
    assert isinstance(found, SpanStandard)
    return found


def test_borders_are_medians_and_the_category_is_that_of_most() -> None:
    found = one(("A", 10, 20, "x"), ("B", 11, 23, "y"), ("C", 14, 21, "x"))
    (span,) = found.spans
    assert (span.begin, span.end, span.category, span.n_marked, span.n_raters) == (11, 21, "x", 3, 3)
    assert (span.begins, span.ends, span.votes) == ((10, 14), (20, 23), {"x": 2, "y": 1})
    assert (found.undecided, found.n_left_out, found.texts) == ((), 0, {"t": ("A", "B", "C")})
    assert repr(found) == "<1 gold span in 1 text, 0 undecided, 0 marked by too few>"


def test_of_an_even_number_a_border_is_one_that_somebody_set() -> None:
    (span,) = one(("A", 10, 20, "x"), ("B", 13, 24, "x")).spans
    assert (span.begin, span.end) == (10, 24)
    assert [middle(range(4), side) for side in (0, 1)] == [1, 2]  # type: ignore[arg-type]


def test_ties_are_undecided_and_named() -> None:
    found = one(("A", 0, 9, "x"), ("B", 0, 9, "y"), ("A", 50, 60, "x"), ("C", 90, 95, "z"), ("D", 0, 9, "x"),
                ("D", 50, 60, "x"), ("C", 0, 9, "y"))  # fmt: skip
    assert found.spans == ()
    assert [(span.begin, span.category, span.basis) for span in found.undecided] == [(0, None, TIED), (50, "x", SPLIT)]
    assert found.n_left_out == 1
    assert found.rows()[0]["category"] == "x / y"
    assert one(("A", 0, 9, "x"), ("B", 40, 49, "x")).spans == ()  # half for and half against is no majority
    assert len(one(("A", 0, 9, "x"), ("B", 40, 49, "x"), at_least=0.5).spans) == 2


def test_the_share_asked_for_is_needed() -> None:
    rows = (("A", 0, 9, "x"), ("B", 0, 9, "x"), ("C", 40, 49, "x"))
    assert [len(one(*rows, at_least=share).spans) for share in (1, 0.7, 2 / 3, 0.3)] == [0, 0, 1, 2]
    for wrong in (0, 1.2):
        with pytest.raises(InputError, match="at_least is"):
            one(*rows, at_least=wrong)


def test_raters_who_marked_nothing_count() -> None:
    rows = frame(
        ("t", "A", 0, 9, "x"),
        ("t", "B", 0, 9, "x"),
        ("u", "A", 3, 9, "x"),
        ("u", "C", 3, 9, "x"),
        ("u", "D", 3, 9, "x"),
    )
    alone = cc.gold(rows)
    assert [(span.text, span.n_raters) for span in alone.spans] == [("t", 2), ("u", 3)]
    assert any("--raters" in note for note in alone.notes)
    everybody = cc.gold(rows, raters=["A", "B", "C", "D"])
    assert [(span.text, span.n_raters) for span in everybody.spans] == [("u", 4)]
    assert [span.basis for span in everybody.undecided] == [SPLIT]
    assert not any("--raters" in note for note in everybody.notes)


def test_curated_versions_are_no_raters_and_one_rater_makes_no_gold() -> None:
    rows = [("t", who, 0, end, "x") for who, end in (("A", 9), ("B", 9), ("gold", 30), ("Curator", 30))]
    found = cc.gold(frame(*rows, ("u", "A", 0, 3, "x")))
    assert found.texts == {"t": ("A", "B")}
    assert any("Curator, gold: a gold standard by its name" in note for note in found.notes)
    assert any("no gold: u: there is a single rater" in note for note in found.notes)
    with pytest.raises(InputError, match="called as a gold standard, not as a rater, and there is one other"):
        cc.gold(frame(("t", "A", 0, 3, "x"), ("t", "gold", 0, 3, "x")))


def brat_project(folder: Path) -> Path:
    """Three raters; nobody marked anything in the second text."""
    for rater, marked in {"A": "T1\tboat 4 9\tferry\n", "B": "T1\tboat 0 9\tThe ferry\n", "C": ""}.items():
        (folder / rater).mkdir(parents=True)
        for name, spans in {"harbour": marked, "night": ""}.items():
            (folder / rater / f"{name}.txt").write_text(TEXT if name == "harbour" else "Quiet.")
            (folder / rater / f"{name}.ann").write_text(spans)
    return folder


def test_texts_without_a_span_are_gold_too(tmp_path: Path) -> None:
    found = cc.gold(brat_project(tmp_path / "project"))
    assert found.texts == {"harbour": ("A", "B", "C"), "night": ("A", "B", "C")}
    write_gold(found, tmp_path / "gold.jsonl", form="doccano")
    lines = [json.loads(line) for line in (tmp_path / "gold.jsonl").read_text().splitlines()]
    assert lines == [
        {"id": "harbour", "text": TEXT, "label": [[0, 9, "boat"]]},
        {"id": "night", "text": "Quiet.", "label": []},
    ]


def test_options_of_the_other_kind_are_refused() -> None:
    rows = frame(("t", "A", 0, 9, "x"), ("t", "B", 0, 9, "x"))
    told: list[tuple[dict[str, Any], str]] = [
        ({"method": "mace"}, "the method mace"),
        ({"prior": "none"}, "prior"),
        ({"control": "c"}, "control"),
    ]
    for said, named in told:
        with pytest.raises(InputError, match=f"{named} says nothing about spans"):
            cc.gold(rows, **said)
    with pytest.raises(InputError, match="at_least says nothing about judgements"):
        cc.gold([["a", "a"]], at_least=0.5)
    with pytest.raises(InputError, match="alpha says nothing about judgements"):
        cc.gold([["a", "a"]], alpha=2)
    texts = continua(as_data(rows, holds="spans"))
    assert len(cc.gold(texts, alpha=2).spans) == len(cc.gold(texts[0]).spans) == 1


NAMES = st.text(st.characters(categories=["L", "N"], max_codepoint=0x1FFFF), min_size=1, max_size=6)
CONTENTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@st.composite
def standards(draw: st.DrawFn) -> SpanStandard:
    """Any gold standard with its texts."""
    contents = draw(st.dictionaries(NAMES, CONTENTS, min_size=1, max_size=3))
    spans: dict[tuple[str, int, int], GoldSpan] = {}
    for text, content in contents.items():
        for _ in range(draw(st.integers(0, 3))):
            begin = draw(st.integers(0, len(content) - 1))
            end = draw(st.integers(begin + 1, len(content)))
            spans[text, begin, end] = GoldSpan(
                text=text, begin=begin, end=end, category=draw(NAMES), basis="votes", n_marked=2, n_raters=3,
                begins=(begin, begin), ends=(end, end), votes={"x": 2},
            )  # fmt: skip
    return SpanStandard(
        spans=tuple(spans.values()), undecided=(), n_left_out=0, contents=contents, positions="steps",
        texts=dict.fromkeys(contents, ("A", "B", "C")),
    )  # fmt: skip


@given(
    standards(),
    st.sampled_from([("csv", "long"), ("label_studio", "label_studio"), ("doccano", "doccano"), ("brat", "brat")]),
)
def test_what_is_written_reads_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, found: SpanStandard, form: tuple[Any, str]
) -> None:
    assume(found.spans or form[0] != "csv")  # a table without rows is none
    endings = {"csv": ".csv", "label_studio": ".json", "doccano": ".jsonl", "brat": ""}
    goal = tmp_path_factory.mktemp("gold") / f"made{endings[form[0]]}"
    write_gold(found, goal, form=form[0])
    folders: dict[str, Any] = {"folders": "raters"} if form[0] == "brat" else {}
    again = read(goal, format=form[1], **folders)
    assert spans_of(again) == sorted((s.text, s.begin, s.end, str(s.category)) for s in found.spans)
    if form[0] in ("brat", "doccano"):
        assert again.contents == found.contents


def made(**changes: Any) -> SpanStandard:
    span = GoldSpan(
        text="t", begin=0, end=3, category=changes.pop("category", "x"), basis="votes", n_marked=2, n_raters=2,
        begins=(0, 0), ends=(3, 3), votes={"x": 2},
    )  # fmt: skip
    return SpanStandard(**{"spans": (span,), "undecided": (), "n_left_out": 0, "texts": {"t": ("A", "B")}, **changes})


@pytest.mark.parametrize(
    ("found", "form", "texts", "why"),
    [
        (made(positions="time"), "brat", {"t": "abc"}, "positions are times"),
        (made(), "doccano", None, "the text 't' is not known; name the folder of the texts with --texts"),
        (made(), "doccano", {"t": "ab"}, "the span 0-3 is not one of the 2 characters of 't'"),
        (made(lengths={"t": 4}), "doccano", {"t": "abc"}, "the text 't' has 3 characters, and the data say 4"),
        (made(category="two words"), "brat", {"t": "abc"}, "brat has no type 'two words'"),
        (made(category=""), "brat", {"t": "abc"}, "brat has no type ''"),
        (made(texts={"a/b": ("A", "B")}, spans=()), "brat", {"a/b": "abc"}, "cannot be the name of a file"),
        (made(), "label_studio", "nowhere", "there is no text 't'"),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path: Path, found: Any, form: Any, texts: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        write_gold(found, tmp_path / "gold", form=form, texts=texts)
    assert list(tmp_path.iterdir()) == []


def test_texts_come_from_a_folder_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "t.txt").write_text("abc")
    for texts in (tmp_path / "texts", tmp_path / "texts" / "t.txt"):
        write_gold(made(), tmp_path / "gold.json", form="label_studio", texts=texts)
        value = json.loads((tmp_path / "gold.json").read_text())[0]["annotations"][0]["result"][0]["value"]
        assert value == {"start": 0, "end": 3, "text": "abc", "labels": ["x"]}
    with pytest.raises(InputError, match="a study of judgements does not hold the texts of spans"):
        write_gold(made(), tmp_path / "x", texts=as_study([["a", "a"]]))
    with pytest.raises(InputError, match="texts of units come by unit"):
        write_gold(cc.gold([["a", "a"]]), tmp_path / "x", texts=tmp_path)


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "spans.csv"
    file.write_text(HEADER + "t,A,0,9,x\nt,B,0,9,x\nt,B,20,29,x\n")
    told = run("gold", str(file), "-o", str(tmp_path / "gold.csv")).stdout
    assert "1 gold span in 1 text, 1 marked by all raters of the text" in told
    assert "1 undecided, 0 marked by too few raters" in told
    assert "20-29" in told.partition("Undecided")[2]
    assert spans_of(read(tmp_path / "gold.csv")) == [("t", 0, 9, "x")]
    assert "20,29,x,half of the raters,1,2" in (tmp_path / "gold.undecided.csv").read_text()
    assert "begin,median of the begins" in (tmp_path / "gold.codebook.csv").read_text()
    data = json.loads(run("gold", str(file), "--json", "--at-least", "0.5").stdout)
    assert [span["n_marked"] for span in data["spans"]] == [2, 1]
    for wrong, why in (
        (["--at-least", "half"], "at_least is half"),
        (["--method", "mace"], "--method says nothing about spans"),
        (["--group", "a=A", "--group", "b=B"], "a gold standard is of all raters"),
        (["-o", str(tmp_path / "x.json"), "--as", "label_studio"], "the text 't' is not known"),
    ):
        assert why in run("gold", str(file), *wrong, code=2).stderr
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "t.txt").write_text("The ferry left. Nobody saw it.")
    texts = ["--texts", str(tmp_path / "texts")]
    run("gold", str(file), *texts, "-o", str(tmp_path / "gold"), "--as", "brat")
    assert (tmp_path / "gold" / "t.ann").read_text() == "T1\tx 0 9\tThe ferry\n"
    words = ["--positions", "tokens", "-o", str(tmp_path / "y.json"), "--as", "doccano"]
    told = run("gold", str(file), *texts, *words, code=2).stderr
    assert "30 characters, and the data say 8" in told
