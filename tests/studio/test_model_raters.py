"""Models as raters: the prompt, replies of every kind, the log, going on, busy addresses, costs."""

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import concordant as cc
from concordant.collection.opened_study import read_study
from concordant.design.steps import Step
from concordant.errors import InputError
from concordant.readers.data import as_study
from concordant.studio.model_raters import NoReplyError
from concordant.studio.prompts import Prompt, Reading, first_prompt, prompt_for, read_reply
from tests.cli.running import run

STUDY = """
name = "reviews"
title = "How good was the meal?"
{more}
[units]
file = "units.csv"
text = "text"
[presentation]
passes = false
[instructions]
text = "Read the review."
[[instructions.examples]]
text = "Cold soup."
answer = "1"
explanation = "A complaint."
[guidelines]
version = "2.1"
text = "Judge the food only."
{questions}
[[raters]]
id = "Ada"
[[raters]]
id = "gpt"
kind = "model"
prompt = "v3"
temperature = 0
[thanks]
text = "Thanks"
"""
STARS = """
[[questions]]
id = "stars"
task = "ordinal"
ask = "How many stars?"
options = ["1", "2", "3"]
"""
MANY = (
    STARS
    + """
[[questions]]
id = "topics"
task = "multilabel"
ask = "About what?"
options = [{ value = "food", label = "The food" }, { value = "room", label = "The room" }]
[[questions]]
id = "worth"
task = "slider"
ask = "Worth the price?"
[[questions]]
id = "why"
task = "text"
ask = "Why?"
"""
)


def study(folder: Path, questions: str = STARS, *, n: int = 4, more: str = "") -> Path:
    folder.mkdir()
    (folder / "study.toml").write_text(STUDY.format(questions=questions, more=more), encoding="utf-8")
    rows = [f"u{i},The soup was number {i}." for i in range(n)]
    (folder / "units.csv").write_text("\n".join(["id,text", *rows]) + "\n", encoding="utf-8")
    return folder


def program(folder: Path, body: str) -> str:
    """A command that answers: `told` is what it was sent."""
    file = folder / "answer.py"
    file.write_text(f"import json, sys\ntold = json.load(sys.stdin)\n{body}\n", encoding="utf-8")
    return f"{sys.executable} {file}"


class Chat(BaseHTTPRequestHandler):
    """Speaks as a chat interface does; `replies` are given one after the other, the last again and again."""

    replies: list[Any]
    seen: list[dict[str, Any]]

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append({"path": self.path, "key": self.headers.get("Authorization"), **sent})
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        status, more, body = reply if isinstance(reply, tuple) else (200, {}, reply)
        if isinstance(body, str):
            message = {"message": {"role": "assistant", "content": body}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 100, "completion_tokens": 10}
            body = {"model": "gpt-2026-01-01", "choices": [message], "usage": usage}
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        if status == 0:  # not even HTTP
            self.wfile.write(text)
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in more.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: object) -> None:
        """Nothing."""


@contextmanager
def chat(*replies: Any) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    class Own(Chat):
        pass

    Own.replies, Own.seen = list(replies), []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Own)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", Own.seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def asked(folder: Path, **how: Any) -> Any:
    return cc.ask(folder, "gpt", sleep=lambda seconds: None, **how)


def events(folder: Path, kind: str) -> list[dict[str, Any]]:
    return [one for one in cc.log(folder, rater="gpt") if one["kind"] == kind]


def test_a_model_reads_what_raters_read(tmp_path: Path) -> None:
    prompt = first_prompt(study(tmp_path / "s", MANY))
    for words in (
        "How good was the meal?",
        "Read the review.",
        "Cold soup.",
        "A complaint.",
        "version 2.1",
        "food only",
    ):
        assert words in prompt.system
    assert "The soup was number" in prompt.user
    assert "- food: The food" in prompt.user
    assert 'Question "worth": Worth the price?' in prompt.user
    told = prompt.to_dict()
    assert [one["id"] for one in told["questions"]] == ["stars", "topics", "worth", "why"]
    assert told["questions"][0]["options"][0] == {"value": "1", "label": "1"}
    shown = run("ask", tmp_path / "s", "--model", "gpt", "--show")
    assert prompt.user in shown.stdout
    assert not (tmp_path / "s" / "study.db").exists()


