"""Half a request does not hold a connection for ever, and a whole one is not hurried."""

import socket
from pathlib import Path

import pytest

from concordant.web.security import PatientProtocol
from tests.web.samples import running, study

WHOLE = b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n"
HALF = {
    "nothing": b"",
    "half a line": b"GET /hea",
    "half the headers": b"GET /health HTTP/1.1\r\nhost: x\r\n",
    "half a body": b"POST /s/sample HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 99\r\n\r\na=",
    "half a line after a whole request": WHOLE + b"GET /hea",
}


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second instead of half a minute."""
    monkeypatch.setattr(PatientProtocol, "seconds", 0.5)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("what", HALF)
def test_half_a_request_is_hung_up_on(tmp_path: Path, what: str) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        host, _, port = run.base.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=60) as browser:
            replies = b""
            if WHOLE in HALF[what]:
                browser.sendall(WHOLE)
                replies = browser.recv(65536)
            browser.sendall(HALF[what].removeprefix(WHOLE))
            while part := browser.recv(65536):  # ends when the server hangs up; a timeout fails
                replies += part
        assert replies.count(b"200 OK") == HALF[what].count(WHOLE)
        assert run.visitor().get("/health").status_code == 200


@pytest.mark.usefixtures("hasty")
def test_a_browser_that_waits_between_requests_is_not(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        host, _, port = run.base.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=60) as browser:
            for _ in range(3):
                browser.sendall(WHOLE)
                assert b"200 OK" in browser.recv(65536)
                browser.settimeout(0.7)
                with pytest.raises(TimeoutError):  # still open: neither data nor the end comes
                    browser.recv(1)
                browser.settimeout(60)
