"""The studio on one's own computer, as a newcomer starts it: the first account, and who cannot make it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from concordant.errors import InputError
from concordant.web.own_computer import open_studio
from tests.web.conftest import free_port

TOKEN = re.compile(r'name="form_token" value="([^"]+)"')


@contextmanager
def new_studio(folder: Path) -> Iterator[str]:
    """The address that a new studio opens."""
    with new_process(folder) as (found, _):
        yield found


@contextmanager
def new_process(folder: Path) -> Iterator[tuple[str, int]]:
    """The address that a new studio opens, and the id of its process."""
    command = [sys.executable, "-m", "concordant", "studio", str(folder), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as studio:
        assert studio.stdout is not None
        found = next(re.findall(r"http://\S+", line) for line in studio.stdout if "http://" in line)
        yield found[0], studio.pid
        studio.terminate()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address that a new studio opens."""
    with new_studio(tmp_path / "new") as found:
        yield found


def test_the_first_account_is_made_once_with_the_key(address: str) -> None:
    base = address.partition("/begin/")[0]
    with httpx.Client(timeout=120) as browser:
        wrong = browser.get(f"{base}/begin/guessed")
        assert wrong.status_code == 404
        page = browser.get(address)
        token = TOKEN.findall(page.text)[0]
        told = {"name": "ada", "password": "a long enough password", "form_token": token}
        assert browser.post(address, data=told | {"form_token": "made up"}).status_code == 403
        assert browser.post(address, data=told, headers={"origin": "http://elsewhere.example"}).status_code == 403
        short = browser.post(address, data=told | {"password": "short"})
        assert (short.status_code, "characters" in short.text) == (422, True)
        assert browser.post(address, data=told | {"name": " "}).status_code == 422
        made = browser.post(address, data=told)
        assert (made.status_code, made.headers["location"]) == (303, "/researcher")
        assert "I have judgements" in browser.get(f"{base}/researcher").text
        assert browser.get(address).status_code == 404


def test_a_name_that_was_bent_to_this_computer_is_refused(address: str) -> None:
    assert httpx.get(address, headers={"host": "evil.example"}, timeout=120).status_code == 400
    assert httpx.get(address.replace("127.0.0.1", "localhost"), timeout=120).status_code == 200


def test_what_cannot_be_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be made a folder"):
        open_studio(tmp_path / "file")
    (tmp_path / "study.toml").write_text("")
    with pytest.raises(InputError, match="this is one study"):
        open_studio(tmp_path, port=free_port())
