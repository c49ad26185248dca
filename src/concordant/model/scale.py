"""The scale of a question: its level of measurement and its categories in order, unused ones included."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.errors import InputError, nearest
from concordant.model.columns import is_number


class Level(StrEnum):
    """Levels of measurement (Stevens 1946), with circular, bipolar and set-valued scales (Krippendorff 2011)."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"
    CIRCULAR = "circular"
    BIPOLAR = "bipolar"
    SET = "set"

    @property
    def is_ordered(self) -> bool:
        """Whether "more" and "less" mean something."""
        return self in (Level.ORDINAL, Level.INTERVAL, Level.RATIO, Level.BIPOLAR)

    @property
    def is_numeric(self) -> bool:
        """Whether differences between values mean something, so that the values must be numbers."""
        return self in (Level.INTERVAL, Level.RATIO, Level.BIPOLAR, Level.CIRCULAR)


def level_named(name: str) -> Level:
    """The level of that name; an unknown name is an error that suggests the nearest."""
    try:
        return Level(name)
    except ValueError:
        raise InputError(
            f"unknown level of measurement {name!r}", hint=nearest(name, [lv.value for lv in Level])
        ) from None


YES = frozenset(
    (
        *("yes", "y", "true", "t", "ja", "j", "sí", "si", "sì", "sim", "oui", "vrai", "wahr", "verdadero"),
        *("da", "да", "tak", "ano", "igen", "evet", "kyllä", "jah", "hai", "はい", "是", "예", "네", "نعم", "כן"),
        *("positive", "pos", "present", "relevant", "correct", "accept", "agree"),
    )
)
NO = frozenset(
    (
        *("no", "n", "false", "f", "nein", "não", "nao", "non", "faux", "falsch", "falso", "nee", "nej"),
        *("nei", "нет", "nie", "ne", "nem", "hayır", "ei", "いいえ", "否", "不是", "아니요", "لا", "לא"),
        *("negative", "neg", "absent", "irrelevant", "incorrect", "reject", "disagree"),
    )
)
"""What people write for yes and for no, in small letters."""


