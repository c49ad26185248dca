"""Archives of the five example studies and of tables: nobody's name in them, every number computed again, every change named."""

import csv
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

import concordant
from concordant.collection.events import Commented, Joined
from concordant.collection.log import Log
from concordant.collection.opened_study import read_study
from concordant.design.examples import EXAMPLES, example_names, init
from concordant.errors import InputError
from concordant.publication.archiving import write_zip
from concordant.publication.checking import changed, contents_of, first_difference, verify_archive
from concordant.publication.crate import metadata
from concordant.publication.derived import METADATA, SETTINGS
from concordant.publication.privacy import Screen, pseudonyms
from concordant.readers.study_log import read_log
from concordant.web.players import Player, Scene, fill
from tests.cli.running import run

RATINGS = Path(str(EXAMPLES / "data" / "ratings.csv"))
FEW = Path(str(EXAMPLES / "data" / "experts.csv"))
NAMES = ("Wilhelmina", "Bartholomew")
PLATFORM_ID = "5f3c2a9b8d7e6f1a2b3c4d5e"


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every example study, answered by two people with telling names, ids of a platform and comments."""
    return {name: answered(name, tmp_path_factory.mktemp(name)) for name in example_names()}


def answered(example: str, folder: Path) -> Path:
    file = init(folder / example, example)
    file.write_text(file.read_text("utf-8").replace("min_gold = 0.5", "min_gold = 0.0"), encoding="utf-8")  # keep all
    place = file.parent
    begun = datetime(2026, 3, 5, 10, tzinfo=UTC)
    about = (("age", "33"), ("region", "the village of Unterweiler"), ("linguistics", "yes"))
    players = tuple(
        Player(
            name=name, care=0.9, begun=begun, comment=f"I am {name}, mail {name.lower()}@mail.example", answers=about
        )
        for name in NAMES
    )
    with Log.open(f"sqlite:///{place / 'study.db'}") as log:
        study = fill(log, read_study(place), Scene(example, example, "", players, is_adjudicated=True))
        origin = {"PROLIFIC_PID": PLATFORM_ID, "ip": "192.0.2.17"}
        log.append(study.description.name, [Joined(rater=NAMES[0], origin=origin)])
        log.append(study.description.name, [Commented(rater=NAMES[1], text="call +49 89 1234567")])
    return place


@pytest.fixture(scope="module")
def archives(studies: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An archive of each of them."""
    goal = tmp_path_factory.mktemp("archives")
    return {name: concordant.archive(place, goal / f"{name}.zip").path for name, place in studies.items()}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of a small table, which is checked quickly."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.csv").write_text(
        "unit,rater,value,e_mail,native,answered_at,text\n"
        + "".join(
            f"u{u},{name},{(u + n) % 2 if u == 3 else u % 2},{name}@x.example,{n < 2},2026-01-0{n + 1}T0{u}:00,t{u} by @ann\n"
            for u in range(6)
            for n, name in enumerate(("Anneliese", "Bruno", "Carlotta"))
        )
    )
    return concordant.archive(folder / "small.csv", folder / "small.zip", report={"measure": ["percent"]}).path


@pytest.mark.parametrize("name", example_names())
def test_an_archive_of_every_example_study_is_computed_again(name: str, archives: Mapping[str, Path]) -> None:
    found = verify_archive(archives[name])
    assert found.differences == ()
    assert found.matches
    assert found.n_files > 10


@pytest.mark.parametrize("name", example_names())
def test_nobody_is_in_it(name: str, archives: Mapping[str, Path]) -> None:
    contents, _ = contents_of(archives[name])
    told = re.compile(
        "|".join((*NAMES, PLATFORM_ID, "192[.]0[.]2[.]17", "Unterweiler", "mail[.]example", "2026-03-05")), re.I
    )
    for file, content in contents.items():
        assert not told.search(content.decode(errors="replace")), file


