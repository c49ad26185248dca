"""Files that look right and can be misread: a doubt is asked in one line, and what is answered settles it."""

import re
from pathlib import Path
from typing import Any

import pytest

import concordant
from concordant.errors import InputError
from concordant.readers import find_format
from concordant.readers.account import Account, account_of


def lines(*rows: str) -> str:
    return "\n".join(rows) + "\n"


def understood(file: Path, **options: Any) -> Account:
    return account_of(concordant.read(file, **options), find_format(file, format=options.get("format")))


RESTARTS = lines("doc_id,sentence_id,annotator,label", "d1,1,A,x", "d1,2,A,y", "d2,1,B,y", "d2,2,B,x", "d3,1,C,x")
FINER = lines("patient_id,image_id,rater,grade", "p1,i1,A,2", "p1,i1,B,3", "p1,i2,A,1", "p1,i2,B,1", "p2,i3,A,3")
PAGES = lines("doc,page,r1,r2", "a,1,x,x", "a,2,y,x", "b,1,y,y", "b,2,x,x")
LIME = lines("Antwort ID,Datum Abgeschickt,Letzte Seite,Start-Sprache,Satz 1,Satz 2",
             "1,2024-01-01 10:00:00,3,de,5,4", "2,2024-01-01 11:00:00,3,de,4,2", "3,2024-01-02 11:00:00,3,de,4,3")  # fmt: skip
KOBO = lines("start;end;rating_1;rating_2;_id;_uuid;_submission_time;_index",
             "2024-01-01T10:00;2024-01-01T10:10;3;4;101;aa-1;2024-01-01T10:10;1",
             "2024-01-02T10:00;2024-01-02T10:10;2;4;102;aa-2;2024-01-02T10:10;2",
             "2024-01-03T10:00;2024-01-03T10:10;3;3;103;aa-3;2024-01-03T10:10;3")  # fmt: skip
FORMS = lines("ID,Start time,Completion time,Email,Sentence 1,Sentence 2", "1,10:00,10:05,anonymous,4,5",
              "2,10:00,10:07,anonymous,3,5", "3,11:00,11:05,anonymous,2,4")  # fmt: skip
PEOPLE = lines("Name,Q1,Q2,Q3", "Ida,1,2,3", "Jon,1,2,2", "Cem,2,2,3")
LEAVES = lines("unit,rater,value", "1,A,3", "1,B,4", "2,A,2", "2,B,not shown", "3,A,1", "3,B,1", "4,A,5", "4,B,5")
ROUNDED = lines("tweet_id,rater,label", "1.23457E+17,A,x", "1.23457E+17,B,x", "1.23458E+17,A,y", "1.23458E+17,B,x")
STACKED = lines("unit,A,B", "1,x,x", "2,y,x", "", "unit,C,D", "3,x,y", "4,y,y")
STARRED = lines("id,A,B,C", "1,3,4*,3", "2,2,2,2", "3,5,5,5*", "4,1,1,1")
SHARES = lines("id,pos,neg,neutral", "1,0.7,0.1,0.2", "2,0.2,0.7,0.1", "3,0.3,0.4,0.3", "4,0.1,0.1,0.8")
PERCENT = lines("id,A,B", "1,100,1", "2,50,0.5", "3,25,0.2", "4,10,0.1")
TICKS = lines("text_id,annotator,hate,threat,none", "1,A,0,1,0", "1,B,1,0,0", "2,A,0,0,1", "2,B,0,0,1")
CROWD = lines("_unit_id,_golden,_tainted,_trust,_worker_id,mood", "1,false,false,0.9,501,glad",
              "1,false,false,0.8,502,sad", "2,true,false,0.9,501,glad", "2,true,false,0.8,502,glad")  # fmt: skip
COUNTED = lines("_unit_id,_trusted_judgments,mood,mood:confidence", "1,3,glad,0.66", "2,3,sad,1.0", "3,4,glad,1.0")
WHEN = lines("item,rater,value,start,end", "1,A,x,0,10", "1,B,y,2,14", "2,A,x,11,20", "2,B,x,15,31")
ONE_GOLD = lines("item,rater,label", "1,A,x", "1,gold,x", "2,A,x", "2,gold,y")
LISTS = '{"id":1,"text":"a b","annotators":["A","B"],"labels":["x","y"]}\n{"id":2,"text":"c d","annotators":["A","C"],"labels":["x","x"]}\n'


