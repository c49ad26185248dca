"""Allocation: whoever comes next judges the units whose label one more vote may change most.

First every unit gets the judgements that the plan deals. Then each rater is given the units where the chance that the
leading answer is that of the majority can rise most by one vote (optimistic knowledge gradient: Chen, Lin & Zhou 2015,
JMLR 16, 1-46), until it is high enough, the unit has been judged often enough, or the budget is spent. The chance is
that of a share with the posterior Beta(first + ½, second + ½), of the two answers given most.

Which units get more votes depends on the votes they have. So agreement of all judgements would be biased (units that
raters differ on are judged most), and it is computed from the planned ones only.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from concordant.arrays import Floats, Ints
from concordant.design.description import Allocation, Description
from concordant.design.schema import Source
from concordant.errors import nearest
from concordant.model.scale import Level
from concordant.randomness import generator
from concordant.tasks.kind import kind_of
from concordant.tasks.question import Question

TIES = 4  # the stream of the seed
PRIOR = 0.5
LEAST_PLANNED = 2


def asked_about(description: Description) -> Question:
    """The question whose labels are wanted: the one that is named, or the first."""
    made = description.allocation
    return description.question(made.question) if made and made.question else description.questions[0]


def rightness(first: Floats, second: Floats) -> Floats:
    """The chance that the leading answer is that of the majority, by the votes of the two given most.

    >>> rightness(np.array([2.0, 1.0, 4.0]), np.array([0.0, 1.0, 1.0])).round(3).tolist()
    [0.924, 0.5, 0.912]
    """
    from scipy.special import betainc

    below = betainc(first + PRIOR, second + PRIOR, 0.5)
    return np.asarray(np.maximum(below, 1 - below))


def gains(first: Floats, second: Floats) -> Floats:
    """How much that chance may rise by one more vote.

    >>> gains(np.array([2.0, 1.0, 4.0]), np.array([0.0, 1.0, 1.0])).round(3).tolist()
    [0.042, 0.212, 0.04]
    """
    return np.maximum(rightness(first + 1, second), rightness(first, second + 1)) - rightness(first, second)


def most_wanted(votes: Ints, coming: Ints, how: Allocation, *, order: Ints, size: int) -> Ints:
    """The numbers of the units to be judged next, those that gain most first; none when there are enough judgements.

    `votes` has a row for each unit and a column for each category. `coming` counts judgements under way: they are taken
    to fall as the votes before. `order` decides between equal gains.
    """
    n = votes.sum(axis=1) + coming
    left = size if how.budget is None else min(size, how.budget - int(n.sum()))
    if left < 1:
        return np.array([], dtype=np.int64)
    top = np.sort(votes, axis=1)[:, ::-1]
    base = int(n.max()) + 1  # units with the same votes are looked at once
    keys, of = np.unique((top[:, 0] * base + top[:, 1]) * base + coming, return_inverse=True)
    most, second, under_way = (part.astype(np.float64) for part in (keys // base**2, keys // base % base, keys % base))
    share = (most + PRIOR) / (most + second + 2 * PRIOR)
    first, other = most + under_way * share, second + under_way * (1 - share)
    found = np.flatnonzero((n < how.most) & (rightness(first, other) < how.sure)[of])
    ranked = np.lexsort((order[found], -np.round(gains(first, other), 9)[of[found]]))
    return np.asarray(found[ranked[:left]])


def tie_order(seed: int, n_units: int) -> Ints:
    """A fixed random order of the units of a study, for equal gains."""
    return generator(seed, TIES).permutation(n_units)


def check_allocation(source: Source, study: Description, document: Mapping[str, Any]) -> None:
    """Two judgements of every unit before; a question with fixed categories; nothing that would count twice."""
    made = study.allocation
    if made is None:
        return
    here, known = ("allocation",), [one.id for one in study.questions]
    if made.question and made.question not in known:
        source.report((*here, "question"), f"there is no question {made.question!r}", nearest(made.question, known))
        return
    asked = asked_about(study)
    if kind_of(asked).level not in (Level.NOMINAL, Level.ORDINAL) or len(kind_of(asked).categories(asked)) < 2:
        source.report(here, f"{asked.id!r} has no fixed categories to vote on", "name a binary or categorical question")
    dealt = study.assignment
    for is_there, what in (
        (study.pairing is not None, "[pairs]"),
        (study.checks.repeats > 0, "[repeats]"),
        (dealt is not None and dealt.has_rounds, "rounds"),
    ):
        if is_there:
            source.report(here, f"allocation and {what} do not go together", "leave one of them out")
    if dealt is None or dealt.by or dealt.members or dealt.judgements < LEAST_PLANNED:
        what = "every unit needs two planned judgements, from which agreement is computed"
        source.report(here, what, "set count of [sets], and judgements = 2 of [assignment]")
    if not made.sure < 1:
        source.report((*here, "sure"), "nothing is ever quite sure", "write 0.95")
    if made.most <= (dealt.judgements if dealt else LEAST_PLANNED):
        source.report((*here, "most"), "the planned judgements are as many already", "raise it")
    for i, one in enumerate(study.raters):
        if one.kind != one.__class__.kind and (one.set is None or one.set < study.n_sets):
            what = f"the model {one.id!r} would take the place of a person"
            source.report(("raters", i, "id"), what, 'give it sets = ["all"]')
