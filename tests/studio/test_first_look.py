"""What is said at once of files that somebody brings: of marked spans too, though no scale reads Gamma."""

from importlib.resources import files
from pathlib import Path

from concordant.studio.brought_files import Asked, Seen, report_on, see
from concordant.studio.sight import with_roles

EXAMPLE = files("concordant") / "examples" / "data" / "spans.csv"


def seen(folder: Path, written: str, **chosen: str) -> Seen:
    file = folder / "spans.csv"
    file.write_text(written, encoding="utf-8")
    return see(Asked(folder=folder, files=(file,), joined=(), chosen=chosen))


def test_spans_are_told_by_the_means_of_gamma_and_its_kin(tmp_path: Path) -> None:
    found = seen(tmp_path, EXAMPLE.read_text(encoding="utf-8"))
    assert found.columns.roles == ("text", "rater", "begin", "end", "category")
    assert [line.title for line in found.look.lines] == ["γ", "γ-cat"]
    assert [line.word for line in found.look.lines] == ["no_scale", "no_scale"]
    assert found.look.axis is not None
    assert found.look.axis.bands == ()  # no scale calls it good or bad


def test_columns_of_spans_are_chosen_as_the_reader_calls_them(tmp_path: Path) -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    names, usual = ("where", "who did", "left", "right", "sort"), "text,rater,begin,end,category"
    other = text.replace(usual, ",".join(names), 1)
    chosen = with_roles({}, names, usual.split(","))
    found = seen(tmp_path, other, format="long", **chosen)
    assert (found.problem, found.columns.roles) == ("", tuple(usual.split(",")))
    again = with_roles(chosen, names, found.columns.roles)
    assert again == chosen


def test_reports_do_not_name_the_private_folder(tmp_path: Path) -> None:
    file = tmp_path / "spans.csv"
    file.write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    asked = Asked(folder=tmp_path, files=(file,), joined=(), chosen={})
    told = report_on(asked, "Spans", ("html",))["html"].decode()
    assert str(tmp_path) not in told
    assert "concordant align spans.csv --where text=ferry" in told