def test_answers_of_a_program_go_into_the_log_with_what_was_sent(tmp_path: Path) -> None:
    folder = study(tmp_path / "s", MANY)
    answers = '{"stars": 2, "topics": ["The food", "room"], "worth": "61.5", "why": "because"}'
    used = "{'prompt_tokens': 10}"
    command = program(
        tmp_path, f"print(json.dumps({{'answers': {answers}, 'version': 'x-1', 'cost': 0.5, 'usage': {used}}}))"
    )
    found = asked(folder, command=command)
    assert (found.n_pages, found.n_now, found.outcomes["answered"]) == (4, 4, 4)
    assert found.usage == {"cost": 2.0, "tokens_in": 40}
    first = events(folder, "asked")[0]
    assert (first["prompt"], first["version"], first["temperature"], first["outcome"]) == ("v3", "x-1", 0, "answered")
    assert "The soup was number" in json.loads(first["sent"])[1]["content"]
    assert json.loads(first["reply"])["stars"] == 2
    values = {one["question"]: one["value"] for one in events(folder, "answered")}
    assert values == {"stars": "2", "topics": ["food", "room"], "worth": 61.5, "why": "because"}
    assert len(events(folder, "completed")) == 1
    judged = cc.read(folder, kind="all")
    assert judged.models == ("gpt",)
    assert cc.rebuild(folder) == len(cc.log(folder))
    again = asked(folder, command=command)
    assert (again.n_now, again.outcomes["answered"]) == (0, 4)


def test_what_is_no_answer_is_kept_and_becomes_no_category(tmp_path: Path) -> None:
    folder = study(tmp_path / "s", n=6)
    with chat("2", '{"stars": "3"}', "I'm sorry, I cannot rate this.", "4/5", '{"stars": "N/A"}', "") as (url, seen):
        found = asked(folder, address=url, prices=(2.0, 10.0))
        assert dict(found.outcomes) == {"answered": 2, "refused": 3, "malformed": 1}
        assert found.usage == {"tokens_in": 600, "tokens_out": 60, "cost": pytest.approx(0.0018)}
        assert seen[0]["path"] == "/v1/chat/completions"
        assert (seen[0]["model"], seen[0]["temperature"]) == ("gpt", 0)
        assert [one["reply"] for one in events(folder, "asked")][3] == "4/5"
        assert len(events(folder, "answered")) == 2
        assert asked(folder, address=url).n_now == 0
    with chat('```json\n{"stars": 1}\n```') as (url, seen):
        assert asked(folder, address=url, again=True).outcomes["answered"] == 6
        assert len(seen) == 4
    assert len(events(folder, "asked")) == 10
    assert sorted(one["value"] for one in events(folder, "answered")) == ["1"] * 4 + ["2", "3"]


def test_what_a_model_did_not_answer_is_counted_where_it_is_judged(tmp_path: Path) -> None:
    folder = study(tmp_path / "s", MANY, n=40)
    body = """import re
number = int(re.search(r"number (\\d+)", told["user"]).group(1))
if number < 6:
    print(json.dumps({"text": "I cannot say." if number % 2 else "Tasty!"}))
else:
    print(json.dumps({"answers": {"stars": number % 3 + 1, "topics": ["food"], "worth": number, "why": "so"}}))"""
    found = asked(folder, command=program(tmp_path, body))
    assert dict(found.outcomes) == {"answered": 34, "refused": 3, "malformed": 3}
    read = as_study(str(folder), kind="all").where("question", ["stars"])
    assert (read.n_rows, int((read.value.codes < 0).sum())) == (40, 6)
    asked(folder, command=program(tmp_path, body.replace("number < 6", "number < 2")), again=True)
    again = as_study(str(folder), kind="all").where("question", ["stars"])
    assert (again.n_rows, int((again.value.codes < 0).sum())) == (40, 2)


def test_a_busy_address_is_asked_again_and_what_was_answered_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "secret-1")
    folder, waits = study(tmp_path / "s"), list[float]()
    busy = (429, {"Retry-After": "7"}, {"error": "slow down"})
    with chat("1", busy, (503, {}, {}), "2", (500, {}, {"error": "key secret-1"})) as (url, seen):
        found = cc.ask(folder, "gpt", address=url, key_from="MY_KEY", called="big", sleep=waits.append)
        assert found.n_now == 2
        assert "answers 500" in found.stopped
        assert "secret-1" not in found.stopped
        assert 7 in waits
        assert {one["key"] for one in seen} == {"Bearer secret-1"}
        assert seen[0]["model"] == "big"
    assert "secret-1" not in json.dumps(cc.log(folder))
    with chat("3") as (url, _):
        done = run("ask", folder, "--model", "gpt", "--address", url, "--per-minute", "6000", code=0)
    assert "gpt: 4 answered of 4 pages; 2 now." in done.stdout
    with chat((401, {}, {"error": "no key"})) as (url, _), pytest.raises(InputError, match="answers 401"):
        asked(study(tmp_path / "t"), address=url)
    with chat((302, {"Location": "http://127.0.0.1:9/"}, {})) as (url, seen):
        with pytest.raises(InputError, match="answers 302"):
            asked(study(tmp_path / "v"), address=url)
        assert len(seen) == 1


