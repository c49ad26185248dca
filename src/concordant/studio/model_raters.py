"""A model as a rater: it is asked what raters are asked, and its answers go through the same checks into the same log.

Every reply is stored as it came, with what was sent (event `asked`), in the same transaction as the answers that were
read from it. Steps that have an outcome are not asked again, so a run that was interrupted goes on where it was; a
refusal stays one. Training pages are left out: models get the instructions' examples.
"""

import json
import os
import shlex
import subprocess
import time
import urllib.error
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any, Protocol

from concordant.collection import events as ev
from concordant.collection.database import alone, default_url
from concordant.collection.events import ANSWERED, MALFORMED, REFUSED
from concordant.collection.log import Log
from concordant.collection.opened_study import read_study, refuse_another_plan, with_invited
from concordant.collection.session import Running, State, advance, start
from concordant.design.description import Rater
from concordant.design.steps import Step, StepKind
from concordant.errors import ConcordantError, InputError, nearest
from concordant.progress import Progress, silent
from concordant.studio.prompts import (
    Prompt,
    Reading,
    code_in,
    prompt_for,
    read_reply,
    text_of,
    usage_in,
)

MODEL = "model"
LONGEST_REPLY = 200_000  # characters
BUSY = (408, 409, 425, 429, 500, 502, 503, 504)
FILTERED = ("content_filter", "content_policy_violation", "invalid_prompt")  # errors that say: not this text
MOST_WAIT = 120.0  # seconds before a busy address is asked again


class NoReplyError(ConcordantError):
    """The model could not be asked; what was answered before is stored."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came back: the text, what the model calls itself, what it used."""

    text: str
    version: str = ""
    usage: Mapping[str, float] = field(default_factory=dict)
    is_refusal: bool = False
    is_cut: bool = False


class Source(Protocol):
    """Whoever replies."""

    def __call__(self, prompt: Prompt, temperature: float | None) -> Reply:
        """The reply to a prompt."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """A program that reads the prompt as JSON and writes {"answers": {…}} or {"text": "…"}, or just a text."""

    command: str
    model: str
    timeout: float = 300.0

    def __call__(self, prompt: Prompt, temperature: float | None) -> Reply:
        """Run it once."""
        told = json.dumps({"model": self.model, "temperature": temperature, **prompt.to_dict()}, ensure_ascii=False)
        words = shlex.split(self.command)
        try:
            done = subprocess.run(
                words, input=told, capture_output=True, encoding="utf-8", errors="replace", timeout=self.timeout
            )
        except subprocess.TimeoutExpired:
            raise NoReplyError(f"{words[0]} wrote nothing in {self.timeout:g} seconds") from None
        except OSError as error:
            raise InputError(f"{words[0]} cannot be run: {error.strerror}", hint="say --command 'PROGRAM …'") from error
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1][:200]
            raise NoReplyError(f"{words[0]} ended with code {done.returncode}: {last}")
        return self._read(done.stdout)

    @staticmethod
    def _read(written: str) -> Reply:
        try:
            found = json.loads(written)
        except (ValueError, RecursionError):
            return Reply(text=written)
        if not isinstance(found, dict) or not {"answers", "text", "refusal"} & set(found):
            return Reply(text=written)
        said, usage = (
            found["answers"] if "answers" in found else found.get("text", found.get("refusal")),
            found.get("usage"),
        )
        return Reply(
            text=said if isinstance(said, str) else json.dumps(said, ensure_ascii=False),
            version=str(found.get("version", ""))[:200],
            usage=usage_in({"cost": found.get("cost")} | (usage if isinstance(usage, dict) else {})),
            is_refusal=bool(found.get("refusal")),
        )


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A key goes to the address that was named and nowhere else."""

    def redirect_request(self, *where: Any) -> None:
        """None: what redirects is an error."""


