"""Researchers sign in with a password; the session is in the database, so a restart signs nobody out."""

from pathlib import Path

import pytest

from concordant.errors import InputError
from concordant.studio.people import hashed, is_right
from tests.web.plain import Plain
from tests.web.samples import RunningServer, running, study

PASSWORD = "correct horse battery"


def signed_in(run: RunningServer, password: str = PASSWORD) -> Plain:
    """A researcher who tried to sign in."""
    visitor = Plain(run.visitor())
    visitor.go("/researcher")
    form = {**dict(visitor.page.forms[""].fields), "name": "maria", "password": password}
    visitor._read(visitor.client.post("/researcher/sign-in", data=form, follow_redirects=True))
    return visitor


def test_signing_in_shows_the_studies_and_their_links(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        run.server.accounts.add_researcher("maria", hashed(PASSWORD))
        maria = signed_in(run)
        assert maria.status == 200
        assert "A sample study" in maria.html
        maria.go("/studies/sample/raters")
        assert f"{run.base}/s/sample/as/" in maria.html
        assert "Ada" in maria.html


def test_a_wrong_password_or_name_says_the_same(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        before = signed_in(run)
        run.server.accounts.add_researcher("maria", hashed(PASSWORD))
        after = signed_in(run, "wrong password")
        assert (before.status, after.status) == (403, 403)
        assert "wrong" in before.html
        assert "wrong" in after.html


def test_a_restart_signs_nobody_out_and_signing_out_does(tmp_path: Path) -> None:
    sample = study(tmp_path, "binary")
    with running(tmp_path, sample) as run:
        run.server.accounts.add_researcher("maria", hashed(PASSWORD))
        cookies = dict(signed_in(run).client.cookies)
    with running(tmp_path, sample) as run:
        maria = Plain(run.visitor())
        maria.client.cookies.update(cookies)
        maria.go("/researcher")
        assert "A sample study" in maria.html
        form = dict(maria.page.forms[""].fields)
        maria.client.post("/researcher/sign-out", data=form)
        maria.client.cookies.update(cookies)
        assert maria.client.get("/researcher").headers["location"] == "/researcher/sign-in"


def test_passwords_are_kept_as_argon2id_hashes() -> None:
    stored = hashed(PASSWORD)
    assert stored.startswith("$argon2id$")
    assert is_right(stored, PASSWORD)
    assert not is_right(stored, "something else")
    assert not is_right(None, "the password of nobody")
    with pytest.raises(InputError, match="use 10 or more"):
        hashed("short")
