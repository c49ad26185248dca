"""Studies made for these tests: every way of answering, and every page around them."""

import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from concordant.collection.events import Event
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.design.description import (
    Checks,
    Description,
    Example,
    Guidelines,
    Instructions,
    Introduction,
    ParticipantQuestion,
    Presentation,
    Rater,
    Thanks,
    Training,
)
from concordant.design.plan import Plan, hashed
from concordant.tasks.question import Media, Option, Pattern, Question, Unit
from concordant.web.app import create_app
from concordant.web.security import PatientProtocol
from concordant.web.server import Limits, Server
from tests.design.samples import parses

PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" width="320" height="200">
<rect width="320" height="200" fill="#dcecf5"/><circle cx="250" cy="50" r="22" fill="#f6c945"/>
<rect y="150" width="320" height="50" fill="#8fbf7f"/><path d="M90 150V100" stroke="#6b4a2b" stroke-width="9"/>
<circle cx="90" cy="85" r="32" fill="#3f8f4f"/><script>window.hacked = 1</script></svg>"""

YES_NO = (Option(value="yes", label="Yes", key="y"), Option(value="no", label="No", key="n"))
CLASSES = tuple(Option(value=v, label=v.capitalize()) for v in ("noun", "verb", "adjective", "other"))
PAIR = (
    Option(value="A", label="A"),
    Option(value="B", label="B"),
    Option(value="same", label="Same / unsure", key="s"),
)
LIKERT = tuple(Option(value=str(n), label=str(n)) for n in range(1, 6))
NAMES = (Option(value="PER", label="Person"), Option(value="LOC", label="Place"))
PATTERNS = (
    Pattern(id="basic", text="has a meaning similar or opposite to ___", category="B", part_of_speech="adjective"),
    Pattern(id="object", text="related to the ___", category="O", part_of_speech="noun"),
    Pattern(id="active", text="that ___ something", category="E", part_of_speech="verb"),
)

QUESTIONS = {
    "binary": Question(
        id="binary", task="binary", ask="Is it true of the picture?", title="Truth", options=YES_NO, not_sure=True
    ),
    "categorical": Question(id="categorical", task="categorical", ask="What is the first word?", options=CLASSES),
    "multilabel": Question(id="multilabel", task="multilabel", ask="What occurs in it?", options=CLASSES, maximum=2),
    "ordinal": Question(
        id="ordinal",
        task="ordinal",
        ask="How natural is it?",
        options=LIKERT,
        low_label="not at all",
        high_label="fully",
    ),
    "slider": Question(id="slider", task="slider", ask="How fluent is it?", low_label="not", high_label="very"),
    "number": Question(id="number", task="number", ask="How old is it?", low=0, more={"unit_label": "years"}),
    "pairwise": Question(id="pairwise", task="pairwise", ask="Which is better?", options=PAIR),
    "ranking": Question(id="ranking", task="ranking", ask="Put them in order.", options=CLASSES[:3]),
    "text": Question(id="text", task="text", ask="Say it in other words."),
    "patterns": Question(
        id="patterns", task="patterns", ask="Define the word.", patterns=PATTERNS, maximum=2, shuffle=True
    ),
    "spans": Question(id="spans", task="spans", ask="Mark the names.", options=NAMES),
    "parses": Question(id="parses", task="parses", ask="Which parse is right?", options=YES_NO),
}
PARSES = parses("up", "down", "<b>across</b>")


PLAIN = """
name = "plain"
title = "Sentences"
open = {open}
[units]
file = "units.csv"
id = "id"
text = "text"
[presentation]
shuffle = false
[[questions]]
id = "natural"
task = "binary"
ask = "Is the sentence natural?"
"""


def plain_study(*, is_open: bool) -> str:
    """A study file with one question about the sentences in units.csv."""
    return PLAIN.format(open=str(is_open).lower())


def unit(number: int, **more: Any) -> Unit:
    """One unit with a picture, a prompt, a text and two alternatives."""
    values: dict[str, Any] = {
        "id": f"u{number}",
        "item": f"i{number}",
        "text": f"Ana planted tree number {number} in Lisbon.",
        "prompt": "What is happening?",
        "image": Media(path="picture.svg", alt="A tree on a meadow in the sun"),
        "alternatives": {"A": f"First answer {number}", "B": f"Second answer {number}"},
        "copies": (f"u{number}",),
        "parses": PARSES,
    }
    return Unit(**{**values, **more})


def study(
    folder: Path,
    *tasks: str,
    n_units: int = 3,
    name: str = "sample",
    passes: bool = True,
    pages: bool = False,
    **more: Any,
) -> Running:
    """A study that asks in these ways; with `pages`, everything around the judging too."""
    (folder / "picture.svg").write_text(PICTURE, encoding="utf-8")
    units = tuple(unit(number) for number in range(1, n_units + 1))
    values: dict[str, Any] = {
        "name": name,
        "title": "A sample study",
        "folder": folder,
        "is_open": True,
        "questions": tuple(QUESTIONS[task] for task in tasks),
        "units": units,
        "raters": (Rater(id="Ada"), Rater(id="Ben")),
        "presentation": Presentation(passes=passes),
        "guidelines": Guidelines(version="1.2", text="Look at the picture first.\n\n- then at the *words*"),
    }
    description = Description(**{**values, **(_pages() if pages else {}), **more})
    plan = hashed(Plan(study=name, fingerprint="", seed=1, sets=(tuple(u.id for u in description.units),)))
    return Running(description=description, plan=plan)


def _pages() -> dict[str, object]:
    expected = {"binary": "yes", "patterns": {"object": "tree"}}
    return {
        "introduction": Introduction(text="A study about pictures.", consent="I agree to take part."),
        "participant": (
            ParticipantQuestion(id="age", ask="How old are you?", kind="number", low=18, high=120, is_required=True),
            ParticipantQuestion(id="tongue", ask="What is your mother tongue?"),
            ParticipantQuestion(id="linguist", ask="Do you study language?", kind="choice", options=YES_NO),
        ),
        "instructions": Instructions(
            text="Answer *quickly*.",
            examples=(Example(text="A tree stands there.", answer="Yes", explanation="One sees it."),),
        ),
        "training": Training(
            units=(unit(90, id="t1", expected=expected, explanation="The tree is there."),), second_try=True
        ),
        "thanks": Thanks(text="You helped a lot.", purpose="To test the pages.", asks_comment=True, code="OAK-7"),
        "checks": Checks(gold=(unit(91, id="g1", expected=expected),)),
    }


@dataclass
class RunningServer:
    """The application answering at `base`, with the parts its requests share."""

    base: str
    server: Server
    clients: list[httpx.Client] = field(default_factory=list)

    def visitor(self) -> httpx.Client:
        """A browser without cookies."""
        self.clients.append(httpx.Client(base_url=self.base, timeout=120))
        return self.clients[-1]

    def events(self, study: str, rater: str | None = None) -> list[Event]:
        """What the log holds."""
        return [entry.event for entry in self.server.log.events(study, rater)]


@contextmanager
def running(
    folder: Path,
    *studies: Running,
    limits: Limits | None = None,
    database: str = "",
    home: Path | None = None,
    datasets: Mapping[str, Path] | None = None,
) -> Iterator[RunningServer]:
    """The application over these studies, in a thread of its own."""
    log = Log.open(database or f"sqlite:///{folder}/answers.db")
    server = Server(log, {study.description.name: study for study in studies}, home=home, datasets=datasets)
    server.limits = limits or server.limits
    with socket.create_server(("127.0.0.1", 0)) as listening:
        web = uvicorn.Server(uvicorn.Config(create_app(server), http=PatientProtocol, log_level="warning"))
        thread = threading.Thread(target=web.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not web.started:
                time.sleep(0.01)
            answering = RunningServer(f"http://127.0.0.1:{listening.getsockname()[1]}", server)
            yield answering
            for client in answering.clients:
                client.close()
        finally:
            web.should_exit = True
            thread.join()
