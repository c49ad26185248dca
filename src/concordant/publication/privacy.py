"""What of the people must not leave the house: names, addresses, what identifies one of them; and the account of it.

Rules, so that they can be read and disputed: raters are numbered in the order of their names, unless they are models.
A column that says who somebody is by its name (e-mail, ip, prolific …), a time that differs between the judgements of a
unit, and whatever is different for every single rater are withheld. In texts that people wrote, addresses, numbers and
names of raters are replaced; what a pattern cannot know, a person must read. `keep` and `drop` overrule all of it,
column by column.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from concordant.digits import counted
from concordant.errors import InputError, nearest

WITHHELD = "[withheld]"
PATTERNS = {
    "web address": re.compile(r"(?:https?://|www\.)[^\s<>\"]+", re.IGNORECASE),
    "e-mail address": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "IP address": re.compile(
        r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f:]+", re.I
    ),
    "platform id": re.compile(r"\b[0-9a-f]{24}\b|\bA[0-9A-Z]{12,20}\b"),
    "account name": re.compile(r"(?<![\w@.])@\w{2,}"),
    "telephone number": re.compile(r"(?<![\w.+])(?:\+|00)\d[\d ()/-]{6,}\d|(?<![\w.])0\d{2,4}[ /-]\d{4,}(?!\d)"),
}
"""What is looked for in texts. Names of raters are looked for as well."""

PERSONAL = re.compile(
    r"e[-_ ]?mail|^ip$|ip_?addr|prolific|_?pid$|worker_?id|assignment_?id|session_?id|user_?agent|user_?name|"
    r"login|token|"
    r"phone|telephone|birth|^dob$|gps|latitude|longitude|^lat$|^lon$|surname|first_?name|last_?name|full_?name|"
    r"postal|zip_?code|street|mturk|participant_?id|subject_?id|device_?id|browser",
    re.IGNORECASE,
)
"""Names of columns that say who somebody is."""
OF_RATERS = re.compile(r"^(name|user|participant|subject|login|id|initials|address|origin)$", re.IGNORECASE)
"""Names that do so where they are about raters."""
TIMES = re.compile(
    r"(^|_)(at|date|time|timestamp|started|ended|created|updated|submitted|recorded)(_|$)|date$|stamp$", re.I
)
"""Names of times; a time of day together with a platform's list of payments names a participant."""


def pseudonyms(raters: Collection[str], models: Collection[str] = ()) -> dict[str, str]:
    """R1, R2 … for people, in the order of their names, so that whatever is sorted by rater stays as it was.

    >>> pseudonyms(["Zoe", "Ann", "gpt"], models=["gpt"])
    {'Ann': 'R1', 'Zoe': 'R2', 'gpt': 'gpt'}
    """
    people = sorted(rater for rater in raters if rater not in models)
    width = len(str(len(people)))
    taken = {model for model in raters if model in models}
    prefix = next(letter for letter in ("R", "P", "rater") if not any(one.startswith(letter) for one in taken))
    return {name: f"{prefix}{n:0{width}}" for n, name in enumerate(people, 1)} | {one: one for one in sorted(taken)}


@dataclass
class Screen:
    """Takes out of texts what points to people, and keeps the account for PRIVACY.md."""

    names: Mapping[str, str]
    keep: Collection[str] = ()
    drop: Collection[str] = ()
    found: Counter[str] = field(default_factory=Counter)
    withheld: dict[str, str] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict)
    read: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """One pattern for all names that could stand in a text; short ones would be found in any word."""
        long = sorted(
            (name for name, new in self.names.items() if len(name) > 2 and name != new), key=len, reverse=True
        )
        self._names = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, long))})(?!\w)") if long else None

    def text(self, text: str) -> str:
        """The text without addresses, numbers and names of raters.

        >>> Screen({"Mary": "R1"}).text("Mary, write to m@x.org")
        'R1, write to [e-mail address]'
        """
        for what, pattern in PATTERNS.items():
            text, n = pattern.subn(f"[{what}]", text)
            self.found[what] += n
        if self._names is not None:
            text, n = self._names.subn(lambda match: self.names[match[0]], text)
            self.found["name of a rater"] += n
        return text

    def texts(self, name: str, texts: Sequence[str]) -> list[str]:
        """Labels of a column: those that become the same stay apart by numbers; long ones are counted to be read."""
        made = [self.text(text) for text in texts]
        if n_long := sum(len(text.split()) > 3 for text in texts):
            self.read[name] = n_long
        seen: Counter[str] = Counter()
        for i, (old, new) in enumerate(zip(texts, made, strict=True)):
            seen[new] += 1
            if seen[new] > 1 and old != new:
                made[i] = f"{new} ({seen[new]})"
        return made

    def admits(self, name: str, by_rater: Sequence[str] | None, *, varies_in_units: bool = False) -> bool:
        """Whether a column may leave the house; `by_rater` has each rater's value if it is about raters."""
        reason = None if name in self.keep else self._reason(name, by_rater, varies_in_units)
        if name in self.drop:
            reason = "asked for"
        if reason is not None:
            self.withheld[name] = reason
        elif by_rater is not None:
            groups = Counter(value for value in by_rater if value)
            self.kept[name] = f"{len(groups)} values; the rarest is that of {min(groups.values(), default=0)}"
        return reason is None

    def _reason(self, name: str, by_rater: Sequence[str] | None, varies_in_units: bool) -> str | None:
        """Why a column is withheld, if it is."""
        bare = name.removeprefix("rater_")
        if PERSONAL.search(bare):
            return "its name says that it tells who somebody is"
        if TIMES.search(bare) and (varies_in_units or by_rater is not None):
            return "a time"
        if by_rater is None:
            return None
        if OF_RATERS.search(bare):
            return "its name says that it tells who a rater is"
        told = Counter(value for value in by_rater if value)
        if len(told) > 1 and max(told.values()) == 1:
            return "different for every rater"
        return None

    def refuse_unknown(self, columns: Collection[str]) -> None:
        """What was to be kept or dropped and is not there is a mistake."""
        for name in (*self.keep, *self.drop):
            if name not in columns:
                raise InputError(f"there is no column {name!r} to keep or drop", hint=nearest(name, sorted(columns)))

    def account(self, has_names: bool) -> str:
        """What was done, in words: for PRIVACY.md."""
        n_people = sum(old != new for old, new in self.names.items())
        first = "The names of raters are in the data." if has_names else f"{n_people} raters were given numbers."
        lines = ["# What was done for the people in these data", "", first, ""]
        for title, table in (
            ("Columns that were withheld", self.withheld),
            ("Columns about raters that are here", self.kept),
            ("Replaced in texts", {what: counted(n, "time") for what, n in self.found.items() if n}),
            (
                "Texts that a person must read, since no pattern knows what names somebody",
                {name: f"{n} of more than three words" for name, n in self.read.items()},
            ),
        ):
            if table:
                lines += [f"## {title}", "", *(f"- {name}: {said}" for name, said in table.items()), ""]
        lines += [
            "Rules cannot decide whether somebody can be recognised: small groups, rare mother tongues and what people",
            "wrote need the judgement of a person who knows the participants.",
            "",
        ]
        return "\n".join(lines)
