"""Parts that are found by themselves."""

from compileall import compile_file
from pathlib import Path

import pytest

from concordant import registry
from concordant.errors import InputError


def installed(folder: Path, entry_points: str) -> Path:
    (folder / "ours.py").write_text("FORMAT = 'ours'\n")
    about = folder / "ours-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ours\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(entry_points)
    return folder


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry looks anew: what was found before is not asked for."""
    monkeypatch.setattr(registry, "parts", registry.parts.__wrapped__)
    monkeypatch.setattr(registry, "_groups", registry._groups.__wrapped__)


def test_modules_of_a_folder_are_found_and_only_those_with_the_name() -> None:
    found = registry.parts("readers", "FORMAT")
    names = [getattr(known, "name", "") for known in found]  # a module may hold several
    assert {"table", "long", "tsdb", "trees", "study"} <= set(names)
    assert registry.parts("readers", "NOTHING_OF_THE_KIND") == ()


@pytest.mark.usefixtures("found")
def test_other_packages_announce_theirs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(installed(tmp_path, "[concordant.readers]\nours = ours\n"))
    assert registry.parts("readers", "FORMAT")[-1] == "ours"


@pytest.mark.usefixtures("found")
def test_a_package_that_does_not_hold_what_it_announces_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(installed(tmp_path, "[concordant.readers]\nours = nowhere\n"))
    with pytest.raises(InputError, match=r"nowhere in concordant.readers cannot be loaded: .*mend or uninstall ours"):
        registry.parts("readers", "FORMAT")


@pytest.mark.usefixtures("found")
def test_a_module_without_a_text_is_imported_to_see(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As in an archive, or where only compiled modules are installed."""
    for name, text in {"readers": "", "with_it": "FORMAT = 'theirs'", "without": "PI = 3"}.items():
        (tmp_path / f"{name}.py").write_text(text + "\n")
        compile_file(tmp_path / f"{name}.py", legacy=True, quiet=1)
        (tmp_path / f"{name}.py").unlink()
    monkeypatch.setattr("concordant.readers.__path__", [str(tmp_path)])
    assert registry.parts("readers", "FORMAT") == ("theirs",)
