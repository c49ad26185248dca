"""Tables whose columns are questions, and values that are read as others."""

from pathlib import Path

import pytest

from concordant import measure, read
from concordant.errors import InputError

WIDE = "unit,rater,tone,size\nu1,A,good,1\nu1,B,good,2\nu2,A,bad,3\nu2,B,n/a,3\n"
LONG = "unit,rater,question,value\nu1,A,tone,yes\nu1,B,tone,yes\nu2,A,tone,bad\nu2,B,tone,\nu1,A,size,1\nu1,B,size,2\nu2,A,size,3\nu2,B,size,3\n"


def test_columns_that_are_questions_measure_as_a_long_table(tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_text(WIDE)
    (tmp_path / "long.csv").write_text(LONG)
    recode = ("tone:good=yes", "tone:n/a=")
    wide = measure(read(tmp_path / "wide.csv", questions=("tone", "size"), recode=recode), "alpha", ci="none")
    long = measure(read(tmp_path / "long.csv"), "alpha", ci="none")
    assert [one.value for one in wide] == [one.value for one in long]


@pytest.mark.parametrize(
    ("recode", "said"), [("tone", "not COLUMN:OLD=NEW"), ("tone:fine=1", "no such value"), ("x:a=b", "no such column")]
)
def test_what_cannot_be_read_as_another_is_refused(tmp_path: Path, recode: str, said: str) -> None:
    (tmp_path / "wide.csv").write_text(WIDE)
    with pytest.raises(InputError, match=said):
        read(tmp_path / "wide.csv", questions=("tone", "size"), recode=(recode,))
