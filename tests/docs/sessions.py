"""A newcomer at a terminal: an empty folder, one command after the other as a page prints them, a browser for the raters."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.cli import running
from tests.web.plain import Plain

BLOCK = re.compile(r"^```(console|sh)\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"^  (\S.*?)\s+(http\S+)$", re.MULTILINE)
HEREDOC = re.compile(r"<<'?(\w+)'?$", re.MULTILINE)
COLUMNS = {"COLUMNS": "100"}


@dataclass(frozen=True)
class Step:
    """One command of a page, and what the page says it prints (None if it does not say)."""

    command: str
    shown: str | None


def steps(page: str) -> list[Step]:
    """The commands of a page in their order: of `console` blocks with what they print, of `sh` blocks line by line."""
    found = []
    for language, block in BLOCK.findall(page):
        joined = block.replace("\\\n", "")
        if language == "sh":
            found += [Step(command, None) for command in lines(joined)]
            continue
        for part in re.split(r"^\$ ", joined, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            if told := HEREDOC.search(command):  # a shell shows `> ` before the lines of such a text
                body, end, shown = shown.partition(f"> {told[1]}\n")
                command += "\n" + re.sub(r"(?m)^> ", "", body) + end[2:]
            found.append(Step(command.rstrip("\n"), shown))
    return found


def lines(block: str) -> Iterator[str]:
    """The commands of a block for the shell, without comments; what is quoted goes on over lines, a text to its end mark."""
    rest = block
    while rest:
        command, _, rest = rest.partition("\n")
        while command.count("'") % 2 and rest:
            more, _, rest = rest.partition("\n")
            command += f"\n{more}"
        if told := HEREDOC.search(command):
            body, _, rest = rest.partition(f"\n{told[1]}\n")
            command += f"\n{body}\n{told[1]}"
        if not command.lstrip().startswith("#") and command.strip():
            yield command if "<<" in command else re.sub(r"\s+# .*$", "", command)


@dataclass
class Session:
    """A folder, the programs that run in it, and who answers when a server prints its links."""

    folder: Path
    answer: Callable[[Plain], None] | None = None
    password: str = ""
    links: dict[str, str] = field(default_factory=dict)
    base: str = ""
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """An environment with our `concordant` first on the path."""
        programs = self.folder.parent / "programs"
        if not programs.exists():
            programs.mkdir()
            script = programs / "concordant"
            script.write_text(f'#!/bin/sh\nexec {sys.executable} -m concordant "$@"\n')
            script.chmod(0o755)
        return {**os.environ, **COLUMNS, "PATH": f"{programs}:{os.environ['PATH']}", **self.variables}

    def run(self, command: str) -> tuple[int, str]:
        """The exit code and what is printed: `concordant` inside this process, the shell does the rest.

        The address of the server is that of this session's, a password that is asked for or printed as … its password.
        """
        command = command.replace("http://127.0.0.1:8000", self.base).replace('"…"', f'"{self.password}"')
        typed = f"{self.password}\n" * 2
        if (kept := re.match(r"(\w+)=\$\(", command)) and "printf" not in command:
            code, value = self.run(f'{command}; printf %s "${kept[1]}"')
            self.variables[kept[1]] = value
            return code, value
        words, _, filters = command.partition(" | ")
        if not words.startswith("concordant ") or re.search(r" > |; |<<|\$\(|^concordant researcher", command):
            done = subprocess.run(
                ["bash", "-c", command], cwd=self.folder, env=self.environment, input=typed, capture_output=True,
                text=True, check=False, start_new_session=True,  # without a terminal passwords are read from `input`
            )  # fmt: skip
            return done.returncode, done.stdout + done.stderr
        ours = running.run(*shlex.split(words)[1:], code=None, cwd=self.folder, environment=COLUMNS)
        if not filters:
            return ours.returncode, ours.stdout + ours.stderr
        done = subprocess.run(filters, shell=True, cwd=self.folder, input=ours.stdout, capture_output=True, text=True)
        return done.returncode, done.stdout + ours.stderr + done.stderr

    @contextmanager
    def serving(self, command: str) -> Iterator[None]:
        """The server of a printed command, at a free port; everybody to whom it gives a link answers everything."""
        started = subprocess.Popen(
            ["bash", "-c", f"exec {command} --port 0"], cwd=self.folder, env=self.environment,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert started.stdout is not None
        try:
            said = ""
            for line in started.stdout:
                said += line
                if "No researcher" in line or "Researchers sign in" in line:
                    break
            self.links = dict(LINK.findall(said))
            self.base = re.findall(r"http://127\.0\.0\.1:\d+", said)[0]
            for link in self.links.values():
                self.visit(link)
            yield
        finally:
            started.send_signal(signal.SIGINT)
            started.wait(timeout=120)
            started.stdout.close()

    def visit(self, link: str) -> None:
        """Somebody opens a link and goes through the study."""
        assert self.answer is not None
        with httpx.Client(base_url=self.base, timeout=120) as client:
            rater = Plain(client)
            rater.go(link)
            self.answer(rater)


def differs(shown: str, printed: str) -> bool:
    """Whether a command printed something else than its page shows; a last line `…` stands for the rest."""
    expected, found = ([line.rstrip() for line in text.strip("\n").splitlines()] for text in (shown, printed))
    if expected and expected[-1] == "…":
        found, expected = found[: len(expected) - 1], expected[:-1]
    return found != expected