@dataclass(frozen=True, kw_only=True)
class Address:
    """An address that speaks as OpenAI's chat interface does; the key stands in an environment variable."""

    url: str
    model: str
    key_variable: str = "OPENAI_API_KEY"
    timeout: float = 120.0
    tries: int = 5
    sleep: Callable[[float], None] = time.sleep

    def __call__(self, prompt: Prompt, temperature: float | None) -> Reply:
        """Ask, and ask again where it is busy."""
        if prompt.unit.media:
            raise InputError("units have pictures or sounds, which are not sent to an address", hint="use --command")
        body: dict[str, Any] = {"model": self.model, "messages": prompt.messages}
        body |= {} if temperature is None else {"temperature": temperature}
        for attempt in range(1, self.tries + 1):
            try:
                return self._read(self._post(body))
            except urllib.error.HTTPError as error:
                told, wait = self._told(error), error.headers.get("Retry-After", "")
                what = f"{self.url} answers {error.code}: {' '.join(told.split())[:200]}"
                if (code := code_in(told)) in FILTERED:
                    return Reply(text=f"{code}: {told}", is_refusal=True)
                if error.code not in BUSY:
                    raise InputError(what, hint="see --address, --as and --key-from") from None
            except (OSError, ValueError, HTTPException) as error:
                told = str(getattr(error, "reason", error)) or type(error).__name__
                what, wait = f"{self.url}: {self._without_key(' '.join(told.split()))[:300]}", ""
            if attempt < self.tries:
                self.sleep(min(float(wait) if wait.replace(".", "", 1).isdecimal() else 2.0**attempt, MOST_WAIT))
        raise NoReplyError(f"{what} ({self.tries} times)")

    @property
    def _key(self) -> str:
        return os.environ.get(self.key_variable, "").strip()

    def _without_key(self, text: str) -> str:
        return text.replace(self._key or "\0", "…")

    def _told(self, error: urllib.error.HTTPError) -> str:
        """What an error says, as far as it comes."""
        try:
            return self._without_key(error.read(2000).decode("utf-8", "replace"))
        except (OSError, HTTPException):
            return ""

    def _post(self, body: Mapping[str, Any]) -> Any:
        headers = {
            "Content-Type": "application/json",
            **({"Authorization": f"Bearer {self._key}"} if self._key else {}),
        }
        request = urllib.request.Request(
            self.url.rstrip("/") + "/chat/completions", json.dumps(body).encode(), headers, method="POST"
        )
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=self.timeout) as reply:
            written = reply.read(10 * LONGEST_REPLY)
        try:
            return json.loads(written.decode("utf-8"))
        except (ValueError, RecursionError):
            begins = written[:100].decode("utf-8", "replace") or "nothing"
            raise ValueError(f"what it replies is no JSON: {begins}") from None

    @staticmethod
    def _read(found: Any) -> Reply:
        choices = found.get("choices") if isinstance(found, dict) else None
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
            told = found.get("error") if isinstance(found, dict) else None
            raise ValueError("the reply has no choices" + (f": {json.dumps(told)}" if told else ""))
        message, ended = choice["message"], choice.get("finish_reason")
        refusal = message.get("refusal") or ("filtered" if ended == "content_filter" else "")
        return Reply(
            text=str(refusal or text_of(message.get("content"))),
            version=str(found.get("model", ""))[:200],
            usage=usage_in(found.get("usage")),
            is_refusal=bool(refusal),
            is_cut=ended == "length",
        )


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What came of it, this run and before: pages by outcome, tokens and cost, and why replies were no answers."""

    model: str
    n_pages: int
    outcomes: Mapping[str, int]
    n_now: int
    usage: Mapping[str, float]
    faults: Mapping[str, int]
    stopped: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it."""
        return {**vars(self), "outcomes": dict(self.outcomes), "usage": dict(self.usage), "faults": dict(self.faults)}


def ask(
    study: str | Path,
    model: str,
    *,
    command: str | None = None,
    address: str | None = None,
    called: str | None = None,
    key_from: str = "OPENAI_API_KEY",
    per_minute: float = 60.0,
    prices: tuple[float, float] | None = None,
    most_cost: float | None = None,
    most_pages: int | None = None,
    again: bool = False,
    timeout: float | None = None,
    db: str | None = None,
    sleep: Callable[[float], None] = time.sleep,
    progress: Progress = silent,
) -> Asking:
    """Ask a model everything that raters of the study are asked; its answers are stored like theirs.

    `model` is a rater of the study file with kind = "model". A `command` reads the prompt as JSON and writes an answer;
    an `address` speaks as OpenAI's chat interface does (`called` is the model's name there, `key_from` the environment
    variable with the key). `prices` are those of a million tokens read and written. It stops after `most_pages` pages
    or when `most_cost` is spent, and goes on where it was; `again` asks once more where there was no answer. A program
    has 300 seconds for a page, an address 120, unless `timeout` says otherwise.
    """
    if address is not None and not address.startswith(("http://", "https://")):
        raise InputError(f"{address!r} is no address", hint="for example http://127.0.0.1:8080/v1")
    if most_cost is not None and prices is None and command is None:
        raise InputError("without prices nobody knows what is spent", hint="say --prices IN,OUT")
    if (command is None) == (address is None):
        raise InputError("who is to be asked?", hint="say --command PROGRAM, or --address URL")
    running = read_study(Path(study))
    person = _person(running, model)
    name = called or person.id
    wait: dict[str, Any] = {} if timeout is None else {"timeout": timeout}
    source: Source = (
        Command(command=command, model=name, **wait)
        if command is not None
        else Address(url=str(address), model=name, key_variable=key_from, sleep=sleep, **wait)
    )
    with Log.open(db or default_url(running.description.folder)) as log, alone(log.engine):
        refuse_another_plan(log, running)
        play = _Play(log, with_invited(log, running), person, source, name)
        pages = play.begin(again=again)
        limits = Limits(pause=60 / per_minute, prices=prices, most_cost=most_cost)
        return play.through(pages[:most_pages], limits, sleep=sleep, progress=progress)


