"""Files that are kept: their versions, who sees them, and that they go when they are deleted."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from concordant.collection.log import Log
from concordant.errors import InputError
from concordant.studio import kept_files
from concordant.studio.projects import NotFoundError, Studio
from concordant.studio.uploads import Uploads

FIRST = "unit,rater,value\na,P,1\na,Q,1\nb,P,2\nb,Q,1\n"
PEOPLE = "rater,training\nP,yes\nQ,no\n"


@pytest.fixture(scope="module")
def uploads() -> Iterator[Uploads]:
    made = Uploads()
    yield made
    made.close()


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    with Log.open(f"sqlite:///{tmp_path}/studio.db") as log:
        made = Studio(log, {}, home=tmp_path / "home")
        yield made
        made.reports.close()
        made.live.close()


def test_files_are_kept_with_their_versions_until_they_are_deleted(uploads: Uploads, studio: Studio) -> None:
    upload = uploads.begin("maria")
    upload.add("a/tone.csv", io.BytesIO(FIRST.encode()))
    uploads.join(upload, "people.csv", io.BytesIO(PEOPLE.encode()), "rater", {})
    found = uploads.understand(upload, {"level": "ordinal"})
    kept = kept_files.keep(studio, found, "Tone <b>of</b> news")
    assert (kept.title, kept.latest.n_judgements, kept.latest.n_raters) == ("Tone <b>of</b> news", 4, 2)
    uploads.forget("maria", upload.key)
    same, again = kept_files.upload_of(studio, uploads, "maria", kept.key)
    assert same == kept
    read = uploads.understand(again, dict(kept.latest.chosen))
    assert read.seen.account is not None
    assert read.seen.account.attributes == ("training",)
    assert read.seen.fingerprint == kept.latest.fingerprint == found.seen.fingerprint
    assert kept_files.upload_of(studio, uploads, "maria", kept.key)[1] is again

    later = uploads.begin("maria")
    later.add("tone.csv", io.BytesIO((FIRST + "c,P,1\nc,Q,1\n").encode()))
    both = kept_files.keep(studio, uploads.understand(later, {}), "", into=kept.name)
    assert [one.n_judgements for one in both.versions] == [4, 6]
    old = kept_files.upload_of(studio, uploads, "maria", f"{kept.key}.{kept.latest.fingerprint}")[1]
    assert old.files[0].read_text() == FIRST
    assert [one.title for one in kept_files.kept_by(studio, "maria")] == ["Tone <b>of</b> news"]
    assert kept_files.keep(studio, uploads.understand(later, {}), "", into=kept.name).versions[:1] == both.versions[:1]

    assert kept_files.kept_by(studio, "eve") == []
    for key in (kept.key, "kept.no", f"{kept.key}.00000000", "kept.../x"):
        with pytest.raises(NotFoundError):
            kept_files.upload_of(studio, uploads, "eve" if key == kept.key else "maria", key)
    with pytest.raises(NotFoundError):
        kept_files.forget(studio, "eve", kept.name)
    kept_files.forget(studio, "maria", kept.name)
    assert kept_files.kept_by(studio, "maria") == []
    assert list((studio.home or Path()).glob("_files/*")) == []


def test_what_is_not_read_or_has_no_place_is_not_kept(uploads: Uploads, studio: Studio, tmp_path: Path) -> None:
    upload = uploads.begin("maria")
    upload.add("x.csv", io.BytesIO(b"a\n1\n"))
    with pytest.raises(InputError, match="nothing was kept"):
        kept_files.keep(studio, uploads.understand(upload, {}), "")
    good = uploads.begin("maria")
    good.add("tone.csv", io.BytesIO(FIRST.encode()))
    found = uploads.understand(good, {})
    names = [kept_files.keep(studio, found, "Ton").name for _ in range(2)]
    assert names == ["ton", "ton-2"]
    assert kept_files.keep(studio, found, "?!").name == "files"
    studio.home = None
    with pytest.raises(InputError, match="no folder to keep files in"):
        kept_files.keep(studio, found, "")
    assert kept_files.kept_by(studio, "maria") == []
