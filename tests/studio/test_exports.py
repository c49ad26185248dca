"""Files to take away, written without a server."""

import zipfile
from pathlib import Path

import pytest

from concordant.studio.exports import dataset, export, report, reportable
from concordant.studio.people import MemberPlace
from concordant.studio.projects import NotFoundError


def test_a_report_has_the_study_s_title(sample: MemberPlace, tmp_path: Path) -> None:
    product = report(sample, "md")
    product.write(tmp_path / "report.md")
    assert (product.file_name, product.media_type) == ("sample-report.md", "text/markdown; charset=utf-8")
    assert "Reliability report: A sample study" in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert reportable(sample) == (True, [])


def test_tables_come_in_an_archive(sample: MemberPlace, tmp_path: Path) -> None:
    product = export(sample, "csv", is_raw=True)
    product.write(tmp_path / "sample.csv")
    assert product.file_name == "sample-raw.zip"
    with zipfile.ZipFile(tmp_path / "sample.csv") as archive:
        assert "judgements.csv" in archive.namelist()
        assert len(archive.read("judgements.csv").splitlines()) == 17


def test_what_is_not_there_is_refused(sample: MemberPlace) -> None:
    with pytest.raises(NotFoundError, match="a report is one of html, tex, md, xlsx"):
        report(sample, "docx")
    with pytest.raises(NotFoundError, match="no spans were marked"):
        report(sample, "md", spans="binary")
    with pytest.raises(NotFoundError, match="an export is one of xlsx, csv, profile"):
        export(sample, "docx")
    with pytest.raises(NotFoundError, match="no such report"):
        dataset(sample.studio, "nothing", "md")
