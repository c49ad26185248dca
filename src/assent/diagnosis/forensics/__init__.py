"""Is anything wrong with the data themselves? A list of small checks, each silent unless it finds something."""

from assent.diagnosis.findings import Finding
from assent.diagnosis.forensics.behaviour import constant_rater, straight_lining, too_fast
from assent.diagnosis.forensics.case import Case, Check, open_case
from assent.diagnosis.forensics.layout import confounded_batches, contradicting_codes, single_rated
from assent.diagnosis.forensics.slots import anonymous_slots, sorted_slots
from assent.diagnosis.forensics.texts import duplicated_texts
from assent.diagnosis.forensics.values import (
    blanks,
    missing_words,
    missing_words_elsewhere,
    off_scale,
    spelled_twice,
)

SLOT_CHECKS: tuple[Check, ...] = (sorted_slots, anonymous_slots)
RATER_CHECKS: tuple[Check, ...] = (constant_rater, straight_lining, too_fast)
DATA_CHECKS: tuple[Check, ...] = (
    off_scale,
    spelled_twice,
    duplicated_texts,
    confounded_batches,
    contradicting_codes,
    missing_words,
    single_rated,
    blanks,
    missing_words_elsewhere,
)

__all__ = ["DATA_CHECKS", "RATER_CHECKS", "SLOT_CHECKS", "Case", "examine", "open_case"]


def examine(case: Case, *, trust_raters: bool = False) -> tuple[list[Finding], str | None]:
    """Run every check; and why statistics about raters are refused, if they are."""
    slots = _run(SLOT_CHECKS, case)
    refused = refusal(slots) if slots and not trust_raters else None
    raters = [] if refused else _run(RATER_CHECKS, case)
    return [*slots, *raters, *_run(DATA_CHECKS, case)], refused


def _run(checks: tuple[Check, ...], case: Case) -> list[Finding]:
    """What these checks find."""
    return [finding for check in checks for finding in check(case)]


def refusal(slots: list[Finding]) -> str:
    """Why raters cannot be told apart."""
    kind = slots[0].kind.partition("-")[0]
    return f"the columns are {kind}: places in a table, not raters (say --trust-raters if they are people)"
