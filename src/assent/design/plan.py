"""The plan: which units are used, in which sets, as which pairs. Frozen, hashed, made again from the seed.

A plan is a JSON file. Its hash covers everything in it, so a changed plan is noticed; it names the fingerprint of the
study file and data it was made from, so a changed study is noticed too. What is drawn for each participant (order of
units, options and slots) comes from the same seed but is not in the plan: it is made in `assent.design.ordering` when
they join, and logged.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assent.errors import InputError
from assent.files import written_whole

FORMAT = 1


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two units of one item to be compared. A and B are fixed here; the slots they are shown in are drawn per rater."""

    id: str
    item: str
    a: str
    b: str


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What was drawn once for the whole study. `sets` hold ids of units, or of pairs when there are pairs."""

    study: str
    fingerprint: str
    seed: int
    sets: tuple[tuple[str, ...], ...]
    pairs: tuple[Pair, ...] = ()
    strata: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)
    hash: str = ""

    @cached_property
    def pair_by_id(self) -> Mapping[str, Pair]:
        """The pairs by their id."""
        return MappingProxyType({pair.id: pair for pair in self.pairs})

    def as_dict(self) -> dict[str, Any]:
        """The plan as JSON shows it."""
        return {
            "format": FORMAT,
            "study": self.study,
            "fingerprint": self.fingerprint,
            "seed": self.seed,
            "sets": [list(members) for members in self.sets],
            "pairs": [asdict(pair) for pair in self.pairs],
            "strata": {unit: list(stratum) for unit, stratum in self.strata.items()},
            "hash": self.hash,
        }


def hashed(plan: Plan) -> Plan:
    """The same plan with its hash: the first 16 hexadecimal digits of SHA-256 over the canonical JSON."""
    content = {key: value for key, value in plan.as_dict().items() if key != "hash"}
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return replace(plan, hash=hashlib.sha256(canonical.encode()).hexdigest()[:16])


def write(plan: Plan, path: Path) -> None:
    """Write the plan; an interrupted write leaves the old file."""
    with written_whole(path) as beside:
        beside.write_text(json.dumps(plan.as_dict(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read(path: Path) -> Plan:
    """Read a plan and refuse it when it was changed by hand."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        plan = _from_dict(content)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"not a plan ({error})", file=path, hint="make it with `assent design STUDY -o plan.json`"
        ) from error
    if hashed(plan).hash != plan.hash:
        raise InputError("the plan was changed after it was made", file=path, hint="make it again with `assent design`")
    return plan


def _from_dict(content: dict[str, Any]) -> Plan:
    return Plan(
        study=content["study"],
        fingerprint=content["fingerprint"],
        seed=content["seed"],
        sets=tuple(tuple(members) for members in content["sets"]),
        pairs=tuple(Pair(**pair) for pair in content["pairs"]),
        strata={unit: (stratum[0], stratum[1], stratum[2]) for unit, stratum in content["strata"].items()},
        hash=content["hash"],
    )
