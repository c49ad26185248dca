"""Running commands as a newcomer would: in a process of their own."""

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"


def run(*arguments: str | Path, code: int = 0) -> "subprocess.CompletedProcess[str]":
    """Run `assent ARGUMENTS` and expect an exit code; what the user can mend is one line, never a traceback."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    environment.pop("ASSENT_DB", None)
    command = [sys.executable, "-m", "assent", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done
