"""WHAT TO KEEP: consensus, weights, scores and ranks.

The package can be called: `concordant.gold(data)` is `gold.standard.gold`.
"""

from concordant.packages import callable_as

callable_as(__name__, "standard", "gold")
