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

FRAME = pd.DataFrame({"case": [11.0, 12, 13, 14, 15], "r1": [1.0, 2, 3, np.nan, 1], "r2": [1.0, 2, 2, 9, 3]})
LABELS: Any = {1: "low", 2: "mid", 3: "high"}
WRITERS: dict[str, Any] = {
    "sav": pyreadstat.write_sav,
    "dta": pyreadstat.write_dta,
    "xpt": pyreadstat.write_xport,
    "por": pyreadstat.write_por,
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
    assert "1 value of 'r2' declared missing in the file" in study.notes


def test_a_scale_keeps_its_numbers(tmp_path: Path) -> None:
    measures: Any = {"r1": "scale", "r2": "scale"}
    pyreadstat.write_sav(FRAME, tmp_path / "t.sav", variable_value_labels={"r1": LABELS}, variable_measure=measures)
    assert concordant.read(tmp_path / "t.sav").judgements().scale.categories == ("1", "2", "3", "9")


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