@pytest.mark.parametrize("name", example_names())
def test_a_change_in_any_file_is_seen(name: str, archives: Mapping[str, Path]) -> None:
    contents, _ = contents_of(archives[name])
    assert list(changed(contents)) == []
    for file in contents.keys() - {METADATA}:
        assert any(one.startswith(file) for one in changed({**contents, file: contents[file] + b" "}))
        assert f"{file} is missing" in list(changed({n: c for n, c in contents.items() if n != file}))
    assert list(changed({**contents, "more.txt": b""})) == ["more.txt is not in the list of files"]


def rewritten(path: Path, goal: Path, change: Callable[[dict[str, bytes]], None], *, forge: bool = False) -> Path:
    """A copy of an archive with a change, and with a list of files that fits it if it is forged."""
    contents, _ = contents_of(path)
    change(contents)
    if forge:
        settings = json.loads(contents[SETTINGS])
        rest = {name: content for name, content in contents.items() if name != METADATA}
        contents[METADATA] = metadata(goal.parent / "nothing", settings, rest).encode()
    write_zip(goal, contents)
    return goal


def digit_changed(content: bytes, before: bytes) -> bytes:
    """The first digit after these bytes is another one."""
    return bumped(content, re.compile(re.escape(before) + rb"[^\d]*\d*?[.]?(\d)"))


DIGITS = {
    "report/report.md": b"Fleiss",
    "report/report.html": b"judgements of",
    "report/coefficients.csv": b"percent,",
    "data/codebook.csv": b"value,",
    "README.md": b"written by concordant ",
    "croissant.json": b"datePublished",
    "CITATION.cff": b"version",
}


def test_a_changed_digit_is_named_even_if_the_list_of_files_is_forged(small: Path, tmp_path: Path) -> None:
    def change(contents: dict[str, bytes]) -> None:
        for file, before in DIGITS.items():
            contents[file] = digit_changed(contents[file], before if before in contents[file] else b"")

    done = run("verify", rewritten(small, tmp_path / "forged.zip", change, forge=True), code=1)
    assert done.stdout.startswith("not the same:")
    named = re.findall(r"(?m)^- (\S+), line \d+: ", done.stdout)
    assert named == sorted(DIGITS)


PLACES = {
    "report/report.md": rb"(?m)^\|.*?\d[.]\d?(\d)",
    "tables/judgements.csv": rb"(?m)^.*?(\d)[.]\d,\d{4}-",  # how long somebody took
    "tables/codebook.csv": rb"(\d)",
    "report/coefficients.csv": rb"scale:(\d)",  # in a signature
}


@pytest.mark.parametrize("name", example_names())
def test_one_digit_of_each_example_study_is_named_even_if_the_list_of_files_is_forged(
    name: str, archives: Mapping[str, Path], tmp_path: Path
) -> None:
    def change(contents: dict[str, bytes]) -> None:
        for file, place in PLACES.items():
            contents[file] = bumped(contents[file], re.compile(place))

    done = run("verify", rewritten(archives[name], tmp_path / "forged.zip", change, forge=True), code=1)
    assert set(re.findall(r"(?m)^- (\S+), line \d+: ", done.stdout)) >= set(PLACES)

    contents, _ = contents_of(archives[name])
    log = bumped(contents["study/log.jsonl"], re.compile(rb'"seconds": ?(\d)'))
    [said] = changed({**contents, "study/log.jsonl": log})
    assert said == "study/log.jsonl is not what was archived: its SHA-256 is another"


def bumped(content: bytes, place: re.Pattern[bytes]) -> bytes:
    """The digit that is found is another one."""
    found = place.search(content)
    assert found is not None
    return content[: found.start(1)] + str((int(found[1]) + 1) % 10).encode() + content[found.end(1) :]


