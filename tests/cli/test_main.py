"""Whole runs of the command line, as a user types them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from concordant import __version__
from tests.cli import running

EXAMPLES = Path(__file__).parents[2] / "src" / "concordant" / "examples" / "data"


def run(*words: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run `concordant` on a wide terminal, whatever its exit code."""
    return running.run(*words, stdin=stdin, code=None, environment={"COLUMNS": "130"})


@pytest.fixture
def table_3_1(tmp_path: Path) -> Path:
    """CASTRO Table 3.1 as a contingency table."""
    path = tmp_path / "table.csv"
    path.write_text(",Stat,Ireq\nStat,25,15\nIreq,10,50\n")
    return path


def test_version() -> None:
    assert __version__ in run("--version").stdout


def test_a_process_of_its_own_says_the_same_and_ends_with_the_same_code(table_3_1: Path) -> None:
    for words in (("measure", table_3_1, "--format", "contingency", "--seed", "1"), ("measure", "nothing.csv")):
        ours, theirs = running.run(*words, code=None), running.start(*words)
        assert (ours.returncode, ours.stdout, ours.stderr) == (theirs.returncode, theirs.stdout, theirs.stderr)


def test_help_lists_every_command_with_its_summary() -> None:
    shown = run("--help").stdout
    for name in ("measure", "measures", "explain", "verify", "planning"):
        assert f"  {name} " in shown


@pytest.mark.parametrize("words", [(), ("log",)])
def test_a_group_alone_shows_its_help_and_is_no_error(words: tuple[str, ...]) -> None:
    alone, asked = run(*words), run(*words, "--help")
    assert (alone.returncode, alone.stdout, alone.stderr) == (0, asked.stdout, "")
    assert words or "studio` opens the studio in the browser" in alone.stdout.splitlines()[2]


def test_what_is_missing_says_where_it_is_explained() -> None:
    done = run("measure")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "concordant: Missing argument 'DATA'. (`concordant measure --help` explains)\n"


def test_json_has_the_keys_of_the_public_contract(table_3_1: Path) -> None:
    done = run(
        "measure",
        table_3_1,
        "--format",
        "contingency",
        "--measure",
        "kappa",
        "--measure",
        "pi",
        "--seed",
        "1",
        "--json",
    )
    whole = json.loads(done.stdout)
    kappa, pi = whole["results"]
    assert list(kappa) == [
        "measure", "name", "question", "slice", "raters", "value", "reason", "observed", "expected", "interval",
        "n_units", "n_raters", "n_judgements", "n_dropped", "notes", "details", "signature",
    ]  # fmt: skip
    assert kappa["value"] == pytest.approx(0.22 / 0.47, abs=1e-15)
    assert pi["expected"] == pytest.approx(0.53125)
    assert (kappa["n_units"], kappa["n_raters"], kappa["n_judgements"], kappa["n_dropped"]) == (100, 2, 200, 0)
    assert kappa["interval"]["low"] < kappa["value"] < kappa["interval"]["high"]
    assert kappa["question"] is None
    assert kappa["slice"] is None
    assert isinstance(whole["notes"], list)


def test_table_names_measure_interval_reading_and_its_source(table_3_1: Path) -> None:
    shown = run("measure", table_3_1, "--format", "contingency", "--measure", "kappa", "--seed", "1").stdout
    for part in ("Cohen's kappa", "0.468", "95 % interval", "moderate", "Landis & Koch 1977", "kappa|level:nominal"):
        assert part in shown


def test_slices_questions_and_pairs() -> None:
    done = run("measure", EXAMPLES / "features.csv", "--by", "group", "--measure", "kappa", "--ci", "none", "--json")
    results = json.loads(done.stdout)["results"]
    assert len(results) == 10
    assert {(r["question"], r["slice"]["group"]) for r in results} >= {
        ("core_event", "native"),
        ("verifiability", "non-native"),
    }
    pairs = run(
        "measure",
        EXAMPLES / "ratings.csv",
        "--level",
        "ordinal",
        "--pairs",
        "--measure",
        "tau_b",
        "--ci",
        "none",
        "--json",
    )
    assert {tuple(r["raters"]) for r in json.loads(pairs.stdout)["results"]} >= {("J1", "J2"), ("J4", "J5")}


