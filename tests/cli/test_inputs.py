"""What is in the data decides how they are read, and whatever says nothing about them is refused."""

import json
from pathlib import Path

import pytest

from concordant.choices import Choices
from concordant.errors import InputError
from concordant.readers import formats
from concordant.readers.profiles import ProfileOptions
from tests.cli.running import run

EXAMPLES = Path(__file__).parents[2] / "src" / "concordant" / "examples" / "data"
RATINGS, SPANS = EXAMPLES / "ratings.csv", EXAMPLES / "spans.csv"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("align", SPANS, "--unit", "text"), "the format long has no option 'unit'"),
        (("align", SPANS, "--categories", "a,b"), "--categories says nothing about spans"),
        (("align", RATINGS), "these are judgements, not spans"),
        (("diagnose", RATINGS, "--read", "skip=1"), "the format table has no option 'skip'"),
        (("diagnose", SPANS, "--format", "long"), "the format long holds spans"),
        (("gold", RATINGS, "--seed", "3"), "--seed says nothing about the method votes"),
        (("plot", "scores", RATINGS, "-o", "x.svg", "--measure", "alpha"), "--measure says nothing about a picture of"),
        (("plot", "entropy", RATINGS, "-o", "x.svg", "--by", "speaker", "--by", "question"), "by one attribute"),
        (
            ("planning", RATINGS, "--measure", "alpha", "--width", ".1", "--format", "brat"),
            "the format brat holds spans",
        ),
        (("compare", RATINGS, RATINGS, "--names", "a,b,c"), "are more than two"),
        (("measures", "--level", "ordinal"), "--level says nothing about the list of all measures"),
        (("measure", RATINGS, "--read", "level=ordinal", "--level", "nominal"), "level is said twice"),
        (("measure", RATINGS, "--engine", "duckdb", "--encoding", "utf-8"), "--encoding says nothing about tables"),
        (("measure", RATINGS, "--begin", "x"), "the format table has no option 'begin'"),
        (("measure", RATINGS, "--texts", "x"), "--texts says nothing about judgements"),
        (("measure", SPANS, "--level", "nominal"), "the format long has no option 'level'"),
        (("measure", SPANS, "--measure", "kappa"), "these are spans, not judgements"),
        (("diagnose", SPANS), "these are spans, not judgements"),
        (("measure", SPANS, "--where", "text"), "--where 'text' is not COLUMN=VALUE"),
        (("demo", "--copy", "x", "--port", "80"), "--port says nothing about copied data sets"),
        (
            ("researcher", "maria", "--change", "--adjudicator", "--password", "x"),
            "says nothing about another password",
        ),
    ],
)
def test_what_says_nothing_about_the_data_is_refused(
    words: tuple[str | Path, ...], message: str, tmp_path: Path
) -> None:
    done = run(*words, code=2, cwd=tmp_path)
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_trees_are_known_by_what_is_in_them(tmp_path: Path) -> None:
    for name in ("a.mrg", "b.parsed"):
        (tmp_path / name).write_text("(S (NP (N Ana)) (VP (V ri)))\n")
    assert "Parseval" in run("measure", "a.mrg", "b.parsed", "--ci", "none", cwd=tmp_path).stdout
    refused = run("measure", "a.mrg", "b.parsed", "--group", "x=a", code=2, cwd=tmp_path).stderr
    assert "--group says nothing about trees in brackets" in refused


def test_the_help_names_every_format() -> None:
    shown = " ".join(run("diagnose", "--help").stdout.split())
    assert f"does not say: {', '.join(sorted(formats()))}." in shown


def test_an_option_of_a_reader_is_signed_and_verified(tmp_path: Path) -> None:
    words = ("measure", RATINGS, "--measure", "alpha", "--ci", "none", "--where", "question=adequacy", "--json")
    plain, said = (run(*words, *more).stdout for more in (("--level", "ordinal"), ("--read", "level=ordinal")))
    assert plain == said


def test_texts_become_what_the_choice_is() -> None:
    written = {"edm": "no", "pattern": "a,b", "reading": "log"}
    assert ProfileOptions.written("profiles", written) == {"edm": False, "pattern": "a,b", "reading": "log"}
    with pytest.raises(InputError, match="edm=maybe of profiles is not yes or no"):
        ProfileOptions.written("profiles", {"edm": "maybe"})
    with pytest.raises(InputError, match="nothing has no option 'x'; it has none"):
        Choices.written("nothing", {"x": "1"})


def test_a_signature_of_spans_says_which_models_were_left_out(tmp_path: Path) -> None:
    rows = [
        f"t,{rater},{10 * i},{10 * i + 4 + (rater == 'gpt-9')},x" for rater in ("A", "B", "gpt-9") for i in range(6)
    ]
    file = tmp_path / "spans.csv"
    file.write_text("\n".join(["text,rater,begin,end,category", *rows]) + "\n", encoding="utf-8")
    found = {}
    for kind in ("human", "all"):
        how = ("--measure", "alpha_u", "--models", "gpt-*", "--kind", kind, "--ci", "none", "--json")
        found[kind] = json.loads(run("measure", file, *how).stdout)["results"][0]
        assert f"kind:{kind}" in found[kind]["signature"]
        assert "the same" in run("verify", found[kind]["signature"], file).stdout
    assert found["human"]["value"] != found["all"]["value"]