def test_a_changed_judgement_changes_the_numbers(small: Path, tmp_path: Path) -> None:
    def change(contents: dict[str, bytes]) -> None:
        lines = contents["data/judgements.csv"].splitlines(keepends=True)
        lines[1] = lines[1].replace(b",0,", b",1,")
        contents["data/judgements.csv"] = b"".join(lines)

    found = verify_archive(rewritten(small, tmp_path / "data.zip", change, forge=True))
    assert any(one.startswith("report/coefficients.csv, line 2") for one in found.differences)
    plain = verify_archive(rewritten(small, tmp_path / "plain.zip", change))
    assert plain.differences[0] == "data/judgements.csv is not what was archived: its SHA-256 is another"


def test_a_file_of_nobody_and_a_changed_list_are_named(small: Path, tmp_path: Path) -> None:
    def more(contents: dict[str, bytes]) -> None:
        contents["report/table.tex"] = b"0.99"

    found = verify_archive(rewritten(small, tmp_path / "more.zip", more, forge=True))
    assert found.differences == ("report/table.tex does not follow from the data",)

    def list_changed(contents: dict[str, bytes]) -> None:
        contents[METADATA] = contents[METADATA].replace(b'"name": "small"', b'"name": "large"')

    found = verify_archive(rewritten(small, tmp_path / "list.zip", list_changed))
    assert [one.partition(",")[0] for one in found.differences] == ["ro-crate-metadata.json"]
    assert "large in the archive, small computed" in found.differences[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", example_names())
def test_every_file_of_every_archive_changed_in_turn(name: str, archives: Mapping[str, Path], tmp_path: Path) -> None:
    contents, _ = contents_of(archives[name])
    for file in contents:
        goal = tmp_path / "changed.zip"
        write_zip(goal, {**contents, file: contents[file] + b"\n"})
        assert verify_archive(goal).differences, file


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of what the two bring along
@pytest.mark.parametrize("name", example_names())
def test_others_read_what_is_in_an_archive(
    name: str, archives: Mapping[str, Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rocrate = pytest.importorskip("rocrate.rocrate", exc_type=ImportError)
    mlcroissant = pytest.importorskip("mlcroissant", exc_type=ImportError)
    with zipfile.ZipFile(archives[name]) as whole:
        whole.extractall(tmp_path)
        files = {entry for entry in whole.namelist() if not entry.endswith("/")}
    crate = rocrate.ROCrate(tmp_path)
    described = {entity.id for entity in crate.get_entities() if entity.type == "File"}
    assert described == files - {METADATA}
    assert crate.root_dataset["datePublished"]
    dataset = mlcroissant.Dataset(jsonld=str(tmp_path / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    assert "not standard" not in caplog.text
    [table] = dataset.metadata.record_sets
    rows = list(dataset.records(table.uuid))
    [source] = dataset.metadata.distribution
    with (tmp_path / source.content_url).open(encoding="utf-8", newline="") as opened:
        told = list(csv.DictReader(opened))
    assert len(rows) == len(told)
    assert {column.rpartition("/")[2] for column in rows[0]} == set(told[0])
    for row, cells in zip(rows, told, strict=True):
        read = {column.rpartition("/")[2]: value for column, value in row.items()}
        assert read["unit"] == cells["unit"].encode()
        assert read["rater"] == cells["rater"].encode()


def test_columns_that_name_people_are_withheld_and_texts_screened(small: Path) -> None:
    contents, _ = contents_of(small)
    header, first, *_ = contents["data/judgements.csv"].decode().splitlines()
    assert header == "unit,rater,value,native,text"
    assert first == "u0,R1,0,True,t0 by [account name]"
    account = contents["PRIVACY.md"].decode()
    assert "- e_mail: its name says that it tells who somebody is" in account
    assert "- answered_at: a time" in account
    assert "- account name: 6 times" in account
    assert b"Anneliese" not in b"".join(contents.values())


def test_the_places_that_are_open_are_as_many_when_it_is_checked(tmp_path: Path) -> None:
    made = concordant.archive(FEW, tmp_path / "few.zip", report={"measure": ["percent"]})
    assert made.n_open > 2
    assert verify_archive(made.path).notes == (f"{made.n_open} places in it must still be filled in by a person",)


def test_the_same_data_give_the_same_archive(tmp_path: Path) -> None:
    made = [concordant.archive(FEW, tmp_path / f"{n}.zip", report={"measure": ["percent"]}) for n in "ab"]
    assert made[0].digest == made[1].digest
    assert made[0].path.read_bytes() == made[1].path.read_bytes()


def test_an_archived_study_is_a_study(
    studies: Mapping[str, Path], archives: Mapping[str, Path], tmp_path: Path
) -> None:
    with zipfile.ZipFile(archives["features"]) as whole:
        whole.extractall(tmp_path)
    ours, theirs = read_log(tmp_path / "study"), read_log(studies["features"])
    assert ours.raters == ("R3", "R4")
    assert ours.value.text().tolist() == theirs.value.text().tolist()
    signature = concordant.measure(tmp_path / "study", "alpha", where={"question": ["answerhood"]}, seed=1).signature
    assert run("verify", signature, tmp_path / "study").stdout == "the same\n"
    assert "archived" not in run("log", "show", tmp_path / "study").stdout


def test_statement_and_citation_that_people_wrote_are_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("Who judged: three linguists.\n")
    (tmp_path / "mine.cff").write_text("cff-version: 1.2.0\n")
    run(
        *("archive", FEW, "-o", tmp_path / "r.zip", "--measure", "percent", "--statement", tmp_path / "mine.md"),
        *("--citation", tmp_path / "mine.cff", "--author", "Doe, Jane", "--licence", "CC-BY-4.0", "--title", "Mine"),
    )
    contents, _ = contents_of(tmp_path / "r.zip")
    assert contents["DATA-STATEMENT.md"] == b"Who judged: three linguists.\n"
    assert contents["CITATION.cff"] == b"cff-version: 1.2.0\n"
    assert not any(b"TO FILL IN" in content for name, content in contents.items() if name.endswith("json"))
    graph = {one["@id"]: one for one in json.loads(contents[METADATA])["@graph"]}
    assert graph["./"]["license"] == "CC-BY-4.0"
    assert graph["#author-1"]["name"] == "Doe, Jane"
    assert verify_archive(tmp_path / "r.zip").notes == ()


def test_spans_are_archived(tmp_path: Path) -> None:
    done = run("archive", str(EXAMPLES / "data" / "spans.csv"), "-o", tmp_path / "s.zip", "--measure", "alpha_u")
    assert "s.zip: 11 files" in done.stdout
    assert run("verify", tmp_path / "s.zip").stdout.startswith("the same")


def test_an_archive_of_another_version_is_held_to_its_signatures(small: Path, tmp_path: Path) -> None:
    def older(contents: dict[str, bytes]) -> None:
        contents[SETTINGS] = re.sub(rb'"version": "[^"]*"', b'"version": "0.0.1"', contents[SETTINGS])

    found = verify_archive(rewritten(small, tmp_path / "old.zip", older, forge=True))
    assert found.matches
    assert "written by concordant 0.0.1" in found.notes[0]

    def wrong(contents: dict[str, bytes]) -> None:
        older(contents)
        contents["report/coefficients.csv"] = contents["report/coefficients.csv"].replace(b"value:0.", b"value:1.")

    found = verify_archive(rewritten(small, tmp_path / "wrong.zip", wrong, forge=True))
    assert "report/coefficients.csv, line 2: value: 1." in found.differences[0]


def raw_zip(path: Path, entries: Mapping[str, bytes], *, link: bool = False) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, content in entries.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o120777 if link else 0o644) << 16
            whole.writestr(entry, content)
    return path


@pytest.mark.parametrize("name", ["../up.txt", "/etc/passwd", "a/../../b", "c:\\x", "dir\\file"])
def test_names_that_lead_out_are_refused(name: str, tmp_path: Path) -> None:
    done = run("verify", raw_zip(tmp_path / "bad.zip", {name: b""}), code=2)
    assert "leads out of it" in done.stderr


def test_links_and_names_that_are_there_twice_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="leads out of it"):
        contents_of(raw_zip(tmp_path / "link.zip", {"x": b"/etc/passwd"}, link=True))
    with pytest.raises(InputError, match="twice"):
        contents_of(raw_zip(tmp_path / "twice.zip", {"readme": b"", "README": b""}))


def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("concordant.publication.checking.MOST_BYTES", 1 << 20)
    with pytest.raises(InputError, match="unpacks to more than 1 MB"):
        contents_of(raw_zip(tmp_path / "bomb.zip", {"a": bytes(1 << 21)}))


def test_a_damaged_member_is_named(small: Path, tmp_path: Path) -> None:
    content = bytearray(small.read_bytes())
    with zipfile.ZipFile(small) as whole:
        entry = whole.getinfo("report/report.md")
    content[entry.header_offset + 60] ^= 0xFF
    (tmp_path / "damaged.zip").write_bytes(bytes(content))
    found = verify_archive(tmp_path / "damaged.zip")
    assert found.differences[0].startswith("report/report.md is damaged")


def test_a_study_file_cannot_name_files_of_this_computer(archives: Mapping[str, Path], tmp_path: Path) -> None:
    def outside(contents: dict[str, bytes]) -> None:
        text = contents["study/study.toml"].decode()
        contents["study/study.toml"] = re.sub(r'file = "responses.csv"', 'file = "/etc/hostname"', text).encode()

    found = verify_archive(rewritten(archives["features"], tmp_path / "outside.zip", outside, forge=True))
    assert "names '/etc/hostname', which lies outside" in found.differences[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["archive", RATINGS, "-o", "x.tar"], "an archive ends in .zip"),
        (["archive", RATINGS, "-o", "x.zip", "--keep", "colour"], "there is no column 'colour'"),
        (["archive", RATINGS, "-o", "x.zip", "--guidelines", "1"], "is not VERSION=FILE"),
        (["archive", RATINGS, "-o", "x.zip", "--guidelines", "1=x.md"], "only a study has guidelines"),
        (["verify", "nothing.zip"], "nothing.zip"),
        (["verify", RATINGS, RATINGS], "there is no signature"),
        (["verify", "paper.tex", RATINGS], "neither a signature nor a file"),
        (["verify", "kappa|x"], "on which data?"),
    ],
)
def test_mistakes_are_one_line(words: list[str], said: str, tmp_path: Path) -> None:
    done = run(*words, code=2, cwd=tmp_path)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_zip_of_something_else_is_not_an_archive(tmp_path: Path) -> None:
    done = run("verify", raw_zip(tmp_path / "other.zip", {"a.txt": b"x"}), code=2)
    assert "this is not an archive of a study" in done.stderr


def test_models_keep_their_names() -> None:
    assert pseudonyms(["R-model", "Ann"], models=["R-model"]) == {"Ann": "P1", "R-model": "R-model"}


def test_labels_that_become_alike_stay_apart() -> None:
    screen = Screen({"Ann": "R1"})
    assert screen.texts("value", ["a@x.org", "b@x.org", "c"]) == ["[e-mail address]", "[e-mail address] (2)", "c"]


def test_last_digits_and_pictures_may_differ_between_computers() -> None:
    assert first_difference(b"0.59536194481458770 of 4", b"0.59536194481458771 of 4") == ""
    drawn = b'<svg><path d="M1 %d"/><text x="%d">alpha %s</text></svg>'
    assert first_difference(drawn % (1, 1, b".47"), drawn % (2, 2, b".47")) == ""
    assert first_difference(drawn % (1, 1, b".47"), drawn % (1, 1, b".57")) == "line 1: 47 in the archive, 57 computed"
    assert first_difference(b"0.595", b"0.596") == "line 1: 0.595 in the archive, 0.596 computed"
    assert first_difference(b"a\nb", b"a") == "2 lines in the archive, 1 computed"
