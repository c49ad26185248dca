"""The cheapest way to cover the units of one component: a memoised depth-first search over bit masks."""

MOST_NODES = 3_000
"""Beyond this many states an integer program is faster."""

Chosen = tuple["int", "Chosen"] | tuple[()]


def cheapest_cover(sets: list[list[int]], cost: list[float], alone: list[float]) -> list[int] | None:
    """The numbers of the disjoint sets with the least cost, where unit u left alone costs alone[u].

    Units are taken from left to right: the first open unit is left alone or covered by a set that begins with it. Two
    ways to cover the same units meet in one state, of which only the cheaper goes on. None when there are too many.
    """
    by_first = _by_first_unit(sets, cost, len(alone))
    full = (1 << len(alone)) - 1
    best, best_chosen = float("inf"), None
    seen: dict[int, float] = {}
    stack: list[tuple[float, int, Chosen]] = [(0.0, 0, ())]
    while stack:
        spent, covered, chosen = stack.pop()
        if spent >= best or seen.get(covered, float("inf")) <= spent:
            continue
        seen[covered] = spent
        if covered == full:
            best, best_chosen = spent, chosen
            continue
        if len(seen) > MOST_NODES:
            return None
        stack.extend(_steps(spent, covered, chosen, by_first, alone, full))
    return _unrolled(best_chosen or ())


def _by_first_unit(sets: list[list[int]], cost: list[float], n_units: int) -> list[list[tuple[float, int, int]]]:
    """For every unit the sets that begin with it: cost, bit mask, number."""
    by_first: list[list[tuple[float, int, int]]] = [[] for _ in range(n_units)]
    for number, members in enumerate(sets):
        by_first[min(members)].append((cost[number], sum(1 << unit for unit in members), number))
    return by_first


def _steps(
    spent: float,
    covered: int,
    chosen: Chosen,
    by_first: list[list[tuple[float, int, int]]],
    alone: list[float],
    full: int,
) -> list[tuple[float, int, Chosen]]:
    """What can be done with the first open unit, the dearest first, so that the cheapest is taken next."""
    open_ = full & ~covered
    unit = (open_ & -open_).bit_length() - 1
    steps: list[tuple[float, int, Chosen]] = [(spent + alone[unit], covered | 1 << unit, chosen)]
    steps += [(spent + c, covered | mask, (number, chosen)) for c, mask, number in by_first[unit] if not mask & covered]
    return sorted(steps, key=lambda step: -step[0])


def _unrolled(chosen: Chosen) -> list[int]:
    """The numbers in a chain of choices."""
    numbers = []
    while chosen:
        numbers.append(chosen[0])
        chosen = chosen[1]
    return numbers
