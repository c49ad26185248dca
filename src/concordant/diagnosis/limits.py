"""A gate: judgements pass if their coefficients keep the limits that were set, and each that is not kept says why.

A limit is asked of every question, or of one that is named before a colon. It is about the value of a measure
(`alpha`), an end of its interval (`alpha.low`, `alpha.high`), or how much there is (`n_units`, `n_raters`);
`interval.low` and `interval.high` are those of Krippendorff's alpha.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from xml.etree import ElementTree

from concordant.about import NAME
from concordant.diagnosis.requirements import Limit, read_limit
from concordant.diagnosis.verdict import MAIN
from concordant.digits import brief
from concordant.errors import InputError, nearest
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.result import Agreement
from concordant.model.tabular import TabularResult
from concordant.readers.data import as_study
from concordant.uncertainty.studies import measure_study

COUNTS = ("n_units", "n_raters", "n_judgements")
ENDS = ("low", "high")
EXAMPLE = "alpha>=.67, alpha.low>=.6, fluency:kappa>.5, n_raters>=3"


@dataclass(frozen=True, kw_only=True)
class Check:
    """One limit on one question; `reason` says why it is not kept."""

    question: str | None
    requirement: str
    value: float | None
    holds: bool
    reason: str | None

    @property
    def title(self) -> str:
        """The limit with its question."""
        return f"{self.question}: {self.requirement}" if self.question else self.requirement


@dataclass(frozen=True, kw_only=True, repr=False)
class Gate(TabularResult):
    """Every limit on every question it was asked of, and the results they were held against."""

    COLUMNS: ClassVar = {"question": "Question", "requirement": "Requirement", "value": "Value", "holds": "Holds"} | {
        "reason": "Why not"
    }

    name: str
    checks: tuple[Check, ...]
    results: tuple[Agreement, ...]

    @property
    def holds(self) -> bool:
        """Whether every limit is kept."""
        return all(check.holds for check in self.checks)

    @property
    def failures(self) -> list[str]:
        """A line for each limit that is not kept."""
        return [f"{check.title}: {check.reason}" for check in self.checks if not check.holds]

    def __repr__(self) -> str:
        """How many hold, and those that do not in a line each."""
        kept = sum(check.holds for check in self.checks)
        return "\n".join([f"<{self.name}: {kept} of {len(self.checks)} requirements hold>", *self.failures])

    def rows(self) -> list[dict[str, Any]]:
        """One for each check."""
        return [vars(check) for check in self.checks]

    def to_junit(self) -> str:
        """The checks as the XML in which build servers read the results of tests."""
        return junit([self])

    def to_markdown(self) -> str:
        """The checks as a table for the summary of a build."""
        lines = ["| | question | requirement | value | |", "|---|---|---|---|---|"]
        for check in self.checks:
            shown = "undefined" if check.value is None else brief(check.value, 4)
            cells = ("ok" if check.holds else "**no**", check.question or "", check.requirement, shown)
            told = [cell.replace("|", "\\|") for cell in (*cells, check.reason or "")]
            lines.append(f"| {' | '.join(told)} |")
        return "\n".join([f"## {self.name}", "", *lines, ""])


def junit(gates: Sequence[Gate]) -> str:
    """What several files were held to as one suite of tests in the XML of build servers.

    >>> junit([gate([["a", "a"], ["b", "b"], ["a", "b"]], "percent>=.9")]).count("<failure ")
    1
    """
    checks = [(one.name, check) for one in gates for check in one.checks]
    failed = str(sum(not check.holds for _, check in checks))
    suite = ElementTree.Element("testsuite", name=NAME, tests=str(len(checks)), failures=failed)
    for name, check in checks:
        case = ElementTree.SubElement(suite, "testcase", classname=name, name=check.title)
        if not check.holds:
            ElementTree.SubElement(case, "failure", message=check.reason or "")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def gate(data: Any, require: str | Sequence[str], *, seed: int = 1, **reading: Any) -> Gate:
    """Hold judgements to limits such as "alpha>=.67"; `data` is whatever holds some, `reading` says how to read them.

    >>> gate([["a", "a"], ["b", "b"], ["a", "b"]], "percent>=.9").failures
    ['percent>=.9: percent is 0.6667']
    """
    asked = [require] if isinstance(require, str) else list(require)
    if not asked:
        raise InputError("nothing is required", hint=f"write NAME OP NUMBER: {EXAMPLE}")
    names = [*COUNTS, *(f"{key}{end}" for key in (*CATALOGUE, "interval") for end in ("", ".low", ".high"))]
    limits = [read_limit(text, [name for name in names if name != "interval"], EXAMPLE) for text in asked]
    keys = tuple(dict.fromkeys(key_of(limit.name) for limit in limits))
    study = as_study(data, **reading)
    results = measure_study(study, keys, seed=seed)
    found = [check for limit in limits for check in checked(limit, results)]
    return Gate(name=study.name, checks=tuple(found), results=tuple(results))


def key_of(name: str) -> str:
    """The measure that a limit is about; what there is of judgements is told by the main one."""
    key = name.partition(".")[0]
    return MAIN if key == "interval" or name in COUNTS else key


def checked(limit: Limit, results: Sequence[Agreement]) -> list[Check]:
    """A limit on every question that it is asked of."""
    mine = [one for one in results if one.measure == key_of(limit.name)]
    asked = [one for one in mine if limit.of in (None, one.question)]
    if not asked:
        known = [one.question or "" for one in mine]
        raise InputError(f"there is no question {limit.of!r}", hint=nearest(limit.of or "", known))
    found = []
    for result in asked:
        value, why = quantity(result, limit.name)
        holds = value is not None and limit.is_kept(value)
        told = None if holds else why or f"{limit.name} is {brief(value or 0.0, 4)}"
        text = limit.text if limit.of is None else limit.text.partition(":")[2].strip()
        found.append(Check(question=result.question, requirement=text, value=value, holds=holds, reason=told))
    return found


def quantity(result: Agreement, name: str) -> tuple[float | None, str | None]:
    """What a limit asks for, or why there is none."""
    if name in COUNTS:
        return float(getattr(result, name)), None
    end = name.partition(".")[2]
    if end in ENDS:
        interval = result.interval
        none = f"there is no interval: {'; '.join(result.notes) or result.reason or 'too little is known'}"
        return (None, none) if interval is None else (float(getattr(interval, end)), None)
    return (None, f"undefined: {result.reason}") if result.value is None else (result.value, None)
