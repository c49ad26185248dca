"""Making the plan of a study: sample, pair, split into sets. All of it from the study's seed."""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from assent.design import plan as plans
from assent.design import sampling
from assent.design.description import Description
from assent.design.pairs import make_pairs
from assent.design.plan import Plan
from assent.design.sets import split
from assent.errors import InputError
from assent.randomness import generator

FILE = "plan.json"
SAMPLE, PAIRS, SETS = range(3)  # the streams of the seed


def make_plan(description: Description) -> Plan:
    """Draw the plan; the same description and seed give the same plan, to the last byte."""
    units = sampling.draw(description.units, description.sampling, generator(description.seed, SAMPLE))
    pairing = description.pairing
    pairs = make_pairs(units, pairing, generator(description.seed, PAIRS)) if pairing else ()
    ids = [pair.id for pair in pairs] if pairing else [unit.id for unit in units]
    drawn = {unit.id for unit in units}
    strata = sampling.strata(description.units, description.sampling) if description.sampling.size else {}
    return plans.hashed(
        Plan(
            study=description.name,
            fingerprint=fingerprint(description),
            seed=description.seed,
            sets=split(ids, description.sets.count, generator(description.seed, SETS)),
            pairs=pairs,
            strata={id: stratum for id, stratum in strata.items() if id in drawn},
        )
    )


def load_plan(description: Description, path: Path | None = None) -> Plan:
    """The plan in the study's folder (or at `path`), made and frozen there when there is none yet."""
    path = path or description.folder / FILE
    if not path.exists():
        plan = make_plan(description)
        plans.write(plan, path)
        return plan
    plan = plans.read(path)
    if plan.fingerprint != fingerprint(description):
        hint = "restore the study as it was, or move the plan (and its answers) away and run `assent design` again"
        raise InputError("the study was changed after this plan was made", file=path, hint=hint)
    return plan


def fingerprint(description: Description) -> str:
    """What the plan depends on, as 16 hexadecimal digits: units, questions and design, but not the wording of pages."""
    design = {
        "units": [[unit.id, unit.item, unit.text, dict(unit.attributes)] for unit in description.rows],
        "judged": [unit.id for unit in description.units],
        "questions": [[q.id, q.task, [option.value for option in q.options]] for q in description.questions],
        "sampling": asdict(description.sampling),
        "sets": asdict(description.sets),
        "pairing": asdict(description.pairing) if description.pairing else None,
        "seed": description.seed,
    }
    if parses := [unit.parses.fingerprint for unit in description.units if unit.parses]:
        design["parses"] = parses
    canonical = json.dumps(design, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]