def chosen(content: Any, **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": content}, **more}]}


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ((0, {}, b"\x01 what is this?\r\n\r\n"), "what is this"),
        ((0, {}, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"), "IncompleteRead"),
        ((0, {}, b""), "without response"),
        ((200, {}, b"<html>Log in</html>"), "what it replies is no JSON: <html>Log in"),
        ((200, {}, b'{"choices": [{"mess'), "what it replies is no JSON"),
        ((200, {}, b"[" * 100_000), "what it replies is no JSON"),
        ((200, {}, {"choices": {"a": 1}}), "no choices"),
        ((200, {}, {"error": {"message": "no credit"}}), "no credit"),
        ((429, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, b"slow"), "answers 429: slow"),
    ],
)
def test_whatever_an_address_sends_is_one_line(tmp_path: Path, reply: Any, why: str) -> None:
    folder = study(tmp_path / "s")
    with chat("1", reply) as (url, _):
        found = asked(folder, address=url)
    assert (found.n_now, found.outcomes["answered"]) == (1, 1)
    assert why in found.stopped
    assert "\n" not in found.stopped


def test_what_a_filter_stops_is_a_refusal_and_what_is_cut_or_only_thought_no_answer(tmp_path: Path) -> None:
    folder = study(tmp_path / "s", n=6)
    replies: list[Any] = [
        (400, {}, {"error": {"code": "content_filter", "message": "not this text"}}),
        chosen("2", finish_reason="length"),
        chosen('<think>perhaps 1 {"stars": "1"}'),
        chosen('<think>perhaps {"stars": "1"}</think>\n{"stars": "2"}'),
        chosen([{"type": "text", "text": "3"}]),
        {**chosen("3"), "usage": {"prompt_tokens": float("inf"), "completion_tokens": 10**400}},
    ]
    with chat(*replies) as (url, _):
        found = asked(folder, address=url)
    assert dict(found.outcomes) == {"answered": 3, "refused": 1, "malformed": 2}
    assert set(found.faults) == {
        "refused",
        "cut off: the model was not allowed to write more",
        "thoughts without an end",
    }
    assert sorted(one["value"] for one in events(folder, "answered")) == ["2", "3", "3"]
    assert "not this text" in events(folder, "asked")[0]["reply"]
    assert "perhaps" in events(folder, "asked")[3]["reply"]
    assert found.usage == {}


def test_it_waits_as_long_as_it_is_told(tmp_path: Path) -> None:
    folder = study(tmp_path / "s")
    slow = program(tmp_path, "import time; time.sleep(60)")
    assert "wrote nothing in 0.5 seconds" in asked(folder, command=slow, timeout=0.5).stopped


def test_it_asks_no_quicker_than_allowed_and_spends_no_more(tmp_path: Path) -> None:
    folder, waits = study(tmp_path / "s"), list[float]()
    command = program(tmp_path, "print(json.dumps({'text': '1', 'cost': 1.0}))")
    found = cc.ask(folder, "gpt", command=command, most_cost=2.0, per_minute=0.5, sleep=waits.append)
    assert (found.n_now, found.stopped) == (2, "2 is spent")
    assert waits[0] == 0
    assert 60 < waits[1] <= 120
    first = asked(study(tmp_path / "t"), command=command, most_pages=1)
    assert (first.n_now, first.stopped) == (1, "")
    done = run("ask", folder, "--model", "gpt", "--command", command, "--most-cost", "2", code=2)
    assert "2 pages to go: run it again" in done.stdout
    assert "stopped: 2 is spent; everything so far is stored" in done.stderr
    with pytest.raises(InputError, match="without prices nobody knows what is spent"):
        asked(folder, address="http://127.0.0.1:9/v1", most_cost=1)


def test_who_is_asked_is_said_clearly(tmp_path: Path) -> None:
    folder = study(tmp_path / "s")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"model": "Ada", "command": "true"}, "'Ada' is not a model in the study file"),
        ({"model": "gpt-4", "command": "true"}, "'gpt-4' is no rater of this study; add .*kind = \"model\""),
        ({"model": "gpt"}, "say --command PROGRAM, or --address URL"),
        ({"model": "gpt", "command": "no-such-program"}, "no-such-program cannot be run"),
        ({"model": "gpt", "address": "file:///etc/passwd"}, "is no address"),
    ]
    for how, why in wrong:
        with pytest.raises(InputError, match=why):
            cc.ask(folder, **how)
    failing = program(tmp_path, "sys.exit('no credit')")
    assert "ended with code 1: no credit" in asked(folder, command=failing).stopped
    assert issubclass(NoReplyError, Exception)
    assert events(folder, "asked") == []