def test_pooling_makes_units_of_unit_and_question() -> None:
    done = run("measure", EXAMPLES / "features.csv", "--pool", "--measure", "percent", "--ci", "none", "--json")
    (result,) = json.loads(done.stdout)["results"]
    assert result["n_units"] == 300
    assert result["question"] is None


def test_where_keeps_rows_and_verify_finds_them_again(tmp_path: Path) -> None:
    words = ("--where", "group=native", "--where", "question=core_event", "--measure", "alpha", "--seed", "5", "--json")
    (result,) = json.loads(run("measure", EXAMPLES / "features.csv", *words).stdout)["results"]
    same = run("verify", result["signature"], EXAMPLES / "features.csv")
    assert (same.returncode, same.stdout) == (0, "the same\n")
    changed = tmp_path / "changed.csv"
    changed.write_text(
        (EXAMPLES / "features.csv")
        .read_text()
        .replace(
            "r02,item 2,native,a woman paints fence.,A1,core_event,yes",
            "r02,item 2,native,a woman paints fence.,A1,core_event,no",
        )
    )
    differs = run("verify", result["signature"], changed)
    assert differs.returncode == 1
    assert "data" in differs.stdout


def test_standard_input() -> None:
    done = run(
        "measure", "-", "--measure", "percent", "--ci", "none", "--json", stdin=b"unit,rater,value\na,x,1\na,y,1\n"
    )
    assert json.loads(done.stdout)["results"][0]["value"] == 1


def test_matrix_of_weights_from_a_file(table_3_1: Path, tmp_path: Path) -> None:
    matrix = tmp_path / "weights.csv"
    matrix.write_text(",Ireq,Stat\nIreq,1,0.5\nStat,0.5,1\n")
    done = run(
        "measure",
        table_3_1,
        "--format",
        "contingency",
        "--measure",
        "weighted_kappa",
        "--weights",
        matrix,
        "--ci",
        "none",
        "--json",
    )
    result = json.loads(done.stdout)["results"][0]
    assert result["observed"] == pytest.approx(0.875)
    again = run("verify", result["signature"], table_3_1, "--weights", matrix)
    assert again.returncode == 0, again.stdout


def test_duckdb_gives_the_same_digits() -> None:
    words = (
        "measure",
        EXAMPLES / "ratings.csv",
        "--level",
        "ordinal",
        "--measure",
        "alpha",
        "--measure",
        "conger",
        "--seed",
        "1",
        "--json",
    )
    memory, duckdb = (json.loads(run(*words, "--engine", engine).stdout)["results"] for engine in ("memory", "duckdb"))
    numbers = [
        {(r["question"], r["measure"], end): r["interval"][end] for r in results for end in ("low", "high")}
        for results in (memory, duckdb)
    ]
    assert numbers[0] == pytest.approx(numbers[1], abs=1e-12)