class Facet(NamedTuple):
    """One of several questions that are taken together, and the range of its scale."""

    name: str
    is_ordered: bool
    width: float


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Level and categories. On a continuous scale (many-valued interval data) any number is a value.

    Data without any judgement have a scale without categories; that is not a continuous one. Where the answers to
    several questions are one category, `facets` are the questions, `profiles` the places of each category on them.
    Where every rater with a question has a column of judgements, `asked` says of which rater and question it is.
    """

    level: Level
    categories: tuple[str, ...]
    is_guessed: bool = False
    is_continuous: bool = False
    facets: tuple[Facet, ...] = ()
    profiles: tuple[tuple[float, ...], ...] = ()
    asked: Mapping[str, tuple[str, str]] = field(default_factory=dict, hash=False)

    def positions(self) -> NDArray[np.float64]:
        """Where the categories lie: their values if they are numbers, else 0, 1, 2 …

        >>> Scale(level=Level.ORDINAL, categories=("1", "2", "5")).positions()
        array([1., 2., 5.])
        """
        numbers = self._numbers()
        return np.arange(len(self.categories), dtype=np.float64) if numbers is None else numbers

    @property
    def has_numbers(self) -> bool:
        """Whether the categories lie where their numbers say."""
        return self._numbers() is not None

    def _numbers(self) -> NDArray[np.float64] | None:
        """The categories as numbers; None if they are names, or codes of an ordinal scale declared in another order."""
        numbers = as_numbers(self.categories)
        if numbers is None or self.level is not Level.ORDINAL:
            return numbers
        steps = np.diff(numbers)
        return numbers if bool((steps > 0).all() or (steps < 0).all()) else None

    @property
    def positive(self) -> str | None:
        """Of two categories the one that means yes; None if neither word tells.

        >>> Scale(level=Level.NOMINAL, categories=("yes", "no")).positive
        'yes'
        """
        if len(self.categories) != 2:
            return None
        first, second = (label.strip().casefold() for label in self.categories)
        if {first, second} in ({"0", "1"}, {"-1", "1"}):
            return self.categories[first != "1"]
        if (first in YES and second not in YES) or (second in NO and first not in NO):
            return self.categories[0]
        is_second = (second in YES and first not in YES) or (first in NO and second not in NO)
        return self.categories[1] if is_second else None

    def members(self) -> tuple[frozenset[str], ...]:
        """The categories as sets: `B+E` is {B, E}; only for set-valued scales.

        >>> sorted(Scale(level=Level.SET, categories=("B+E",)).members()[0])
        ['B', 'E']
        """
        return tuple(frozenset(part for part in category.split("+") if part) for category in self.categories)


def as_numbers(labels: Iterable[str]) -> NDArray[np.float64] | None:
    """The labels as finite numbers, or None if one of them is not a number."""
    try:
        numbers = np.array([float(label) for label in labels], dtype=np.float64)
    except ValueError:
        return None
    return numbers if bool(np.isfinite(numbers).all()) else None


def guess_level(labels: Sequence[str]) -> Level:
    """The level that the labels suggest: never used without telling the user.

    >>> guess_level(["1", "2", "3"]), guess_level(["0", "1"]), guess_level(["0.25", "3"]), guess_level(["yes", "no"])
    (<Level.ORDINAL: 'ordinal'>, <Level.NOMINAL: 'nominal'>, <Level.INTERVAL: 'interval'>, <Level.NOMINAL: 'nominal'>)
    """
    numbers = as_numbers(labels)
    if numbers is None or len(numbers) < 3:
        if numbers is not None and not np.all(numbers == np.round(numbers)):
            return Level.INTERVAL
        parts = {part for label in labels if "+" in label for part in label.split("+")}
        is_sets = parts and all(parts) and parts & set(labels)  # joined by +, and parts stand alone elsewhere
        return Level.SET if is_sets else Level.NOMINAL
    whole = bool(np.all(numbers == np.round(numbers)))
    return Level.ORDINAL if whole and len(numbers) <= 20 else Level.INTERVAL


def make_scale(
    labels: Sequence[str], *, level: str | Level | None = None, categories: Sequence[str] | None = None
) -> Scale:
    """The scale of data with these distinct labels, as declared by the user or guessed.

    Declared categories keep their order, and those that nobody used are kept: S and AC1 depend on them.
    """
    known = None if level is None else level_named(level)
    found = known or guess_level(list(categories or labels))
    _refuse_names_without_meaning(found, labels, categories, is_declared=known is not None)
    if found is Level.RATIO:
        refuse_negative(as_numbers(categories or labels))
    if categories is not None:
        ordered = _declared(labels, categories, found)
    else:  # numbers by size, other labels by their characters
        numbers = as_numbers(labels)
        keys = labels if numbers is None else list(zip(numbers.tolist(), labels, strict=True))
        ordered = [label for _, label in sorted(zip(keys, labels, strict=True))]
    return Scale(level=found, categories=tuple(ordered), is_guessed=known is None)


def _declared(labels: Sequence[str], categories: Sequence[str], level: Level) -> list[str]:
    """The declared categories; a set-valued scale declares classes, and the sets seen are made of them."""
    doubled = [category for category, times in Counter(categories).items() if times > 1]
    if doubled:
        raise InputError(f"the category {doubled[0]!r} is declared twice", hint="name each category once")
    known = set(categories)
    off = [label for label in labels if label not in known]
    if level is Level.SET:
        classes = {part for category in categories for part in category.split("+")}
        for label in off:
            strange = sorted({part for part in label.split("+") if part} - classes)
            if strange:
                raise InputError(
                    f"the value {label!r} has the class {strange[0]!r} that is not on the declared scale",
                    hint=nearest(strange[0], sorted(classes)),
                )
        return [*categories, *off]
    if off:
        raise InputError(f"the value {off[0]!r} is not on the declared scale", hint=nearest(off[0], list(categories)))
    return list(categories)


def _refuse_names_without_meaning(
    level: Level, labels: Sequence[str], categories: Sequence[str] | None, *, is_declared: bool
) -> None:
    """Names have no order and no distance of their own: the user must declare the order."""
    if not is_declared or not labels:
        return
    strange = next((label for label in labels if not is_number(label)), None)
    if strange is None:
        return
    if level.is_numeric and level is not Level.CIRCULAR:
        raise InputError(
            f"{strange!r} is not a number, so the level cannot be {level.value}",
            hint="use --level nominal, or ordinal with --categories in order",
        )
    if level in (Level.ORDINAL, Level.CIRCULAR) and categories is None:
        raise InputError(
            f"the level is {level.value} but {strange!r} has no natural order",
            hint="give all values in order with --categories a,b,c",
        )


def refuse_negative(numbers: NDArray[np.float64] | None) -> None:
    """A ratio scale begins at zero."""
    if numbers is not None and bool((numbers < 0).any()):
        raise InputError(
            f"{numbers[numbers < 0][0]:g} is below zero, so the level cannot be ratio", hint="use interval"
        )
