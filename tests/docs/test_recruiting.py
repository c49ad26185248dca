"""The study files of the page on platforms are whole: they pass the check, and a participant comes in, works and is sent back."""

import re
from pathlib import Path

import httpx
import pytest

from concordant.collection.opened_study import read_study
from tests.web.plain import Plain
from tests.web.samples import running

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "recruit-on-a-platform.md").read_text("utf-8")
FILES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
UNITS = "id,text\nu1,One text\nu2,Another text\nu3,A third\nu4,A fourth\n"
ANSWERS = {"rhymes": "yes", "headlines": "3", "stress": "second"}
SENT_BACK = {
    "rhymes": "https://app.prolific.com/submissions/complete?cc=C1DONE",
    "headlines": "",
    "stress": "https://YOUR-SCHOOL.sona-systems.com/webstudy_credit.aspx?experiment_id=1&amp;credit_token=1&amp;survey_code=4711",
}


def name_of(study: str) -> str:
    """The study's name."""
    found = re.search(r'^name = "(.+)"', study)
    assert found
    return found[1]


@pytest.mark.parametrize("study", FILES, ids=name_of)
def test_a_participant_comes_in_works_and_is_sent_back(tmp_path: Path, study: str) -> None:
    name = name_of(study)
    (tmp_path / "study.toml").write_text(study, encoding="utf-8")
    (tmp_path / "units.csv").write_text(UNITS, encoding="utf-8")
    (tmp_path / "gold.csv").write_text("id,text,rhyme\ng1,cat hat,yes\n", encoding="utf-8")
    made = read_study(tmp_path)
    parameter = made.description.recruitment.participant
    with running(tmp_path, made) as run:
        page = entered(run.visitor(), f"/s/{name}?{parameter}=4711")
        for action, fields in (
            ("consent", {"consent": "yes"}),
            ("describe", {"p:english": "yes"}),
            ("continue", {}),
            ("check", {"c:aloud": "how the words sound"}),
        ):
            if any(value == action for _, value in page.page.forms["task"].buttons):
                page.press(action, dict(fields))
        while page.kind == "judging":
            page.press(ANSWERS[name])
        assert page.kind == "thanks"
        assert SENT_BACK[name] in page.html
        assert ('class="code"' in page.html) == (name != "stress")
        assert "{p" not in page.page.classes.get("code", "")
        again = Plain(run.visitor())
        assert again.client.get(f"/s/{name}").status_code == 403


def entered(client: httpx.Client, address: str) -> Plain:
    """Somebody who opened the link and pressed Start."""
    page = Plain(client)
    page.go(address)
    client.post(address, data=dict(page.page.forms[""].fields))
    page.go(address.partition("?")[0] + "/judge")
    return page


def test_every_platform_has_its_file() -> None:
    assert sorted(map(name_of, FILES)) == sorted(ANSWERS)
