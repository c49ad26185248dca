"""Tables as people really have them: read right and said, or refused in one line with what to do."""

from pathlib import Path
from typing import Any

import pytest

import concordant
from concordant.errors import InputError
from concordant.readers import find_format
from concordant.readers.account import Account, account_of

LIKERT = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")


def understood(tmp_path: Path, name: str, text: str | bytes, **options: Any) -> Account:
    """What is understood of a file with this content."""
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = find_format(file)
    return account_of(concordant.read(file, **options), found)


def wide(columns: str, *rows: str) -> str:
    """A table with a comma between cells."""
    return "\n".join((columns, *rows)) + "\n"


@pytest.mark.parametrize(
    ("text", "n_raters", "note"),
    [
        (wide("id,r1,r2,final", "1,a,b,a", "2,b,b,b", "3,a,a,a"), 2, "'final' (what was decided"),
        (wide("id,r1,r2,decision", "1,a,b,a", "2,b,b,b", "3,a,a,a"), 2, "'decision' (what was decided"),
        (wide("id,anna,ben,gpt4", "1,a,b,a", "2,b,b,b", "3,a,a,a"), 2, "1 model left out: gpt4 (--kind model or all)"),
        (
            wide("id,anna,ben,prediction", "1,a,b,a", "2,b,b,b", "3,a,a,a"),
            2,
            "1 model left out: prediction (--kind model or all)",
        ),
        (wide("id,anna,gpt_4", "1,a,b", "2,b,b", "3,a,a"), 2, "anna, gpt_4"),
        (wide("id,decision_A,decision_B", "1,a,b", "2,b,b", "3,a,a"), 2, "decision_A, decision_B"),
        (wide("patient,sex,o1,o2", "1,1,3,3", "2,2,4,4", "3,1,2,1", "4,2,5,5"), 2, "'sex' (a number about"),
        (wide("|u|A|B|", "|---|:--|---|", "|1|x|y|", "|2|y|y|", "|3|x|x|"), 2, "the rule below the names"),
        (wide("unit,A,B", "1,−1,2", "2,2,−2", "3,1,1"), 2, "− was read as -"),
        (wide("unit,A,B", "1,0,1", "2,1,2", "3,0,1", "4,1,2"), 2, "'A' uses 0, 1 and 'B' 1, 2"),
        (
            wide("unit,A,B", "1,01-Feb,02-Mar", "2,02-Mar,02-Mar", "3,3,4"),
            2,
            "'01-Feb' is taken for a value; it may be",
        ),
        (wide("unit,A,B", "1,x,", "2,y,y", "3,x,x"), 2, "1 empty cell taken for missing"),
        (wide("unit rater value", "a  x 1", "a y   2", "b x 1", "b y 1"), 2, "columns are separated by blanks"),
    ],
)
def test_read_and_said(tmp_path: Path, text: str, n_raters: int, note: str) -> None:
    found = understood(tmp_path, "t.csv", text)
    assert found.n_raters == n_raters
    assert any(note in one for one in found.notes), found.notes


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (wide("rater,u1,u2,u3", "A,1,2,3", "B,1,2,3", "C,2,2,3"), "names raters, each in one row"),
        (wide("subject,c1,c2,c3", "1,0,0,14", "2,0,2,12", "3,5,5,4", "4,1,3,10"), "--format category_counts"),
        (wide("patient,time,o1,o2", "1,pre,3,3", "1,post,4,4", "2,pre,2,1", "2,post,5,5"), "stands in 2 rows"),
        (wide("1,2", "1,1", "2,2", "1,2"), "--format matrix"),
    ],
)
def test_what_can_be_two_things_is_a_question(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        understood(tmp_path, "t.csv", text)


@pytest.mark.parametrize(
    ("text", "raters", "aside", "why"),
    [
        (wide("item,A,B,agree?", "1,1,1,1", "2,1,0,0", "3,0,0,1", "4,1,1,1"), "AB", "agree?", "computed from others"),
        (wide("item,A,B,match", "1,y,y,y", "2,y,n,n", "3,n,n,y", "4,n,n,y"), "AB", "match", "computed from others"),
        (wide("item,A,B,Gesamt", "1,2,3,5", "2,3,3,6", "3,4,4,8", "4,1,1,2"), "AB", "Gesamt", "computed from others"),
        (wide("item,A,B,S", "1,2,3,5", "2,3,3,6", "3,4,4,8", "4,1,1,2"), "AB", "S", "the sum of A, B"),
        (wide("item,A,B,M", "1,2,3,2.5", "2,3,3,3", "3,4,5,4.5", "4,1,1,1"), "AB", "M", "the mean of A, B"),
        (wide("item,A,B,D", "1,4,3,1", "2,5,5,0", "3,2,4,-2", "4,1,1,0"), "AB", "D", "the difference of A, B"),
        (wide("item,A,B,Konsens", "1,a,a,a", "2,a,b,a", "3,b,b,b"), "AB", "Konsens", "a gold standard"),
        (wide("item,A,B,wordcount", "1,3,4,5", "2,2,2,3", "3,5,5,4"), "AB", "wordcount", "a number about"),
        (wide("item,A,B,Alter", "1,3,4,5", "2,2,2,3", "3,5,5,4"), "AB", "Alter", "a number about"),
        (wide("item,A,B,A_time", "1,3,4,5", "2,2,2,3", "3,5,5,4"), "AB", "A_time", "a number about"),
        (wide("Unnamed: 0,item,A,B", "0,x,1,2", "1,y,2,2", "2,z,3,1"), "AB", "Unnamed: 0", "it counts the rows"),
        (wide("item,seq,A,B", "a,1,2,2", "b,2,3,2", "c,3,1,1", "d,4,2,2", "e,5,3,3"), "AB", "seq", "counts the rows"),
        (wide("item,A,B,,Cohen", "1,1,1,,0.5", "2,2,1,,4", "3,2,2,,", "4,1,1,,"), "AB", "Cohen", "behind an empty column"),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_rater(tmp_path: Path, text: str, raters: str, aside: str, why: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    study = concordant.read(tmp_path / "t.csv", attributes=())
    assert study.raters == tuple(raters)
    assert why in study.unused[aside]
    assert concordant.read(tmp_path / "t.csv", raters=["A", "B", aside]).raters == ("A", "B", aside)


@pytest.mark.parametrize(
    ("text", "what", "settled"),
    [
        (wide("doc,A_q1,B_q1,A_q2,B_q2", "1,1,2,3,3", "2,2,2,4,4", "3,3,1,5,4"), "raters and questions", ("A_q1", "B_q1")),
        (wide("doc,q1_r1,q1_r2,q2_r1,q2_r2", "1,1,2,3,3", "2,2,2,4,4", "3,3,1,5,4"), "raters and questions", ("q1_r1", "q1_r2")),
        (wide("item,2024-01-03,2024-02-07", "1,a,a", "2,a,b", "3,b,b"), "called like dates", ("2024-01-03", "2024-02-07")),
        (wide("item,A,B,D", "1,4,3,1", "2,5,5,0", "3,2,4,2", "4,1,1,0"), "how far apart A, B are", ("A", "B")),
        (wide("item,A,B,x", "1,y,y,y", "2,y,n,n", "3,n,n,y", "4,n,n,y"), "whether A, B are the same", ("A", "B")),
        (wide("item,A,B,A_new", "1,4,3,1", "2,5,5,2", "3,2,4,2"), "is called like another one", ("A", "B")),
        (wide("item,A,B,,C", "1,1,1,,1", "2,2,1,,2", "3,2,2,,1"), "an empty column stands before C", ("A", "B")),
        (wide("unit,noun,verb", "1,1,", "2,,1", "3,1,1"), "or nothing, which may mean no", ("noun", "verb")),
        (wide("unit,A,B", "1,yes,1", "2,no,0", "3,yes,1"), "yes and no in different words", ("A", "B")),
        (wide("doc,annotator,mood,irony", "1,A,p,0", "1,B,p,0", "2,A,n,0", "2,B,p,1"), "'annotator' names raters", None),
        (wide("unit,A,B", "(id),(1-5),(1-5)", "1,2,3", "2,3,3", "3,4,4"), "looks like a second header", None),
        (wide("unit,A,B", "1,x,x", "2,y,x", "3,y,y", ",,", "kappa,0.5,", "n,3,"), "may be a summary", None),
        (wide("Project: X", "", "unit,A,B", "1,x,x", "2,y,x", "3,y,y"), "from row 3 on have 3", None),
    ],
)  # fmt: skip
def test_a_doubt_is_asked_and_can_be_settled(
    tmp_path: Path, text: str, what: str, settled: tuple[str, ...] | None
) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InputError, match=what) as caught:
        concordant.read(tmp_path / "t.csv")
    assert "\n" not in str(caught.value)
    if settled is not None:
        assert concordant.read(tmp_path / "t.csv", raters=settled).raters == settled


def test_rankings_are_ratings(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(wide("item,A,B,C", "a,1,2,1", "b,2,1,3", "c,3,3,2", "d,4,5,4", "e,5,4,5"))
    assert concordant.read(tmp_path / "t.csv").raters == ("A", "B", "C")


FORM = wide("Timestamp,E-Mail,Sentence 1?,Sentence 2?,why", "2024-01-01 10:00:00,a@example.org,3,4,so",
            "2024-01-02 10:00:00,b@example.org,3,5,", "2024-01-03 10:00:00,c@example.org,2,4,because")  # fmt: skip


def test_answers_of_one_person_in_each_row(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    lime = wide("id,submitdate,startlanguage,Q[1],Q[2]", "1,2024,de,A1,A2", "2,2024,de,A2,A2", "3,2024,de,A2,A1")
    refused = {
        FORM: "'E-Mail' names raters, each in one row",
        FORM.replace("E-Mail", "Mood"): "says when",
        lime: "a survey",
    }
    for text, what in refused.items():
        file.write_text(text)
        with pytest.raises(InputError, match=what) as caught:
            concordant.read(file)
        assert "--rows raters" in str(caught.value)
    file.write_text(FORM)
    study = concordant.read(file, rows="raters")
    assert study.raters == ("a@example.org", "b@example.org", "c@example.org")
    assert sorted(study.unit.labels) == ["Sentence 1?", "Sentence 2?"]
    assert list(study.attributes) == ["Timestamp", "why"]
    assert study.notes[0] == "a row for each rater ('E-Mail'), a column for each unit (Sentence 1?, Sentence 2?)"
    (tmp_path / "turned.csv").write_text(
        "unit,a@example.org,b@example.org,c@example.org\nSentence 1?,3,3,2\nSentence 2?,4,5,4\n"
    )
    values = [concordant.measure(one, "alpha", ci="none").value for one in (study, tmp_path / "turned.csv")]
    assert values[0] == values[1]


@pytest.mark.parametrize(
    ("text", "options", "what"),
    [
        (FORM, {"raters": ["a"]}, "raters says nothing where rows are raters"),
        (wide("who,a", "x,1", "y,2"), {}, "no two columns of judgements"),
        (wide("rater,a,b", "x,1,2", "x,2,2"), {}, "'rater' names a rater twice"),
        (wide("rater,a,b,c,d", "x,1,2,p,q", "y,2,2,q,p"), {}, "a, b hold numbers, and c, d names"),
    ],
)
def test_rows_that_are_no_raters(tmp_path: Path, text: str, options: dict[str, Any], what: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InputError, match=what):
        concordant.read(tmp_path / "t.csv", rows="raters", **options)


def test_an_empty_cell_may_stand_for_a_value(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(wide("unit,A,B", "1,x,", "2,,x", "3,x,x", "4,,"))
    assert concordant.read(tmp_path / "t.csv", empty="no").n_rows == 8  # ticked by nobody: no
    (tmp_path / "long.csv").write_text(wide("unit,rater,value", "1,A,x", "1,B,", "2,A,", "2,B,"))
    study = concordant.read(tmp_path / "long.csv", empty="no")
    assert sorted(study.value.text().tolist()) == ["no", "no", "no", "x"]
    assert "3 empty cells taken for 'no', as --empty says" in study.notes


@pytest.mark.parametrize("separator", [",", " "])
def test_rows_with_names_as_r_writes_them(tmp_path: Path, separator: str) -> None:
    rows = ['"A","B","C"', '"1",1,2,1', '"2",2,2,2', '"3",3,3,1']
    (tmp_path / "t.txt").write_text("\n".join(rows).replace(",", separator) + "\n")
    study = concordant.read(tmp_path / "t.txt")
    assert (study.raters, study.n_rows) == (("A", "B", "C"), 9)
    assert any("as R writes them" in note for note in study.notes)
    (tmp_path / "t.csv").write_text(wide("unit,A,B", "1,x,y,fine", "2,x,x,no", "3,y,y,ok"))
    with pytest.raises(InputError, match="4 cells instead of 3"):  # a column without a name at the end
        concordant.read(tmp_path / "t.csv")


@pytest.mark.parametrize(
    ("values", "note"),
    [
        (["Anna", "Ann\u0430"], "look alike"),
        (["M\u00fcller", "Mu\u0308ller"], "was written in two ways"),
        (["Anna B", "Anna  B"], "look alike"),
        (["Anna", "\u200bAnna"], "blanks around cells"),
    ],
)
def test_names_that_look_alike_are_said(tmp_path: Path, values: list[str], note: str) -> None:
    rows = [
        f"{unit},{rater},{value}" for unit, rater, value in ((1, values[0], "x"), (1, "Ben", "x"), (2, values[1], "y"))
    ]
    found = understood(tmp_path, "t.csv", wide("unit,rater,value", *rows))
    assert any(note in one for one in found.notes), found.notes


def test_words_for_one_thing_are_said(tmp_path: Path) -> None:
    found = understood(tmp_path, "t.csv", wide("unit,rater,value", "1,A,yes", "1,B,y", "2,A,no", "2,B,no"))
    assert "'yes' and 'y' may mean the same: they count as different values" in found.notes


@pytest.mark.parametrize(
    ("rows", "categories", "note"),
    [
        (("1;1.250;1.300", "2;2.500;900", "3;900;950"), {"900", "950", "1250", "1300", "2500"}, "was read as 1250"),
        (("1;1.250;1.300", "2;2.500;2.400"), {"1.250", "1.300", "2.400", "2.500"}, "it may count thousands"),
    ],
)
def test_points_that_may_count_thousands(
    tmp_path: Path, rows: tuple[str, ...], categories: set[str], note: str
) -> None:
    found = understood(tmp_path, "t.csv", wide("unit;A;B", *rows))
    assert {*found.questions[0].categories} == categories
    assert any(note in one for one in found.notes)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "cp1252"])
def test_german_tables_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    text = "Satz;Bewerter;Urteil\ns1;Jörg;gut\ns1;Änne;schlecht\ns2;Jörg;gut\ns2;Änne;gut\n"
    found = understood(tmp_path, "t.csv", text.encode(encoding))
    assert (found.n_units, found.n_raters, found.questions[0].categories) == (2, 2, ("gut", "schlecht"))


def test_raters_in_rows_are_units_if_that_is_said(tmp_path: Path) -> None:
    text = wide("participant,q1,q2,q3", "A,1,2,3", "B,1,2,3", "C,2,2,3")
    assert understood(tmp_path, "t.csv", text, unit="participant").n_raters == 3


@pytest.mark.parametrize("what", ["units", "raters"])
def test_names_that_are_whole_numbers(tmp_path: Path, what: str) -> None:
    column = 0 if what == "units" else 1
    rows = [["1", "1", "yes"], ["1", "2", "no"], ["2", "1", "yes"], ["2", "2", "no"]]
    rows[0][column] += ".0"
    rows.append(["3", "1", "no"])
    found = understood(tmp_path, "t.csv", wide("unit,rater,value", *map(",".join, rows)))
    assert (found.n_units, found.n_raters) == (3, 2)
    assert any(f"are one of the {what}" in note for note in found.notes)


def test_times_with_and_without_a_zero(tmp_path: Path) -> None:
    found = understood(tmp_path, "t.csv", wide("unit,rater,value", "a,x,01:30", "a,y,1:30", "b,x,12:00", "b,y,12:00"))
    assert found.questions[0].categories == ("01:30", "12:00")
    assert "times that are written in two ways are one value: '1:30' is 01:30" in found.notes


@pytest.mark.parametrize(
    ("values", "is_said"),
    [(["x;y", "x"], True), (["x, y", "y"], True), (['["x"]', "[]"], True), (["and/or", "no"], False)],
)
def test_several_choices_in_a_cell_are_said(tmp_path: Path, values: list[str], is_said: bool) -> None:
    rows = "".join(
        f'{unit}\t{rater}\t"{value.replace(chr(34), chr(34) * 2)}"\n'
        for unit in "12"
        for rater, value in zip("ab", values, strict=True)
    )
    found = understood(tmp_path, "t.tsv", "unit\trater\tvalue\n" + rows)
    assert any("--level set" in note for note in found.notes) == is_said


@pytest.mark.parametrize(
    ("values", "order"),
    [
        (LIKERT, LIKERT),
        (("often", "Never", "sometimes"), ("Never", "sometimes", "often")),
        (("2=mid", "10=high", "1=low"), ("1=low", "2=mid", "10=high")),
        (("1=a", "1=b", "2=c"), None),
        (("low", "red", "high"), None),
        (("yes", "no"), None),
    ],
)
def test_words_with_an_order_are_names_and_that_is_said(
    tmp_path: Path, values: tuple[str, ...], order: tuple[str, ...] | None
) -> None:
    rows = [f"{i},{rater},{value}" for i, value in enumerate(values) for rater in "AB"]
    found = understood(tmp_path, "t.csv", wide("unit,rater,value", *rows))
    said = [note for note in found.notes if "look ordered" in note]
    assert found.questions[0].level == "nominal"
    assert bool(said) == (order is not None)
    if order is not None:
        assert f"--categories {','.join(order)!r}" in said[0]
        measured = concordant.measure(tmp_path / "t.csv", ["alpha"], ci="none")
        assert any("look ordered" in note and "level=ordinal" in note for note in measured[0].notes)


class TestMatrix:
    @pytest.mark.parametrize("separator", [",", "\t", ";", " "])
    def test_values_without_names(self, tmp_path: Path, separator: str) -> None:
        rows = ["1,1,2", "1,3,3", "2,2,2", "1,1,1", "3,3,1"]
        text = "\n".join(row.replace(",", separator) for row in rows) + "\n"
        found = understood(tmp_path, "ratings.txt", text)
        assert (found.format, found.n_units, found.n_raters) == ("matrix", 5, 3)
        assert any("the first row is a unit" in note for note in found.notes)

    def test_the_same_as_with_names(self, tmp_path: Path) -> None:
        rows = ["1,1", "1,0", "0,0", "1,1", "0,1"]
        (tmp_path / "a.csv").write_text("\n".join(rows))
        (tmp_path / "b.csv").write_text("\n".join(["A,B", *rows]))
        values = [concordant.measure(tmp_path / name, "alpha", ci="none").value for name in ("a.csv", "b.csv")]
        assert values[0] == values[1]

    def test_a_damaged_one(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("1,1\n1,0\n1\n0,0\n")
        with pytest.raises(InputError, match="1 cells instead of 2"):
            concordant.read(tmp_path / "t.csv", format="matrix")

    def test_raters_by_their_numbers(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("1,1,2\n1,0,1\n0,0,1\n0,1,1\n")
        assert concordant.read(tmp_path / "t.csv", raters=["rater 1", "rater 3"]).raters == ("rater 1", "rater 3")

    def test_a_header_that_repeats_a_name_is_none(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("unit,A,A\n1,1,2\n2,1,1\n")
        with pytest.raises(InputError, match="two columns have the same name"):
            concordant.read(tmp_path / "t.csv")


class TestCategoryCounts:
    TABLE = wide("subject,a,b,c", "1,0,0,14", "2,0,2,12", "3,5,5,4", "4,1,3,10")

    def test_fleiss(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text(self.TABLE)
        study = concordant.read(tmp_path / "t.csv", format="category_counts")
        pairs = [n * (n - 1) / (14 * 13) for row in ((14,), (2, 12), (5, 5, 4), (1, 3, 10)) for n in row]
        shares = [6 / 56, 10 / 56, 40 / 56]
        observed, expected = sum(pairs) / 4, sum(share**2 for share in shares)
        found = concordant.measure(study, "fleiss", ci="none")
        assert found.value == pytest.approx((observed - expected) / (1 - expected))
        assert any("who chose what is not in the data" in note for note in study.notes)

    def test_rows_without_a_name_and_without_a_rater(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text(wide("yes,no", "2,1", "2,1", "0,0", "3,0"))
        study = concordant.read(tmp_path / "t.csv", format="category_counts")
        assert (study.n_rows, study.left_out) == (9, ((1, "no rater counted"),))

    @pytest.mark.parametrize(("cell", "what"), [("1.5", "not a number of raters"), ("200000", "more than 100,000")])
    def test_what_is_no_count(self, tmp_path: Path, cell: str, what: str) -> None:
        (tmp_path / "t.csv").write_text(wide("u,yes,no", f"x,{cell},1", "y,1,2"))
        with pytest.raises(InputError, match=what):
            concordant.read(tmp_path / "t.csv", format="category_counts")


class TestRecords:
    def test_a_list_of_flat_objects_is_a_table(self, tmp_path: Path) -> None:
        text = '[{"unit":"a","rater":"x","value":true},{"unit":"a","rater":"y","value":false,"note":null}]'
        found = understood(tmp_path, "t.json", text)
        assert (found.format, found.n_judgements, found.questions[0].categories) == ("table", 2, ("false", "true"))

    def test_lists_are_sets(self, tmp_path: Path) -> None:
        text = '[{"unit":"a","rater":"x","value":["q","p"]},{"unit":"a","rater":"y","value":["p"]}]'
        assert understood(tmp_path, "t.json", text).questions[0].level == "set"

    def test_spans_in_records(self, tmp_path: Path) -> None:
        text = '[{"text":"t","rater":"x","begin":0,"end":3,"category":"P"}]'
        assert understood(tmp_path, "t.json", text).kind == "spans"

    @pytest.mark.parametrize(
        ("text", "what"),
        [
            ("[]", "not a list|empty|no tasks|nothing"),
            ('{"a": {"x": 1}}', "no format of data is known"),
            ('[{"a": {"x": 1}}]', "no format of data is known"),
            (
                '[{"unit":"a","rater":"x","value":1},{"unit":"a","rater":"y","value":{"z":1}}]',
                "an object, not a number",
            ),
            ('[{"unit":"a","rater":"x","value":1}', "not JSON"),
            ('[{"id":"c","type":"Annotation","body":{"tag":"x"}}]', "no format of data is known"),
        ],
    )
    def test_others_are_refused(self, tmp_path: Path, text: str, what: str) -> None:
        (tmp_path / "t.json").write_text(text)
        if text == "[]":
            assert len(concordant.read(tmp_path / "t.json")) == 0
            return
        with pytest.raises(InputError, match=what):
            concordant.read(tmp_path / "t.json")


class TestWorkbook:
    ROWS = (("unit", "A", "B"), ("a", 1, 2), ("b", 2, 2), ("c", 3, 3))

    @staticmethod
    def book(file: Path, sheets: dict[str, Any], hidden: str = "", merged: str = "") -> Path:
        """A workbook with these sheets."""
        from openpyxl import Workbook

        made = Workbook()
        for place, (name, rows) in enumerate(sheets.items()):
            sheet = made.create_sheet(name, place)
            for row in rows:
                sheet.append(row)
            if name == hidden:
                sheet.sheet_state = "hidden"
            if merged:
                sheet.merge_cells(merged)
        made.remove(made.worksheets[-1])
        made.save(file)
        return file

    def test_the_only_table_is_read_and_the_rest_named(self, tmp_path: Path) -> None:
        study = concordant.read(self.book(tmp_path / "t.xlsx", {"about": [["text"], ["more"]], "data": self.ROWS}))
        assert study.n_rows == 6
        assert "sheet 'data' was read; not read: 'about' (no table)" in study.notes

    def test_hidden_sheets_are_not_read(self, tmp_path: Path) -> None:
        old = (("unit", "A", "B"), ("x", 1, 1), ("y", 1, 2))
        study = concordant.read(self.book(tmp_path / "t.xlsx", {"old": old, "new": self.ROWS}, hidden="old"))
        assert "sheet 'new' was read; not read: 'old' (hidden)" in study.notes

    def test_several_tables_are_a_question(self, tmp_path: Path) -> None:
        file = self.book(tmp_path / "t.xlsx", {"one": self.ROWS, "two": self.ROWS[:3]})
        with pytest.raises(InputError, match="2 sheets hold a table: 'one', 'two'; say --sheet 'one' or --sheet 'two'"):
            concordant.read(file)
        assert concordant.read(file, sheet="two").n_rows == 4
        with pytest.raises(InputError, match=r"there is no sheet 'tow'.*two"):
            concordant.read(file, sheet="tow")

    def test_hidden_rows_and_formulas_without_a_value_are_said(self, tmp_path: Path) -> None:
        from openpyxl import load_workbook

        file = self.book(tmp_path / "t.xlsx", {"s": [(*row, f"=B{i}") for i, row in enumerate(self.ROWS, 1)]})
        made = load_workbook(file)
        sheet = made["s"]
        sheet.row_dimensions[3].hidden = sheet.column_dimensions["C"].hidden = True
        sheet["D1"] = "sum"
        made.save(file)
        study = concordant.read(file)
        assert study.n_rows == 6
        for what in ("1 hidden row", "1 hidden column", "3 formulas without a value"):
            assert any(note.startswith(what) for note in study.notes), study.notes

    def test_only_workbooks_have_sheets(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("unit,A,B\n1,1,2\n2,2,2\n")
        with pytest.raises(InputError, match="only workbooks have sheets"):
            concordant.read(tmp_path / "t.csv", sheet="x")

    @pytest.mark.parametrize(
        ("rows", "merged", "what"),
        [
            ((("Study 1", None, None), ("unit", "A", "B"), ("a", 1, 2), ("b", 2, 2)), "", "the first row may be a title"),
            ((("unit", "A", "A"), ("a", 1, 2), ("b", 2, 2)), "", "two columns have the same name"),
            ((("unit", "rater", "value"), ("a", "x", 1), (None, "y", 2), ("b", "x", 1), (None, "y", 1)), "A2:A3", "fill them down"),
        ],
    )  # fmt: skip
    def test_what_is_no_table(self, tmp_path: Path, rows: Any, merged: str, what: str) -> None:
        file = self.book(tmp_path / "t.xlsx", {"s": rows}, merged=merged)
        with pytest.raises(InputError, match=what):
            account_of(concordant.read(file), find_format(file))

    def test_cells_are_as_in_a_text(self, tmp_path: Path) -> None:
        from datetime import datetime

        rows = (("unit", "A", "B", "on"), (1, 1.0, 2.5, datetime(2020, 1, 2)), (2, 2, "NA", None), (3, 3, 3.5, None))
        study = concordant.read(self.book(tmp_path / "t.xlsx", {"s": rows}))
        assert study.raters == ("A", "B")
        assert sorted(study.judgements().scale.categories) == ["1", "2", "2.5", "3", "3.5"]
