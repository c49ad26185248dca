"""Choices: the options of a measure or a reader, which can be made, signed, read back and shown.

    class Weighted(Choices):
        weights: str | None = choice(None, "Partial credit: linear, quadratic …")

    Weighted.of("kappa", {"weights": "linear"}).signed()      # {"weights": "linear"}

A field is signed when it differs from the default; `always` signs it in any case, `never` not at all. Every name
stands in a signature as it is called here, so that a signature can be read back by the types of the fields. Every
subclass is a frozen dataclass with keywords only: `replace`, `fields` and `asdict` know it.
"""

import hashlib
import types
from collections.abc import Mapping
from dataclasses import Field, FrozenInstanceError, dataclass, field, fields
from functools import cache
from typing import (
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)
from urllib.parse import unquote

import numpy as np

from concordant.errors import InputError, nearest

SPECIAL = "%|,:=\n\r"
NOTHING = "none"
DAMAGED = "copy the whole line"


def choice(default: Any, help: str = "") -> Any:
    """A field that is signed when it differs from the default."""
    return field(default=default, metadata={"help": help, "sign": "differing"})


def always(default: Any, help: str = "") -> Any:
    """A field that every signature names."""
    return field(default=default, metadata={"help": help, "sign": "always"})


def never(default: Any, help: str = "") -> Any:
    """A field on which no number depends, or that is signed elsewhere."""
    return field(default=default, metadata={"help": help, "sign": "never"})


class Choice(NamedTuple):
    """One field as a command line, an API or a page shows it: `values` are all that it can be, if they are few."""

    name: str
    type: Any
    default: Any
    help: str
    values: tuple[str, ...]

    @property
    def sequence(self) -> Any:
        """The kind of list that it is: tuple, frozenset, or None if it is none."""
        return next((made for kind in _members(self.type) if (made := get_origin(kind)) in (tuple, frozenset)), None)

    def listed(self, text: str) -> Any:
        """What was written as `a,b,c`, if it is a list; else the text."""
        return text if self.sequence is None else self.sequence(split(text))