def prompt(folder: Path, questions: str, **more: Any) -> Prompt:
    running = read_study(study(folder, questions))
    ids = tuple(one.id for one in running.description.questions)
    return prompt_for(running, Step(number=0, unit="u0", questions=ids, **more))


def test_replies(tmp_path: Path) -> None:
    one = prompt(tmp_path / "one", STARS)
    said = {
        "2": "2", " 2. ": "2", '"2"': "2", '{"stars": 2.0}': "2", 'Sure. {"stars": "1"} Bye.': "1",
        "5": None, "two": None, "1 or 2": None, '{"stars": ["1", "2"]}': None, '{"star": "1"}': None,
        '{"stars": "1"} {"stars": "2"}': None, '{"stars": true}': None, "As an AI I have no taste.": None,
    }  # fmt: skip
    for reply, value in said.items():
        assert read_reply(one, reply).answers.get("stars") == value, reply
    assert read_reply(one, "As an AI I have no taste.").outcome == "refused"
    assert read_reply(one, '{"stars": null}') == Reading(outcome="refused", answers={})
    assert read_reply(one, '{"stars": "7"}').why == "stars: '7' is not one of the options"
    many = prompt(tmp_path / "many", MANY)
    whole = {"stars": "1", "topics": "food", "worth": 5, "why": "I cannot say more"}
    assert read_reply(many, json.dumps(whole)).answers == {**whole, "topics": ["food"]}
    assert read_reply(many, "1").why == "no JSON object"
    for name, wrong in {"topics": ["smell"], "worth": "much", "why": 3}.items():
        assert read_reply(many, json.dumps({**whole, name: wrong})).outcome == "malformed"
    text = prompt(tmp_path / "text", MANY[MANY.index('[[questions]]\nid = "why"') :])
    assert read_reply(text, "I'm sorry, no.").outcome == "refused"
    assert read_reply(text, "Because.").answers == {"why": "Because."}


def test_of_two_texts_a_model_sees_the_first_and_the_second(tmp_path: Path) -> None:
    folder = tmp_path / "pair"
    folder.mkdir()
    question = '[[questions]]\nid = "better"\ntask = "pairwise"\nask = "Which is better?"\n'
    file = STUDY.format(questions=question, more="").replace('text = "text"\n[pres', 'alternatives = ["A", "B"]\n[pres')
    (folder / "study.toml").write_text(file, encoding="utf-8")
    (folder / "units.csv").write_text("id,A,B\nu0,short,longer\nu1,x,yy\n", encoding="utf-8")
    running = read_study(folder)
    turned = prompt_for(running, Step(number=0, unit="u0", questions=("better",), slots=("B", "A")))
    assert turned.user.index("Text 1:\nlonger") < turned.user.index("Text 2:\nshort")
    assert read_reply(turned, "1").answers == {"better": "B"}
    assert read_reply(turned, '{"better": 2}').answers == {"better": "A"}
    assert read_reply(turned, "Same / unsure").answers == {"better": "same"}
    assert read_reply(turned, "A").outcome == "malformed"  # which of the two does it mean?
    assert turned.to_dict()["unit"]["texts"] == ["longer", "short"]
    with chat("1") as (url, _):
        asked(folder, address=url)
    judged = cc.read(folder, kind="all")
    slots = judged.column("first_slot").as_labels()
    assert [slots.labels[c] for c in slots.codes] == [judged.value.labels[c] for c in judged.value.codes]


def test_an_export_tells_who_is_a_model_and_what_it_wrote(tmp_path: Path) -> None:
    folder = study(tmp_path / "s")
    with chat("2", "no idea") as (url, _):
        asked(folder, address=url, most_pages=2)
    cc.export(folder, tmp_path / "out.csv")
    judgements = (tmp_path / "out.csv").read_text("utf-8").splitlines()
    assert "rater_kind" in judgements[0]
    assert ",model" in judgements[1]
    replies = (tmp_path / "out.asked.csv").read_text("utf-8")
    assert "malformed" in replies
    assert "no idea" in replies
    assert cc.read(tmp_path / "out.csv", kind="all").models == ("gpt",)