def _person(study: Running, model: str) -> Rater:
    """The rater of that name, who must be a model."""
    raters = {one.id: one for one in study.description.raters}
    file = study.description.folder
    if model not in raters:
        close = nearest(model, list(raters)) if raters else ""
        hint = f'add [[raters]] with id = "{model}" and kind = "model" to the study file; {close}'
        raise InputError(f"{model!r} is no rater of this study", file=file, hint=hint)
    if raters[model].kind != MODEL:
        hint = 'a person\'s answers are their own; give the model a rater of its own with kind = "model"'
        raise InputError(f"{model!r} is not a model in the study file", file=file, hint=hint)
    return raters[model]


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Seconds between two questions, prices of a million tokens, and what may be spent."""

    pause: float
    prices: tuple[float, float] | None = None
    most_cost: float | None = None

    def priced(self, usage: Mapping[str, float]) -> dict[str, float]:
        """What was used, with its cost where the source does not say it."""
        if self.prices is None or "cost" in usage:
            return dict(usage)
        tokens = (usage.get("tokens_in", 0.0), usage.get("tokens_out", 0.0))
        return {**usage, "cost": sum(price * n for price, n in zip(self.prices, tokens, strict=True)) / 1e6}


class _Play:
    """One model's session, from where it stands."""

    def __init__(self, log: Log, study: Running, person: Rater, source: Source, called: str) -> None:
        """Nothing is read yet."""
        self.log, self.study, self.person, self.source, self.called = log, study, person, source, called
        self.outcomes: dict[int, str] = {}
        self.used, self.faults = Counter[str](), Counter[str]()
        self.state: State = start(study, person.id)

    def begin(self, *, again: bool) -> list[Step]:
        """Read what was done, give the model its set, and say which pages are still to be asked."""
        name, rater = self.study.description.name, self.person.id
        if not self.log.events(name, rater):
            self.log.append(name, [ev.Joined(rater=rater, link="model")])
        self.log.enrol(self.study, rater)
        known = [entry.event for entry in self.log.events(name, rater)]
        self.state = advance(self.state, *known)
        for event in known:
            if isinstance(event, ev.Asked):
                self.outcomes[event.step] = event.outcome
                self.used.update(event.usage)
        self.pages = [step for step in self.state.steps if step.kind is not StepKind.TRAINING]
        wanted = [] if not again else [n for n, outcome in self.outcomes.items() if outcome != ANSWERED]
        return [one for one in self.pages if one.number not in self.outcomes or one.number in wanted]

    def through(
        self,
        pages: list[Step],
        limits: Limits,
        *,
        sleep: Callable[[float], None],
        progress: Progress,
    ) -> Asking:
        """Ask page by page, no quicker than allowed, until all are asked, too much is spent or nobody replies."""
        stopped, begun, n_now = "", 0.0, 0
        for place, step in enumerate(pages):
            progress(place, len(pages))
            if limits.most_cost is not None and self.used["cost"] >= limits.most_cost:
                stopped = f"{self.used['cost']:.4g} is spent"
                break
            sleep(max(0.0, begun + limits.pause - time.monotonic()) if n_now else 0.0)
            begun = time.monotonic()
            try:
                self._ask(step, limits)
            except NoReplyError as error:
                stopped = str(error)
                break
            n_now += 1
        progress(len(pages), len(pages))
        counts = Counter(self.outcomes.values())
        return Asking(
            model=self.person.id, n_pages=len(self.pages), n_now=n_now, usage=dict(self.used), faults=dict(self.faults),
            outcomes={name: counts[name] for name in (ANSWERED, REFUSED, MALFORMED)}, stopped=stopped,
        )  # fmt: skip

    def _ask(self, step: Step, limits: Limits) -> None:
        """One page: ask, read, store."""
        prompt, rater = prompt_for(self.study, step), self.person.id
        before = time.monotonic()
        reply = self.source(prompt, self.person.temperature)
        seconds = round(time.monotonic() - before, 3)
        reading = read_reply(prompt, "" if reply.is_refusal else reply.text)
        if reply.is_cut:
            reading = Reading(outcome=MALFORMED, answers={}, why="cut off: the model was not allowed to write more")
        usage = limits.priced(reply.usage)
        asked = ev.Asked(
            rater=rater, step=step.number, model=self.called[:500], outcome=reading.outcome,
            sent=json.dumps(prompt.messages, ensure_ascii=False), reply=reply.text[:LONGEST_REPLY],
            prompt=self.person.prompt or "", version=_printable(reply.version), temperature=self.person.temperature,
            seconds=seconds, usage=usage,
        )  # fmt: skip
        done: list[ev.Event] = [asked]
        for question, value in reading.answers.items():
            id = str(uuid.uuid5(uuid.UUID(asked.id), f"answered {question}"))
            more: dict[str, Any] = {"value": value, "seconds": seconds}
            done.append(ev.Answered(id=id, rater=rater, step=step.number, unit=step.unit, question=question, **more))
        if reading.answers:
            done.append(ev.Continued(rater=rater, page="judging", step=step.number))
        after = advance(self.state, *done)
        if after.is_finished and not after.is_completed:
            done.append(ev.Completed(rater=rater))
        self.log.append(self.study.description.name, done)
        self.state = advance(self.state, *done)
        self.outcomes[step.number] = reading.outcome
        self.used.update(usage)
        self.faults.update([reading.why or reading.outcome] if reading.outcome != ANSWERED else [])


def _printable(text: str) -> str:
    return "".join(char for char in text if char.isprintable())[:200]