def split(text: str) -> tuple[str, ...]:
    """`a,b,c` as three."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


noted = dataclass(init=False, repr=False, eq=False, kw_only=True)


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Choices:
    """The root of all options; by itself that of what has none."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        """Note the fields. Methods are written once, below: making them for each class slows every start."""
        noted(cls)

    def __init__(self, **given: Any) -> None:
        """Take what was given, and the defaults of the rest."""
        vars(self).update({one.name: given.pop(one.name, one.default) for one in fields(self)})
        if given:
            raise TypeError(f"{type(self).__name__} has no field {', '.join(given)}")
        self.__post_init__()

    def __setattr__(self, name: str, value: Any) -> None:
        """Nothing is changed afterwards."""
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __eq__(self, other: object) -> bool:
        """Whether the same is chosen of the same."""
        return type(other) is type(self) and vars(self) == vars(other)

    def __hash__(self) -> int:
        """By what is chosen."""
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        """All that is chosen."""
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    def __post_init__(self) -> None:
        """Refuse a word that a field does not offer; a whole number given for a number is one."""
        for one in self.described():
            value = getattr(self, one.name)
            if type(value) is int and float in _members(one.type):
                object.__setattr__(self, one.name, float(value))
            if one.values and value is not None and value not in one.values:
                close = nearest(str(value), one.values)
                hint = close if close.startswith("did") else f"use {' or '.join(one.values)}"
                raise InputError(f"unknown {one.name} {value!r}", hint=hint)

    @classmethod
    def of(cls, owner: str, given: Mapping[str, Any]) -> Self:
        """Made from keywords; one that `owner` does not have is refused with those it has."""
        known = [one.name for one in cls.described()]
        for name in given:
            if name not in known:
                has = f"it has {', '.join(known)}" if known else "it has none"
                close = nearest(name, known)
                hint = f"{close} {has}" if close.startswith("did") else has
                raise InputError(f"{owner} has no option {name!r}", hint=hint)
        return cls(**given)

    @classmethod
    def written(cls, owner: str, texts: Mapping[str, str]) -> dict[str, Any]:
        """Choices that were written as texts, each by its type; one that `owner` does not have is refused."""
        known = {one.name: one for one in cls.described()}
        found: dict[str, Any] = {}
        for name, text in texts.items():
            if name not in known:
                cls.of(owner, {name: text})
            kinds = set(_members(known[name].type))
            try:
                if bool in kinds:
                    found[name] = {"yes": True, "no": False}[text]
                elif (number := next(iter(kinds & {int, float}), None)) is not None:
                    found[name] = number(text)
                else:
                    found[name] = known[name].listed(text)
            except (KeyError, ValueError):
                wanted = "yes or no" if bool in kinds else "a whole number" if int in kinds else "a number"
                raise InputError(f"{name}={text} of {owner} is not {wanted}") from None
        return found

    @classmethod
    @cache  # typing evaluates the hints anew each time, which took a third of measuring a small table
    def described(cls) -> tuple[Choice, ...]:
        """The fields with their types, defaults and help."""
        hints, found = get_type_hints(cls), []
        for one in fields(cls):
            kind = hints[one.name]
            words = next((get_args(part) for part in _members(kind) if get_origin(part) is Literal), ())
            found.append(Choice(one.name, kind, one.default, one.metadata.get("help", ""), words))
        return tuple(found)

    def usual(self) -> Self:
        """The defaults against which choices count as different."""
        return type(self)()

    def signed(self) -> dict[str, str]:
        """What a signature says: the fields that differ from the default, and those that are always named."""
        usual, written = self.usual(), {}
        for one in fields(self):
            mine, sign = getattr(self, one.name), one.metadata.get("sign", "differing")
            if sign == "always" or (sign == "differing" and _differs(mine, getattr(usual, one.name))):
                written[one.name] = coded(mine)
        return written

    @classmethod
    def claimed(cls, owner: str, written: Mapping[str, str], given: Mapping[str, Any]) -> Self:
        """Read back from a signature. `given` are what it names by a hash only (matrices), or never."""
        found: dict[str, Any] = {}
        unsigned = {one.name for one in fields(cls) if one.metadata.get("sign") == "never"}
        for one in cls.described():
            text = written.get(one.name)
            if text is not None and text.startswith("matrix,"):
                found[one.name] = _the_matrix(one.name, text, given.get(one.name))
            elif text is not None:
                found[one.name] = _read(one.type, text)
            elif one.name in unsigned and given.get(one.name) is not None:
                found[one.name] = given[one.name]
        return cls.of(owner, found)


noted(Choices)


def _members(kind: Any) -> tuple[Any, ...]:
    """The members of a union; of another type itself."""
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)


def _differs(mine: Any, usual: Any) -> bool:
    return isinstance(mine, np.ndarray) or bool(mine != usual)


def escape(text: str) -> str:
    """A name as it stands in a signature.

    >>> escape("a|b, 50 %")
    'a%7Cb%2C 50 %25'
    """
    return "".join(f"%{ord(char):02X}" if char in SPECIAL else char for char in text)


def hashed(content: bytes) -> str:
    """Eight hexadecimal digits for what is too long to be written."""
    return hashlib.sha256(content).hexdigest()[:8]


def coded(value: Any) -> str:
    """A value as it stands in a signature; a matrix is named by its hash."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, np.ndarray):
        return f"matrix,{hashed(value.tobytes())}"
    if isinstance(value, tuple | frozenset):
        return ",".join(escape(str(part)) for part in (sorted(value) if isinstance(value, frozenset) else value))
    return repr(value) if isinstance(value, float) else escape(str(value))


def _read(kind: Any, text: str) -> Any:
    """A value of this type again from its text."""
    members = _members(kind)
    if text == NOTHING and types.NoneType in members:
        return None
    kind = next(part for part in members if part is not types.NoneType)
    if kind is bool:
        return text == "yes"
    if kind is int:
        return whole(text)
    if kind is float:
        return number(text)
    if get_origin(kind) in (tuple, frozenset):
        return get_origin(kind)(unquote(part) for part in text.split(",") if part)
    return unquote(text)


def _the_matrix(name: str, code: str, matrix: Any) -> Any:
    """The matrix with that hash."""
    if matrix is None:
        raise InputError(f"the signature was made with a matrix of {name}", hint=f"give the same matrix with --{name}")
    given = np.asarray(matrix, dtype=np.float64)
    if coded(given) != code:
        raise InputError(f"this is not the matrix of {name} in the signature", hint="give the same matrix")
    return given


def number(text: str) -> float:
    """A number in a signature; anything else means that the line was damaged."""
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{text!r} in the signature is not a number", hint=DAMAGED) from None


def whole(text: str) -> int:
    """A whole number in a signature."""
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{text!r} in the signature is not a whole number", hint=DAMAGED) from None