@pytest.mark.parametrize(
    ("content", "words", "message"),
    [
        (b"unit,rater,value\na,x,1\na,y\n", [], "row 3: 2 cells instead of 3"),
        (b"", [], "the file is empty"),
        (b"unit,rater,value\n", [], "no rows"),
        (b"\x00\x01\x02" * 50, [], "not a text file"),
        (b"only\none\n", [], "only one column"),
        (b"unit,rater,value\na,x,1\na,y,2\na,x,1\n", [], "rows 2 and 4 both judge unit 'a' by rater 'x'"),
        (b"unit,rater,value\na,x,good\na,y,bad\n", ["--level", "ordinal"], "give all values in order with --categories"),
        (b"unit,rater,value\na,x,good\na,y,bad\n", ["--categories", "good,badd"], "row 3, column 'value': the value 'bad'"),
        (b"unit,rater,value\na,x,1\na,y,1\n", ["--unit", "unt"], "did you mean 'unit'?"),
        (b"unit,rater,value\na,x,1\na,y,1\n", ["--measure", "kapa"], "did you mean 'kappa'?"),
        (b"unit,rater,value\na,x,1\na,y,1\n", ["--level", "nominl"], "did you mean 'nominal'?"),
        (b"unit,rater,value\na,x,1\na,y,1\n", ["--where", "rater"], "is not COLUMN=VALUE"),
        (b"unit,rater,value\na,x,1\na,y,1\n", ["--where", "rater=z"], "no row has the value 'z'"),
        (b"unit,rater,value\na,x,1\na,y,1\n", ["--by", "grp"], "no such column"),
        (b"unit,rater,value\na,x,1\na,y,1\n", ["--resamples", "many"], "not a valid integer"),
        (b"unit,rater,value\na,,1\n", [], "there is no rater"),
        (b"a," * 20000 + b"a\n1\n", [], "columns"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_2(tmp_path: Path, content: bytes, words: list[str], message: str) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    done = run("measure", path, *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_unknown_command_directory_and_missing_file(tmp_path: Path) -> None:
    for words in (["mesure"], ["measure", str(tmp_path)], ["measure", str(tmp_path / "none.csv")]):
        done = run(*words)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1


def test_measures_for_data_says_why_not() -> None:
    shown = run("measures", "--for", EXAMPLES / "classes.csv").stdout
    assert "recommended" in shown
    found = json.loads(run("measures", "--for", EXAMPLES / "classes.csv", "--json").stdout)
    kappa = next(m for m in found["questions"][0]["measures"] if m["measure"] == "kappa")
    assert "compares 2 raters, and there are 24" in kappa["problems"][0]


def test_catalogue_as_table_and_json() -> None:
    assert "Krippendorff's alpha" in run("measures").stdout
    assert "icc_a1" in {m["measure"] for m in json.loads(run("measures", "--json").stdout)["measures"]}


def test_explain_names_source_and_other_tools() -> None:
    shown = run("explain", "fleiss").stdout
    assert "Fleiss" in shown
    assert "nltk" in shown


HEAVY = ("scipy", "pandas", "polars", "matplotlib", "starlette", "duckdb", "narwhals", "sqlalchemy", "delphin")
NOT_NEEDED = (
    "numpy.ma",
    "concordant.engines.out_of_core",
    "concordant.treebank",
    "concordant.measures.unitizing.evidence",
    "concordant.report.document",
    "statistics",
    "html",
    "concordant.diagnosis",
    "concordant.collection",
)


def test_measuring_a_small_file_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom concordant.cli import main\n"
        f"sys.argv = ['concordant', 'measure', {str(EXAMPLES / 'ratings.csv')!r}]\n"
        "try: main()\n"
        f"finally: print([m for m in {(*HEAVY, *NOT_NEEDED)} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "95 % interval" in done.stdout
    assert done.stderr == "[]\n"


def test_import_concordant_loads_almost_nothing() -> None:
    code = "import sys, concordant; print('numpy' in sys.modules, 'click' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "False False\n"
    )


def test_per_category_and_per_unit() -> None:
    shown = run("measure", EXAMPLES / "features.csv", "--measure", "kappa", "--ci", "none", "--per", "category").stdout
    assert "Each category against the rest" in shown
    by_unit = run(
        "measure", EXAMPLES / "ratings.csv", "--level", "ordinal", "--measure", "alpha", "--ci", "none", "--per", "unit"
    )
    assert "60 more units with higher agreement" in by_unit.stdout
    words = (
        "measure",
        EXAMPLES / "ratings.csv",
        "--level",
        "ordinal",
        "--measure",
        "alpha",
        "--ci",
        "none",
        "--per",
        "unit",
        "--json",
    )
    units = json.loads(run(*words).stdout)["units"]
    assert len(units) == 80
    assert units[0]["agreement"] <= units[-1]["agreement"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--separator", "ab"), "'ab' cannot separate columns"),
        (("--confidence", "nan"), "is not between 0 and 1"),
        (("--resamples", "99999999999"), "resamples are too many"),
        (("--seed", "-1"), "the seed -1 is negative"),
    ],
)
def test_options_that_make_no_sense_are_one_line(words: tuple[str, ...], said: str) -> None:
    done = run("measure", EXAMPLES / "ratings.csv", "--level", "ordinal", *words)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert said in done.stderr


def test_a_tab_may_be_written_with_a_backslash(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("unit\trater\tvalue\n1\ta\tx\n1\tb\tx\n2\ta\ty\n2\tb\tx\n")
    done = run("measure", tmp_path / "t.txt", "--separator", "\\t", "--measure", "percent", "--ci", "none", "--json")
    assert json.loads(done.stdout)["results"][0]["value"] == 0.5


def test_what_the_system_refuses_is_one_line(tmp_path: Path) -> None:
    done = run("align", EXAMPLES / "spans.csv", "-o", tmp_path / f"{'a' * 300}.csv")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "File name too long" in done.stderr


def test_a_signature_that_says_something_unknown_about_the_data_is_refused() -> None:
    made = run(
        "measure", EXAMPLES / "ratings.csv", "--level", "ordinal", "--measure", "alpha", "--ci", "none", "--json"
    )
    signature = json.loads(made.stdout)["results"][0]["signature"].replace("from.level", "from.lavel")
    done = run("verify", signature, EXAMPLES / "ratings.csv")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "'lavel'" in done.stderr


def test_p_values_against_chance_and_between_slices_and_groups() -> None:
    asked = ("--measure", "alpha", "--permutations", "50", "--seed", "1", "--ci", "none")
    by_group = run("measure", EXAMPLES / "features.csv", "--pool", "--by", "group", *asked).stdout
    assert "p: 50 permutations, every rater's judgements shuffled" in " ".join(by_group.split())
    assert "Differences (permutation tests, two-sided)" in by_group
    groups = ("--group", "native=J1,J2,J3", "--group", "other=J4,J5")
    found = json.loads(run("measure", EXAMPLES / "ratings.csv", "--level", "ordinal", *groups, *asked, "--json").stdout)
    assert [one["question"] for one in found["differences"]] == ["fluency", "adequacy"]
    assert all(0 < one["p"] <= 1 for one in found["differences"])
    assert all(result["details"]["chance_test"]["p"] == pytest.approx(2 / 51) for result in found["results"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("spans.csv", "--permutations", "9"), "permutations is for judgements, and these are spans"),
        (("features.csv", "--permutations", "-9"), "-9 permutations cannot be made"),
        (("features.csv", "--permutations", "9", "--by", "group", "--engine", "duckdb"), "need --engine memory"),
    ],
)
def test_what_cannot_be_permuted_is_one_line(words: tuple[str, ...], said: str) -> None:
    done = run("measure", EXAMPLES / words[0], *words[1:])
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert said in done.stderr


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("concordant mea", {"plain,measure", "plain,measures"}),
        ("concordant measure x.csv --permu", {"plain,--permutations"}),
        (
            "concordant measure x.csv --measure weighted_kappa_",
            {"plain,weighted_kappa_linear", "plain,weighted_kappa_quadratic"},
        ),
        ("concordant explain kendall", {"plain,kendall_w"}),
        ("concordant plot co", {"plain,contingency", "plain,coincidence", "plain,coefficients"}),
        ("concordant init x --example pre", {"plain,preferences"}),
        ("concordant measure rat", {"file,rat"}),
        (f"concordant measure {EXAMPLES}/features.csv --by G", {"plain,group"}),
        (f"concordant measure {EXAMPLES}/features.csv --where que", {"plain,question="}),
        ("concordant measure nothing.csv --by g", set()),
    ],
)
def test_shells_complete_commands_options_measures_and_files(typed: str, offered: set[str]) -> None:
    words = typed.split()
    asked = {"_CONCORDANT_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1)}
    done = running.run(environment=asked)
    assert set(done.stdout.split()) == offered
