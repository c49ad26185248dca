"""German pages speak German: no sentence of the interface is left in English."""

import re
from collections.abc import Iterator
from html import unescape

import httpx
import pytest

from tests.web.members import PASSWORD, RESEARCHER, bearer, with_members
from tests.web.samples import RunningServer

ENGLISH = re.compile(
    r"\b(the|and|of|with|is|are|raters?|units|agreement|interval|value|reading|undefined|decided|votes|show|question"
    r"|guidelines|report|download|weights?|ranks?|since|until|key|next|previous)\b",
    re.IGNORECASE,
)
PAGES = (
    "/researcher",
    "/researcher/files",
    "/studies/sample/disagreements",
    "/studies/sample/disagreements/unit?unit=u1&question=binary",
    "/studies/sample/results?pairs=yes",
    "/studies/sample/build",
    "/studies/sample/report",
    "/studies/sample/report/gold?groups=rater_group=expert=participant",
    "/studies/sample/disagreements/decide",
    "/studies/preferences/report/weights",
    "/studies/preferences/chain",
    "/researcher/account",
)
OWN = r'<h3><a .*?</a></h3>|<h1 class="question.*?</h1>|<div class="prose">.*?</div>|<code.*?</code>|<kbd.*?</kbd>|<script.*?</script>|<option.*?</option>|<p class="(?:unit|unit-text|note|prompt)[^"]*">.*?</p>|<(\w+)\b[^>]* lang="(?:en)?".*?</\1>'
"""What is not the interface's: commands, keys, names in the study, what is judged, notes of the engine."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with with_members(tmp_path_factory.mktemp("german")) as server:
        yield server


@pytest.fixture(scope="module")
def client(run: RunningServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=run.base, timeout=120) as visitor:
        visitor.headers.update(bearer(visitor.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD})))
        yield visitor


def words_of(html: str) -> list[str]:
    """The words of the interface on a page that are English and no German word."""
    main = re.sub(OWN, " ", html.partition("<main")[2].partition("</main>")[0], flags=re.DOTALL)
    said = unescape(re.sub(r"<[^>]+>", " ", main)).replace(RESEARCHER, "")
    return [said[max(0, found.start() - 30) : found.end() + 30] for found in ENGLISH.finditer(said)]


@pytest.mark.parametrize("page", PAGES)
def test_no_english_is_left(client: httpx.Client, page: str) -> None:
    joined = f"{page}{'&' if '?' in page else '?'}lang=de"
    reply = client.get(joined)
    assert reply.status_code == 200
    assert '<html lang="de"' in reply.text
    assert words_of(reply.text) == []
    assert words_of(client.get(joined.replace("lang=de", "lang=en")).text), "the English page has such words"


def test_a_file_is_read_in_german(client: httpx.Client) -> None:
    rows = [f"s{n},{wer},{1 + (n + (wer == 'B' and n % 3 == 0)) % 4}" for n in range(12) for wer in "AB"]
    table = "\n".join(["satz,wer,note", *rows]) + "\n"
    key = client.post("/api/files", params={"name": "noten.csv"}, content=table).json()["key"]
    reply = client.get(f"/researcher/files/{key}?lang=de&unit=satz&rater=wer&value=note")
    assert reply.status_code == 200
    assert "Spalte, die sagt, wer geurteilt hat" in reply.text
    assert words_of(reply.text) == []
