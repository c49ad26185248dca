"""BEFORE: sampling, sets, ordering, preference pairs; all of it ends in a frozen plan.

The package can be called: `concordant.design(study)` draws that plan (see `design.plan.design`).
"""

from concordant.packages import callable_as

callable_as(__name__, "plan", "design")
