"""`concordant align`, and `concordant measure` and `concordant verify` on spans, as a user runs them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from concordant.cli import program
from concordant.errors import InputError

SPANS = """guideline,text,rater,begin,end,category,mood
G1,story,Ann,0,12,frame,
G1,story,Ann,14,40,tale,free
G1,story,Ben,0,11,frame,
G1,story,Ben,15,40,tale,
G1,story,Ben,50,60,frame,
G1,note,Ann,3,9,frame,
G1,note,Ben,3,9,frame,
G1,note,Ben,12,19,tale,
G2,story,Ann,0,30,frame,
G2,story,Ben,0,30,frame,
"""


@pytest.fixture
def spans(tmp_path: Path) -> Path:
    file = tmp_path / "spans.csv"
    file.write_text(SPANS)
    return file


def run(*arguments: object) -> Result:
    return CliRunner().invoke(program, [str(argument) for argument in arguments], catch_exceptions=True)


def as_json(*arguments: object) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


class TestAlign:
    def test_a_table_per_text(self, spans: Path) -> None:
        result = run("align", spans, "--where", "guideline=G1")
        assert result.exit_code == 0
        assert "story: disorder 0.40" in result.output
        assert "0-12 frame" in result.output

    def test_json(self, spans: Path) -> None:
        found = as_json("align", spans, "--by", "guideline")["alignments"]
        assert isinstance(found, list)
        assert found[0]["slice"] == {"guideline": "G1", "text": "note"}
        assert found[2]["disorder"] == 0

    def test_further_columns_are_features_of_the_spans(self, spans: Path, tmp_path: Path) -> None:
        found = as_json("align", spans, "--where", "text=story", "--by", "guideline")
        alignments, notes = found["alignments"], found["notes"]
        assert isinstance(alignments, list)
        tales = [row["units"] for row in alignments[0]["unitary_alignments"] if row["units"]["Ann"]]
        assert tales[1]["Ann"]["features"] == {"guideline": "G1", "mood": "free"}
        assert "kept as features of the spans: mood" in str(notes)
        run("align", spans, "--by", "guideline", "-o", tmp_path / "out.csv")
        lines = (tmp_path / "out.csv").read_text().splitlines()
        assert lines[0] == "guideline,text,alignment,disorder,rater,begin,end,category,mood"
        assert any(line.endswith("Ann,14.0,40.0,tale,free") for line in lines)

    @pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
    def test_a_picture_of_one_text(self, spans: Path, tmp_path: Path, ending: str) -> None:
        output = tmp_path / f"picture.{ending}"
        result = run("align", spans, "--where", "text=note", "-o", output)
        assert result.exit_code == 0, result.output
        assert output.stat().st_size > 1000
        assert [file.name for file in tmp_path.iterdir() if file.name.endswith(".part")] == []

    def test_a_picture_of_groups(self, tmp_path: Path) -> None:
        """Everybody, own against foreign, each group: below each other."""
        marks = [f"a,{who},{begin},{begin + 4}" for who in ("A", "B", "C", "D") for begin in (0, 10)]
        (tmp_path / "s.csv").write_text("\n".join(["text,rater,begin,end", *marks]), encoding="utf-8")
        groups = ("--group", "own=A,B", "--group", "foreign=C,D")
        result = run("align", tmp_path / "s.csv", *groups, "-o", tmp_path / "groups.svg")
        assert result.exit_code == 0, result.output
        assert "4 texts aligned" in result.output
        many = [f"t{n},{who},1,5" for n in range(9) for who in "AB"]
        (tmp_path / "m.csv").write_text("\n".join(["text,rater,begin,end", *many]), encoding="utf-8")
        refused = run("align", tmp_path / "m.csv", "-o", tmp_path / "many.svg")
        assert "a picture shows 8 alignments, and 9 were made" in str(refused.exception)
        assert not (tmp_path / "many.svg").exists()

    def test_files(self, spans: Path, tmp_path: Path) -> None:
        assert run("align", spans, "--by", "guideline", "-o", tmp_path / "a.csv").exit_code == 0
        lines = (tmp_path / "a.csv").read_text().splitlines()
        assert lines[0] == "guideline,text,alignment,disorder,rater,begin,end,category,mood"
        assert len(lines) == 11
        assert run("align", spans, "--by", "guideline", "-o", tmp_path / "a.json").exit_code == 0
        assert len(json.loads((tmp_path / "a.json").read_text())) == 3

    def test_what_cannot_be_aligned_is_said(self, tmp_path: Path) -> None:
        file = tmp_path / "s.csv"
        file.write_text("text,rater,begin,end\na,Ann,1,2\nb,Ann,1,1\nb,Ben,1,2\nc,Ann,1,3\nc,Ben,1,2\n")
        result = run("align", file)
        assert "a: there is a single rater (Ann)" in result.output
        assert "b: a span has zero length" in " ".join(result.output.split())
        assert "b: disorder 2.0000" in run("align", file, "--zero-length", "drop").output

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("-o", "x.doc"), "unknown kind of file"),
            (("--where", "text=novel"), "no span has the value 'novel'"),
        ],
    )
    def test_what_cannot_be_written_is_refused(self, spans: Path, arguments: tuple[str, ...], words: str) -> None:
        result = run("align", spans, *arguments)
        assert isinstance(result.exception, InputError)
        assert words in str(result.exception)


def gamma_of_story(spans: Path, *more: str) -> Any:
    """The results of one text under one guideline."""
    one_text = ("--where", "guideline=G1", "--where", "text=story")
    return as_json("measure", spans, "--measure", "gamma", *one_text, "--seed", 1, *more)["results"]


class TestMeasure:
    def test_spans_are_recognised_and_all_their_measures_computed(self, spans: Path) -> None:
        found = as_json("measure", spans, "--where", "guideline=G1", "--seed", 1)
        results = found["results"]
        assert isinstance(results, list)
        assert {result["measure"] for result in results} == {"gamma", "gamma_cat", "gamma_k", "alpha_u"}
        assert "kept as features of the spans: mood" in str(found["notes"])

    def test_positions_can_count_linearly(self, spans: Path) -> None:
        squared, linear = (gamma_of_story(spans, *more)[0] for more in ((), ("--positional", "linear")))
        assert squared["observed"] < linear["observed"]
        assert linear["details"]["positions"] == "linear"
        assert "|positional:linear|" in linear["signature"]
        assert run("verify", linear["signature"], spans).exit_code == 0

    def test_a_table(self, spans: Path) -> None:
        result = run("measure", spans, "--measure", "gamma", "--where", "guideline=G1", "--seed", 1, "--samples", 50)
        assert result.exit_code == 0
        assert "story" in result.output
        assert "shuffle" in result.output

    def test_the_matrix_by_guideline(self, spans: Path) -> None:
        arguments = ("measure", spans, "--measure", "gamma", "--by", "guideline", "--seed", 1, "--samples", 50)
        output = " ".join(run(*arguments).output.split())
        assert "text G1 G2" in output
        assert "Stddev" in output
        assert "sampler shuffle" in output
        assert "G2, story: the only unit of rater 'Ann' spans the whole text" in output
        matrices = as_json(*arguments)["matrices"]
        assert isinstance(matrices, list)
        assert [one["quantity"] for one in matrices] == ["value", "observed", "expected"]
        assert matrices[0]["columns"]["G2"]["cells"] == [None, None]
        assert matrices[1]["columns"]["G2"]["cells"] == [None, 0.0]

    def test_the_mean_over_many_texts_has_an_interval(self, tmp_path: Path) -> None:
        rows = ["text,rater,begin,end,category"]
        for text in range(12):
            for rater, shift in (("Ida", 0), ("Jon", text)):
                rows += [f"t{text},{rater},{20 * i + shift},{20 * i + 9 + shift},c" for i in range(4)]
        file = tmp_path / "many.csv"
        file.write_text("\n".join(rows), encoding="utf-8")
        output = " ".join(run("measure", file, "--measure", "gamma", "--seed", 1, "--samples", 30).output.split())
        assert "Mathet's gamma: mean over 12 texts " in output
        assert "jackknife over texts: it says how texts like these vary" in output
        alone = " ".join(run("measure", file, "--measure", "alpha_u", "--length", "100").output.split())
        assert "mean over 12 texts" in alone
        told = tmp_path / "report.md"
        assert run("report", file, "-o", told, "--seed", 1).exit_code == 0
        assert "mean over 12 texts" in told.read_text("utf-8")

    def test_alpha_u_alone_has_no_sampler(self, spans: Path) -> None:
        output = run("measure", spans, "--measure", "alpha_u", "--by", "guideline").output
        assert "sampler" not in output

    def test_groups_of_raters(self, spans: Path) -> None:
        output = run(
            "measure", spans, "--measure", "gamma", "--group", "own=Ann", "--group", "foreign=Ben", "--seed", 1
        ).output
        assert "own × foreign" in output

    def test_features_change_the_categories(self, spans: Path) -> None:
        plain, merged = (gamma_of_story(spans, *more) for more in ((), ("--features", "mood")))
        assert merged[0]["observed"] > plain[0]["observed"]

    def test_ordinal_and_matrix_dissimilarities(self, spans: Path, tmp_path: Path) -> None:
        (tmp_path / "m.csv").write_text("c,frame,tale\nframe,0,0.25\ntale,0.25,0\n")
        for more in (("--categorical", tmp_path / "m.csv"), ("--categorical", "ordinal", "--categories", "frame,tale")):
            assert as_json("measure", spans, "--measure", "gamma", "--seed", 1, "--where", "guideline=G1", *more)
        result = run("measure", spans, "--measure", "gamma", "--categorical", "ordinal")
        assert "needs the order" in str(result.exception)

    def test_positions_in_tokens(self, tmp_path: Path) -> None:
        (tmp_path / "t.txt").write_text("It was late and Anna sang.")
        (tmp_path / "s.csv").write_text("text,rater,begin,end\nt,Ann,0,6\nt,Ben,0,2\nt,Ben,16,25\n")
        arguments = ("measure", tmp_path / "s.csv", "--measure", "gamma", "--seed", 1, "--positions", "tokens")
        results = as_json(*arguments, "--texts", tmp_path)["results"]
        assert isinstance(results, list)
        assert results[0]["observed"] == pytest.approx((1 / 9 + 1) / 1.5)
        assert "need the texts" in str(run(*arguments).exception)

    def test_spans_and_judgements_do_not_mix(self, spans: Path) -> None:
        result = run("measure", spans, "--measure", "gamma", "--measure", "kappa")
        assert "one kind at a time" in str(result.exception)

    def test_judgements_are_not_taken_for_spans(self, tmp_path: Path) -> None:
        (tmp_path / "j.csv").write_text("unit,rater,value\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n")
        assert run("measure", tmp_path / "j.csv", "--measure", "kappa", "--ci", "none").exit_code == 0
        refused = run("measure", tmp_path / "j.csv", "--measure", "gamma")
        assert "these are judgements, not spans" in str(refused.exception)

    def test_a_folder_of_another_format(self, tmp_path: Path) -> None:
        for rater, end in (("ann", 4), ("ben", 5)):
            (tmp_path / rater).mkdir()
            (tmp_path / rater / "t.ann").write_text(f"T1\tPER 0 {end}\tAnna\nT2\tLOC 8 11\tRom\n")
        results = as_json("measure", tmp_path, "--measure", "gamma", "--seed", 1)["results"]
        assert isinstance(results, list)
        assert results[0]["raters"] == ["ann", "ben"]


class TestVerify:
    def test_a_matrix_between_categories_is_read_again(self, spans: Path, tmp_path: Path) -> None:
        (tmp_path / "m.csv").write_text("c,frame,tale\nframe,0,0.25\ntale,0.25,0\n")
        more = ("--categorical", tmp_path / "m.csv", "--where", "guideline=G1", "--samples", 40)
        results = as_json("measure", spans, "--measure", "gamma", "--seed", 4, *more)["results"]
        assert isinstance(results, list)
        assert run("verify", results[0]["signature"], spans).exit_code == 0

    @pytest.mark.parametrize(
        "more",
        [
            (),
            ("--features", "mood", "--variant", "pygamma"),
            ("--group", "own=Ann", "--group", "foreign=Ben"),
            ("--measure", "gamma_k", "--measure", "alpha_u"),
            ("--raters", "Ann,Ben", "--alpha", "2", "--precision", "none"),
        ],
    )
    def test_every_signature_can_be_computed_again(self, spans: Path, more: tuple[str, ...]) -> None:
        arguments = ("measure", spans, "--measure", "gamma", "--by", "guideline", "--seed", 4, "--samples", 40)
        results = as_json(*arguments, *more)["results"]
        assert isinstance(results, list)
        for result in results:
            again = run("verify", result["signature"], spans)
            assert again.exit_code == 0, again.output

    def test_other_data_are_noticed(self, spans: Path) -> None:
        results = as_json("measure", spans, "--measure", "gamma", "--by", "guideline", "--seed", 4)["results"]
        assert isinstance(results, list)
        spans.write_text(SPANS.replace("50,60", "50,61"))
        changed = next(result for result in results if result["slice"]["text"] == "story")
        again = run("verify", changed["signature"], spans)
        assert again.exit_code == 1
        assert "data:" in again.output
        spans.write_text(SPANS.replace("story", "tale"))
        assert "there is no G1 · story" in str(run("verify", changed["signature"], spans).exception)
