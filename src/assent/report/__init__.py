"""OUT: tables, text, and the reliability report as HTML, XLSX, LaTeX and Markdown.

The package can be called: `assent.report(data, "report.html")` writes a report (see `assent.report.writing`).
"""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """A package that is also the function of its name: the public API has `assent.report(data, path)`."""

    def __call__(self, data: Any, path: str | Path, **choices: Any) -> None:
        """Write a reliability report of `data` to `path`: HTML, XLSX, LaTeX or Markdown by its ending."""
        from assent.report.writing import write_report

        write_report(data, path, **choices)


sys.modules[__name__].__class__ = _Callable
