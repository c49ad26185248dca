"""A paper's table: signatures behind its rows are computed again, and the digits in front of them compared."""

import re
from pathlib import Path

import pytest

import concordant
from concordant.design.examples import EXAMPLES
from concordant.publication.paper_tables import PrintedChecked, verify_printed
from tests.cli.running import run

RATINGS = Path(str(EXAMPLES / "data" / "ratings.csv"))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of two coefficients as LaTeX."""
    path = tmp_path_factory.mktemp("paper") / "report.tex"
    concordant.report(RATINGS, path, measure=["alpha", "percent"], level="ordinal")
    return path.read_text()


def checked(text: str, tmp_path: Path, ending: str = ".tex") -> PrintedChecked:
    (tmp_path / f"paper{ending}").write_text(text)
    return verify_printed(tmp_path / f"paper{ending}", RATINGS)


def test_a_report_is_as_its_signatures_say(table: str, tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(table)
    done = run("verify", tmp_path / "paper.tex", RATINGS)
    said = re.search(
        r"the data give (\d+) signatures, and the digits of (\d+) rows; not compared, .*: (\d+) rows", done.stdout
    )
    assert said is not None
    signatures, rows, unsigned = map(int, said.groups())
    assert rows == signatures + 2  # the verdict says the coefficient of each question again
    bare = [line for line in table.splitlines() if " & " in line and "% signature" not in line and line.endswith(r"\\")]
    assert 0 < unsigned <= len(bare)


def test_a_changed_digit_of_the_verdict_is_named(table: str, tmp_path: Path) -> None:
    number = next(i for i, line in enumerate(table.splitlines(), 1) if line.startswith("fluency & not yet & 0.595"))
    found = checked(table.replace("fluency & not yet & 0.595", "fluency & not yet & 0.695"), tmp_path)
    assert found.differences[0].startswith(f"line {number}: 0.695 is printed, and no number of the result is that")


def test_every_changed_digit_of_a_row_is_named(table: str, tmp_path: Path) -> None:
    number = next(i for i, line in enumerate(table.splitlines(), 1) if "fluency & Krippendorff" in line)
    lines = table.splitlines()
    row, mark, signature = lines[number - 1].partition(" % signature: ")
    printed = re.findall(r"\d\.\d+", row)
    assert len(printed) == 5
    for one in printed:
        other = one[:-1] + ("1" if one[-1] != "1" else "2")
        changed = [*lines[: number - 1], row.replace(one, other, 1) + mark + signature, *lines[number:]]
        found = checked("\n".join(changed), tmp_path)
        assert found.differences[0].startswith(
            f"line {number}: {other} is printed, and no number of the result is that"
        )


def test_a_changed_signature_is_named(table: str, tmp_path: Path) -> None:
    found = checked(table.replace("units:40", "units:41"), tmp_path)
    assert any("units: 41 in the signature, 40 computed" in one for one in found.differences)


@pytest.mark.parametrize(
    ("cells", "differences"),
    [
        (r"$.60$ [.41, .72] & 40", 0),
        (r"\textbf{0.6} & 0.41--0.72", 0),
        (r"0.595 & $[{-}0.41, 0.72]$", 1),
        (r"0.59 & 40", 2),
        (r".063 & .155", 1),
        (r"version 0.9 & 40", 0),
    ],
)
def test_papers_print_numbers_in_their_own_ways(cells: str, differences: int, tmp_path: Path) -> None:
    signature = concordant.measure(RATINGS, "alpha", level="ordinal", where={"question": ["fluency"]}, seed=1).signature
    text = rf"Fluency & {cells} \\ % signature: {signature}"
    assert len(checked(text, tmp_path).differences) == differences


def test_signatures_in_other_texts_are_computed_again(tmp_path: Path) -> None:
    signature = concordant.measure(RATINGS, "alpha", level="ordinal", where={"question": ["fluency"]}, seed=1).signature
    found = checked(f"<p>We found <code>{signature}</code>.</p>", tmp_path, ".html")
    assert (found.n_signatures, found.n_rows, found.differences) == (1, 0, ())
    wrong = checked(f"`{signature.replace('value:0.5', 'value:0.6')}`", tmp_path, ".md")
    assert len(wrong.differences) == 1
    done = run("verify", tmp_path / "paper.html", RATINGS)
    assert "the digits printed around them are compared in LaTeX only" in done.stdout


def test_a_measure_that_is_not_there_is_a_difference(tmp_path: Path) -> None:
    found = checked("x & 0.5 % signature: kapa|level:nominal|ci:none|data:0|value:0.5|v:0.2.0", tmp_path)
    assert "kapa" in found.differences[0]
    done = run("verify", tmp_path / "paper.tex", RATINGS, "--json", code=1)
    assert '"matches": false' in done.stdout
