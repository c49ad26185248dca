"""A bucket of permits: so many at once, so many in the long run, for each visitor by itself."""

from concordant.web.server import MOST_VISITORS, Limit


class Clock:
    """A clock that stands still until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def test_a_burst_then_steadily() -> None:
    clock = Clock()
    limit = Limit(burst=2, per_minute=60, clock=clock)
    assert [limit.wait("a") for _ in range(2)] == [0, 0]
    assert limit.wait("a") == 1
    assert limit.wait("b") == 0
    clock.now = 1.0
    assert limit.wait("a") == 0
    assert limit.wait("a") > 0
    clock.now = 1000.0
    assert [limit.wait("a") for _ in range(3)][:2] == [0, 0]


def test_many_visitors_do_not_fill_the_memory() -> None:
    limit = Limit(burst=1, per_minute=1)
    for visitor in range(MOST_VISITORS + 10):
        limit.wait(str(visitor))
    assert len(limit._buckets) == MOST_VISITORS
