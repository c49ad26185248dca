"""Published figures computed again: whole studies, with and without their data, and what is refused."""

from pathlib import Path

import pytest

import concordant
from concordant.errors import InputError
from concordant.reproduction.printed import agrees
from concordant.reproduction.verdicts import Reproduction, as_document, published, reproduce
from tests.reproduction.invented import invented_sails


def counts(found: Reproduction, table: str) -> dict[str, int]:
    verdicts = [one.verdict for one in found.figures if one.table == table]
    return {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)}


def test_five_studies_are_found() -> None:
    assert sorted(published()) == ["amidei", "castro", "catalan", "sails", "santa"]


def test_what_follows_from_print_holds_without_data() -> None:
    found = concordant.reproduce()
    assert found.holds
    assert counts(found, "Table VI") == {"reproduced": 6}
    assert counts(found, "Table 3.2") == {"reproduced": 9}
    assert counts(found, "Table 4.2") == {"no data": 70}
    assert [line.split()[0] for line in found.missing] == [
        "flickr8k_patterns.csv", "qgstec/judgements.csv", "sails/sails_judgements.csv",
    ]  # fmt: skip
    assert all(" is missing: it holds " in line and ", from " in line for line in found.missing)


def test_the_misprints_that_print_alone_shows() -> None:
    found = reproduce()
    misprints = {(one.table, one.row, one.column): one.shown for one in found.figures if one.verdict == "misprint"}
    assert misprints["Table 4.6", "Weight", "Verif"] == "0.2625"
    assert misprints["Figure 3.4", "caption", "Similarity"] == "0.9142"
    assert misprints["Section 5.1", "with the event class", "Number"] == "26"
    assert misprints["Examples", "0.99, 0.01", "γ"] == "-98.000"


def test_other_data_differ_figure_by_figure(tmp_path: Path) -> None:
    found = reproduce("sails", data=invented_sails(tmp_path))
    assert not found.holds
    assert counts(found, "Table 4.2")["differs"] > 60
    assert counts(found, "Table 4.5") == {"not public": 3, "reproduced": 2}
    recorded = [one for one in found.figures if (one.row, one.column) == ("Untargeted", "Kappa")]
    assert "0.852 is recorded" in recorded[0].why


def test_figures_that_nothing_computes_differ(tmp_path: Path) -> None:
    found = reproduce("sails", data=invented_sails(tmp_path, features=("core_event", "style")))
    nothing = {one.row for one in found.figures if one.why == "nothing computes it"}
    assert nothing >= {"Answerhood", "Answer", "Verif"}


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "qgstec").mkdir()
    (tmp_path / "qgstec" / "judgements.csv").write_text("unit,rater,question\nq1,J1,Variety\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"judgements\.csv, column 'value'"):
        reproduce("amidei", data=tmp_path)


def test_a_folder_without_any_of_the_files_is_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"no data of sails are here; sails/sails_judgements\.csv is missing: it holds"
    ):
        reproduce("sails", data=tmp_path)
    with pytest.raises(InputError, match="1 more file"):
        reproduce("amidei", data=tmp_path)
    with pytest.raises(InputError, match="there is no such folder"):
        reproduce("sails", data=tmp_path / "nowhere")


def test_a_study_without_data_takes_any_folder(tmp_path: Path) -> None:
    assert reproduce("castro", data=tmp_path).holds


def test_an_unknown_study_names_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'castro'"):
        reproduce("castor")


def test_the_document_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a report ends in"):
        reproduce("castro", tmp_path / "figures.doc")
    found = reproduce("santa", tmp_path / "figures.html")
    page = (tmp_path / "figures.html").read_text("utf-8")
    assert "the row was copied from the table of all annotations" in page
    assert list(tmp_path.iterdir()) == [tmp_path / "figures.html"]
    assert [section.key for section in as_document(found).sections] == ["summary", "santa"]


def test_progress_is_told_table_by_table() -> None:
    told: list[tuple[int, int]] = []
    reproduce("castro", progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, 9)
    assert told[-1] == (9, 9)


def test_it_shows_itself() -> None:
    found = reproduce("castro")
    assert repr(found).startswith("<113 figures: 58 reproduced, 1 consistent, ")
    assert "<table" in found._repr_html_()
    assert len(found.to_frame()) == 113
    assert found.to_dict()["holds"] is True
    assert "castro, Equation 5.8: The average cancels" in found.notes[1]


@pytest.fixture(scope="module")
def found(data_dir: Path) -> Reproduction:
    """All studies from their data."""
    return reproduce(data=data_dir)


@pytest.mark.data
def test_nothing_differs_and_nothing_is_missing(found: Reproduction) -> None:
    assert found.holds
    assert found.missing == ()


@pytest.mark.data
def test_sails(found: Reproduction) -> None:
    assert counts(found, "Table 4.2") == {"reproduced": 69, "misprint": 1}
    assert counts(found, "Table 4.3") == {"reproduced": 38, "rounding": 2}
    assert counts(found, "Section 4.2.3") == {"reproduced": 4}


@pytest.mark.data
def test_amidei(found: Reproduction) -> None:
    assert counts(found, "Table 6") == {"reproduced": 9}
    own = [one for one in found.figures if one.table == "Table 7" and not one.row.startswith("Average")]
    assert len(own) == 80
    assert [one.verdict for one in own if one.verdict not in ("reproduced", "rounding")] == ["misprint"]


@pytest.mark.data
def test_what_is_called_fleiss_kappa_is_not(data_dir: Path) -> None:
    """The remark on Table 7: of its 40 kappas, Fleiss' gives 13, rounded or cut off."""
    (table,) = [one for one in published()["amidei"].tables if one.name == "Table 7"]
    assert table.needs is not None
    study = table.needs.open(str(data_dir / table.needs.path))
    values = {
        (f"{one.question}, κ", " and ".join(sorted(one.raters))): one.value
        for one in concordant.measure(study, "fleiss", pairs=True, ci="none")
    }
    kappas = {place: text for place, text in table.cells.items() if place in values}
    assert len(kappas) == 40
    ways = ("rounded", "truncated")
    assert sum(any(agrees(values[place], text, how) for how in ways) for place, text in kappas.items()) == 13