@pytest.mark.parametrize(
    ("name", "text", "what", "answer", "units", "raters"),
    [
        ("restarts.csv", RESTARTS, "beside 'doc_id' 'd1' and 'd2'", {"unit": "doc_id,sentence_id"}, 5, 3),
        ("restarts.csv", RESTARTS, "the units may be others", {"unit": "sentence_id"}, 2, 3),
        ("finer.csv", FINER, "--unit image_id` or `.* --unit patient_id`", {"unit": "image_id"}, 3, 2),
        ("pages.csv", PAGES, "say --unit doc,page", {"unit": "doc,page"}, 4, 2),
        ("lime.csv", LIME, "a survey", {"rows": "raters"}, 2, 3),
        ("kobo.csv", KOBO, "a survey", {"rows": "raters"}, 2, 3),
        ("forms.csv", FORMS, "--rows raters --rater ID`", {"rows": "raters", "rater": "ID"}, 2, 3),
        ("people.csv", PEOPLE, "called like questions", {"rows": "raters"}, 3, 3),
        ("people.csv", PEOPLE, "called like questions", {"raters": ("Q1", "Q2", "Q3")}, 3, 3),
        ("asks.csv", PEOPLE.replace("Q1,Q2,Q3", "Is it?,Was it?,Will it?"), "like questions", {"unit": "Name"}, 3, 3),
        ("leaves.csv", LEAVES, "numbers, but for 'not shown'", {"missing": ("not shown",)}, 4, 2),
        ("leaves.csv", LEAVES, "--level nominal", {"level": "nominal"}, 4, 2),
        ("rounded.csv", ROUNDED, "a spreadsheet rounded", {"unit": "tweet_id"}, 2, 2),
        ("stacked.csv", STACKED, "row 5: .*another table begins there", None, 0, 0),
        ("starred.csv", STARRED, r"numbers and '4\*'", {"raters": ("A", "B", "C")}, 4, 3),
        ("shares.csv", SHARES, "every row adds up to 1", {"raters": ("pos", "neg", "neutral")}, 4, 3),
        ("percent.csv", PERCENT, "another size", {"raters": ("A", "B")}, 4, 2),
        ("ticks.csv", TICKS, "'annotator' names raters", {"rater": "annotator", "value": "hate"}, 2, 2),
        ("crowd.csv", CROWD, "--value mood`", {"rater": "_worker_id", "value": "mood"}, 2, 2),
        ("counted.csv", COUNTED, "neither rater and value", {"unit": "_unit_id", "value": "mood"}, 3, 1),
        ("when.csv", WHEN, "--format table or --format long", {"format": "table"}, 2, 2),
        ("gold.csv", ONE_GOLD, "called as a gold standard", {"raters": ("A", "gold")}, 2, 2),
        ("lists.jsonl", LISTS, "neither rater and value", None, 0, 0),
    ],
)  # fmt: skip
def test_a_doubt_is_asked_and_can_be_settled(
    tmp_path: Path, name: str, text: str, what: str, answer: dict[str, Any] | None, units: int, raters: int
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        concordant.read(file)
    assert re.search(what, str(caught.value)), caught.value
    assert "\n" not in str(caught.value)
    if answer is not None:
        found = understood(file, **answer)
        assert (found.n_units, found.n_raters) == (units, raters)


@pytest.mark.parametrize("who", ["gold", "Gold Standard", "adjudicator", "majority vote", "CURATION_USER", "consensus"])
def test_a_gold_standard_among_raters_is_none(tmp_path: Path, who: str) -> None:
    file = tmp_path / "t.csv"
    file.write_text(lines("item,rater,label", "1,A,x", "1,B,y", f"1,{who},x", "2,A,x", "2,B,x", f"2,{who},x"))
    study = concordant.read(file)
    assert study.raters == ("A", "B")
    assert study.left_out == ((2, f"of {who}, a gold standard"),)
    assert any("--raters can name it" in note for note in study.notes)
    assert concordant.read(file, raters=["A", who]).raters == ("A", who)
    alone = tmp_path / "alone.csv"
    alone.write_text(lines("item,rater,label", f"1,{who},x", f"2,{who},y"))
    assert concordant.read(alone).raters == (who,)


def test_a_gold_standard_among_those_who_marked_spans(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(lines("text,rater,begin,end,category", *(f"t,{who},0,4,x" for who in ("A", "B", "gold"))))
    table = concordant.read(file)
    assert (set(table.rater), table.left_out) == ({"A", "B"}, ((1, "of gold, a gold standard"),))


@pytest.mark.parametrize("column", ["reconciled", "harmonised", "tie_breaker", "arbitrator"])
def test_what_was_settled_later_is_no_rater(tmp_path: Path, column: str) -> None:
    file = tmp_path / "t.csv"
    file.write_text(lines(f"item,A,B,{column}", "1,x,y,x", "2,y,y,y", "3,x,x,x"))
    assert concordant.read(file).raters == ("A", "B")


def test_records_entered_twice_without_a_form(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(lines("record_id,score", "1--1,3", "1--2,3", "2--1,4", "2--2,3"))
    assert understood(file).format == "redcap"
    assert concordant.read(file).raters == ("person 1", "person 2")


def test_names_with_and_without_zeros_are_told(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(lines("unit,rater,value", "001,A,x", "1,B,x", "002,A,y", "2,B,x"))
    assert any("'001' and '1' are counted as different units" in note for note in concordant.read(file).notes)


def test_spans_of_items_are_spans_of_texts(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(lines("item,rater,begin,end,tag", "a,A,0,4,x", "a,B,1,4,x", "b,A,0,2,y", "b,B,0,2,y"))
    assert set(concordant.read(file).text) == {"a", "b"}
    file.write_text(lines("id,rater,begin,end,tag", "1,A,0,4,x", "2,B,1,4,x"))
    table = concordant.read(file)
    assert set(table.text) == {"t"}
    assert any("all spans are taken for those of one text" in note for note in table.notes)


def test_columns_that_name_the_unit_together(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(RESTARTS)
    study = concordant.read(file, unit="doc_id,sentence_id")
    assert study.unit.labels[0] == "d1 · 1"
    assert "columns 'doc_id' and 'sentence_id' name the unit together" in study.notes
    assert concordant.read(file, unit="doc_id,sentence_id", attributes=()).n_rows == study.n_rows
    with pytest.raises(InputError, match="no such column"):
        concordant.read(file, unit="doc_id,sentence")


def test_numbers_and_words_in_equal_parts_are_told(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(lines("id,r1,r2", "a,2-3,3", "b,1,1-2", "c,4,4", "d,3,3", "e,2,2"))
    assert any("the values are numbers and '2-3'" in note for note in concordant.read(file).notes)
