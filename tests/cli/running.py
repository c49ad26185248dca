"""Running commands as a newcomer would: whole, from the words typed to the exit code.

`run` does so inside this process, since hundreds of tests would otherwise wait for an interpreter to start; `start` is for
tests in which the process itself matters (signals, pipes, what is imported).
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

from concordant.cli import main

SOURCE = Path(__file__).parents[2] / "src"


def run(
    *words: str | Path,
    code: int | None = 0,
    stdin: bytes = b"",
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Run `concordant WORDS` and expect an exit code (None: any); what the user can mend is one line, no traceback."""
    arguments = ["concordant", *map(str, words)]
    output, errors = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8")
    with (
        patch.dict(os.environ, {**_clean(), **(environment or {})}, clear=True),
        patch.object(sys, "argv", arguments),
        patch.object(sys, "stdin", TextIOWrapper(BytesIO(stdin), "utf-8")),
        redirect_stdout(output),
        redirect_stderr(errors),
        chdir(cwd or Path.cwd()),
    ):
        try:
            main()
        except SystemExit as end:
            ended = end.code if isinstance(end.code, int) else 0
    done = subprocess.CompletedProcess(arguments, ended, _written(output), _written(errors))
    assert code is None or done.returncode == code, done.stderr
    return done


def _clean() -> dict[str, str]:
    """The environment without what would change what a command does or how wide it writes."""
    return {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "CONCORDANT_DB")}


def _written(stream: TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, BytesIO)
    return buffer.getvalue().decode("utf-8")


def start(*words: str | Path, stdin: bytes = b"", cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """Run `concordant WORDS` in a process of its own."""
    command = [sys.executable, "-m", "concordant", *map(str, words)]
    environment = {**_clean(), "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(command, input=stdin, cwd=cwd, env=environment, capture_output=True, check=False)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())
