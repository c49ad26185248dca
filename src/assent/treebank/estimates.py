"""The estimates with which Castro (2011, section 5.4.2) fills what logs do not record; only `thesis` uses them.

Symbols follow the document: O_s the options of sentence s, P_D the proportion of divergence over the sentences that
both accepted, O_uniq the options only one log has. The estimates are kept exact; the document's Table 5.2 rounds the
estimated number of equal options down.
"""

from collections.abc import Iterable


def divergence(both_accepted: Iterable[tuple[int, int]]) -> float | None:
    """P_D = sum of divergent options / sum of options (eq. 5.3), from (options, equal options) of each sentence."""
    pairs = list(both_accepted)
    n_options = sum(options for options, _ in pairs)
    return sum(options - equal for options, equal in pairs) / n_options if n_options else None


def estimated_equal(n_unique: int, p_d: float) -> float:
    """How many of the options in one log only would have been equal: |O_uniq| · (1 − P_D) (eq. 5.5)."""
    return n_unique * (1 - p_d)


def observed_when_rejected(n_equal: int, n_unique: int, n_options: int, p_d: float) -> float:
    """A_o of a sentence that at least one annotator rejected: (O_eq + estimated equal) / O (eq. 5.6)."""
    return (n_equal + estimated_equal(n_unique, p_d)) / n_options


def average_options(n_options: int, n_sentences: int) -> float:
    """Options per sentence that has any (eq. 5.7)."""
    return n_options / n_sentences


def observed_without_options(average: float, p_d: float) -> float:
    """A_o of a sentence without options (eq. 5.9). The average cancels: every such sentence gets 1 − P_D."""
    return (average - average * p_d) / average
