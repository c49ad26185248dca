"""Requirements: limits that results must keep, written NAME OP NUMBER, for programs that go on only if they hold."""

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from concordant.errors import InputError, nearest

WRITTEN = re.compile(r"\s*(?:(?P<of>.+):)?\s*(?P<name>[a-z0-9_.]+)\s*(?P<op>>=|<=|==|>|<)\s*(?P<number>\S+)\s*")
HOLDS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """A condition, whether it holds, and if not why."""

    text: str
    holds: bool
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class Limit:
    """What was asked for: of whom or what (None: of all), which quantity, and the limit that it must keep."""

    text: str
    of: str | None
    name: str
    op: str
    number: float

    def is_kept(self, value: float) -> bool:
        """Whether a value keeps it."""
        return HOLDS[self.op](value, self.number)


def read_limit(text: str, names: Sequence[str], example: str) -> Limit:
    """A requirement as somebody typed it; `names` are the quantities there are.

    >>> read_limit("fluency: alpha >= .67", ["alpha"], "")
    Limit(text='fluency: alpha >= .67', of='fluency', name='alpha', op='>=', number=0.67)
    """
    found = WRITTEN.fullmatch(text)
    if found is None:
        raise InputError(f"{text!r} is no requirement", hint=f"write NAME OP NUMBER: {example}")
    if found["name"] not in names:
        raise InputError(f"nothing is called {found['name']!r} in {text!r}", hint=nearest(found["name"], list(names)))
    try:
        number = float(found["number"])
    except ValueError:
        raise InputError(f"{found['number']!r} in {text!r} is no number") from None
    of = found["of"]
    return Limit(text=text, of=None if of is None else of.strip(), name=found["name"], op=found["op"], number=number)
