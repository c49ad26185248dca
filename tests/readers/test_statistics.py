"""Files of SPSS, Stata, SAS and R."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest
import rdata

import concordant
from concordant.errors import InputError
from concordant.readers import find_format, r_data
from tests.readers.sas import write_sas7bdat

FRAME = pd.DataFrame({"case": [11.0, 12, 13, 14, 15], "r1": [1.0, 2, 3, np.nan, 1], "r2": [1.0, 2, 2, 9, 3]})
LABELS: Any = {1: "low", 2: "mid", 3: "high"}
WRITERS: dict[str, Any] = {
    "sav": pyreadstat.write_sav,
    "dta": pyreadstat.write_dta,
    "xpt": pyreadstat.write_xport,
    "por": pyreadstat.write_por,
    "sas7bdat": lambda frame, file: write_sas7bdat(frame.to_dict("list"), Path(file)),
}


@pytest.mark.parametrize("ending", WRITERS)
def test_the_same_in_every_program(tmp_path: Path, ending: str) -> None:
    WRITERS[ending](FRAME, tmp_path / f"t.{ending}")
    (tmp_path / f"t.{ending}").rename(tmp_path / "named_otherwise.data")
    study = concordant.read(tmp_path / "named_otherwise.data")
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    same = concordant.read(tmp_path / "t.csv")
    values = [concordant.measure(one, "alpha", ci="none", level="interval").value for one in (study, same)]
    assert find_format(tmp_path / "named_otherwise.data").format.name == "statistics"
    assert (tuple(map(str.lower, study.raters)), values[0]) == (same.raters, values[1])


def test_labels_order_and_declared_missing_values_of_spss(tmp_path: Path) -> None:
    pyreadstat.write_sav(
        FRAME, tmp_path / "t.sav", variable_value_labels={"r1": LABELS, "r2": {**LABELS, 9: "refused"}},
        missing_ranges={"r2": [9]}, variable_measure={"r1": "ordinal", "r2": "ordinal"},
    )  # fmt: skip
    study = concordant.read(tmp_path / "t.sav")
    scale = study.judgements().scale
    assert (scale.level, scale.categories) == ("ordinal", ("low", "mid", "high"))
    assert "1 value of 'r2' declared missing in the file (refused)" in study.notes


REASONED = pd.DataFrame({"case": list("abcd"), "r1": [1, 2, "a", 3], "r2": [1, 2, 2, "b"]}, dtype=object)


def test_reasons_for_missing_of_stata_are_said_and_no_empty_cells(tmp_path: Path) -> None:
    labels: Any = {"r1": {**LABELS, "a": "refused"}, "r2": LABELS}
    letters = {"r1": ["a"], "r2": ["b"]}
    pyreadstat.write_dta(REASONED, tmp_path / "t.dta", missing_user_values=letters, variable_value_labels=labels)
    study = concordant.read(tmp_path / "t.dta")
    assert (set(study.value.as_labels().labels), study.value.n_blank) == ({"low", "mid", "high"}, 2)
    assert "1 value of 'r1' declared missing in the file (refused)" in study.notes
    assert "1 value of 'r2' declared missing in the file" in study.notes
    assert not any("empty cell" in note for note in study.notes)
    assert concordant.read(tmp_path / "t.dta", empty="no").value.n_blank == 2  # an empty cell may mean no, these do not


def test_missing_values_of_sas(tmp_path: Path) -> None:
    write_sas7bdat({"case": list("abcd"), "r1": [1.0, 2, 3, None], "r2": [1.0, b"A", 2, 3]}, tmp_path / "t.sas7bdat")
    study = concordant.read(tmp_path / "t.sas7bdat")
    assert (study.raters, study.value.n_blank) == (("r1", "r2"), 2)
    assert "1 value of 'r2' declared missing in the file" in study.notes
    assert "1 empty cell taken for missing" in study.notes


def test_words_and_ranges_that_spss_declares_missing(tmp_path: Path) -> None:
    frame = pd.DataFrame({"case": list("abcd"), "r1": ["x", "y", "ref", "x"], "r2": ["x", "y", "y", "y"]})
    frame["n1"], frame["n2"] = [1.0, 2, 97, 3], [1.0, 2, 2, 98]
    ranges: Any = {"r1": ["ref"], "n1": [{"lo": 90, "hi": 99}], "n2": [{"lo": 90, "hi": 99}]}
    pyreadstat.write_sav(frame, tmp_path / "t.sav", missing_ranges=ranges)
    names, numbers = (concordant.read(tmp_path / "t.sav", raters=raters) for raters in (["r1", "r2"], ["n1", "n2"]))
    assert names.judgements().scale.categories == ("x", "y")
    assert numbers.judgements().scale.categories == ("1", "2", "3")


def test_raters_with_the_same_labels_are_treated_alike(tmp_path: Path) -> None:
    frame = FRAME.assign(r2=[1.0, 2, 2, 4, 3])
    pyreadstat.write_sav(frame, tmp_path / "t.sav", variable_value_labels={"r1": LABELS, "r2": LABELS})
    study = concordant.read(tmp_path / "t.sav")
    assert (study.raters, study.judgements().scale.categories) == (("r1", "r2"), ("1", "2", "3", "4"))
    assert "labels of 'r1' not used: those of 'r2' are not" in study.notes


def test_a_scale_keeps_its_numbers(tmp_path: Path) -> None:
    measures: Any = {"r1": "scale", "r2": "scale"}
    pyreadstat.write_sav(FRAME, tmp_path / "t.sav", variable_value_labels={"r1": LABELS}, variable_measure=measures)
    study = concordant.read(tmp_path / "t.sav")
    assert study.judgements().scale.categories == ("1", "2", "3", "9")
    assert "labels of 'r1' not used: the file says that it is a scale" in study.notes


def test_labels_of_some_values_are_not_used(tmp_path: Path) -> None:
    pyreadstat.write_sav(FRAME, tmp_path / "t.sav", variable_value_labels={"r2": LABELS})
    assert any("labels of 'r2' not used" in note for note in concordant.read(tmp_path / "t.sav").notes)


@pytest.mark.parametrize(
    ("name", "start"), [("t.sav", b"$FL2"), ("t.dta", b"<stata_dta>"), ("old.dta", b"\x71\x02\x01\x00")]
)
def test_damaged_files(tmp_path: Path, name: str, start: bytes) -> None:
    (tmp_path / name).write_bytes(start + b"\x00nothing more")
    with pytest.raises(InputError, match="cannot be read"):
        concordant.read(tmp_path / name)


def test_a_decoy(tmp_path: Path) -> None:
    (tmp_path / "t.sav").write_text("unit,rater,value\na,x,1\na,y,2\n")
    assert find_format(tmp_path / "t.sav").format.name == "table"
    with pytest.raises(InputError, match="no file of SPSS"):
        concordant.read(tmp_path / "t.sav", format="statistics")


class TestR:
    def test_a_data_frame(self, tmp_path: Path) -> None:
        frame = FRAME.assign(case=pd.Series(list("abcde"), dtype=object))
        rdata.write_rds(tmp_path / "t.rds", frame)
        study = concordant.read(tmp_path / "t.rds")
        assert (study.raters, study.unit.labels) == (("r1", "r2"), list("abcde"))

    def test_an_ordered_factor(self, tmp_path: Path) -> None:
        order = pd.Index(["low", "high"], dtype=object)
        frame = pd.DataFrame({"case": [1.0, 2, 3]} | {
            name: pd.Categorical(pd.Series(cells, dtype=object), categories=order, ordered=True)
            for name, cells in (("r1", ["low", "high", "low"]), ("r2", ["low", "low", "high"]))
        })  # fmt: skip
        table = r_data.table_of(frame, tmp_path / "t.rds")  # rdata reads the order of a factor, and does not write it
        assert (table.file, table.orders["r1"]) == (str(tmp_path / "t.rds"), ("low", "high"))

    def test_a_matrix_and_several_objects(self, tmp_path: Path) -> None:
        rdata.write_rda(tmp_path / "t.RData", {"m": np.array([[1, 1], [2, 1], [2, 2]]), "x": FRAME, "s": "text"})
        with pytest.raises(InputError, match="2 objects hold a table: m, x; say --read object=m"):
            concordant.read(tmp_path / "t.RData")
        study = concordant.read(tmp_path / "t.RData", object="m")
        assert study.raters == ("rater 1", "rater 2")
        assert "object 'm' was read; not read: x, s" in study.notes
        with pytest.raises(InputError, match="there is no table 'z'"):
            concordant.read(tmp_path / "t.RData", object="z")

    def test_what_is_no_table(self, tmp_path: Path) -> None:
        rdata.write_rds(tmp_path / "t.rds", "only a text")
        with pytest.raises(InputError, match="no data frame and no matrix"):
            concordant.read(tmp_path / "t.rds")

    def test_a_damaged_one_and_a_large_one(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        rdata.write_rds(tmp_path / "t.rds", FRAME)
        raw = (tmp_path / "t.rds").read_bytes()
        (tmp_path / "cut.rds").write_bytes(raw[: len(raw) // 2])
        with pytest.raises(InputError, match="breaks off"):
            concordant.read(tmp_path / "cut.rds", format="r_data")
        (tmp_path / "short.rds").write_bytes(b"X\n\x00\x00\x00\x03")
        with pytest.raises(InputError, match="cannot be read"):
            concordant.read(tmp_path / "short.rds")
        monkeypatch.setattr(r_data, "MOST_UNPACKED", 10)
        with pytest.raises(InputError, match="unpacks to more"):
            concordant.read(tmp_path / "t.rds")
