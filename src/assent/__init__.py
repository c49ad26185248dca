"""assent: from study design to a publishable reliability report.

The names below are the public API. They are loaded when first used, so that `import assent` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from assent.diagnosis.diagnose import diagnose
    from assent.errors import AssentError, InputError
    from assent.measures.explanation import explain
    from assent.measures.result import Agreement, Interval
    from assent.model.continuum import Continuum, continua
    from assent.model.judgements import Judgements
    from assent.model.scale import Level, Scale
    from assent.model.study import Study
    from assent.readers import read
    from assent.readers.spans import read_spans
    from assent.report.writing import write_report as report
    from assent.uncertainty.estimate import measure, verify
    from assent.uncertainty.suitability import suitable

_HOME = {
    "Agreement": "measures.result",
    "AssentError": "errors",
    "Continuum": "model.continuum",
    "InputError": "errors",
    "Interval": "measures.result",
    "Judgements": "model.judgements",
    "Level": "model.scale",
    "Scale": "model.scale",
    "Study": "model.study",
    "continua": "model.continuum",
    "diagnose": "diagnosis.diagnose",
    "explain": "measures.explanation",
    "measure": "uncertainty.estimate",
    "read": "readers",
    "read_spans": "readers.spans",
    "suitable": "uncertainty.suitability",
    "verify": "uncertainty.estimate",
}
__all__ = [
    "Agreement",
    "AssentError",
    "Continuum",
    "InputError",
    "Interval",
    "Judgements",
    "Level",
    "Scale",
    "Study",
    "__version__",
    "continua",
    "diagnose",
    "explain",
    "measure",
    "read",
    "read_spans",
    "report",
    "suitable",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first used."""
    if name == "report":  # a package that can be called: one and the same thing before and after it is imported
        return import_module("assent.report")
    if name not in _HOME:
        raise AttributeError(f"module 'assent' has no attribute {name!r}")
    return getattr(import_module(f"assent.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    """The public names, for completion."""
    return __all__
