"""Many texts at once: measured by several processes, or by the executors of Spark, with the digits of one process.

Every text draws from random streams of its own, so it does not matter who measures it and in which order. On Spark a
text is a row, measured where it comes to lie: executors need this package.
"""

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from concordant.errors import ConcordantError
from concordant.model.continuum import Continuum
from concordant.progress import Progress, part, silent

SHARES = 64  # parts at most that Spark cuts the texts into: enough that nobody waits for long texts
Found = list[Any]
Work = Callable[..., Found]


def session_for(data: Any, engine: str | None) -> Any:
    """The session of Spark that reads the data, if one does."""
    if engine != "spark" and not type(data).__module__.startswith("pyspark"):
        return None
    from concordant.engines.remote import session_of

    return session_of(data)


def answered(
    work: Work, todo: Sequence[Any], choices: Mapping[str, Any], session: Any = None, progress: Progress = silent
) -> Iterator[Found]:
    """What is found of each part, in order: one after the other, or several texts together."""
    workers = choices.get("workers") or 1
    if len(todo) < 2 or not all(isinstance(one.data, Continuum) for one in todo) or not (session or workers > 1):

        def nth(place: int) -> Found:
            return work(todo[place], choices=choices, progress=part(progress, place, len(todo)))

        yield from map(nth, range(len(todo)))
    else:
        from concordant.measures.unitizing.evidence import shared_out

        alone = partial(work, choices={**choices, **({"workers": 1} if "workers" in choices else {})})
        yield from shared_out(alone, todo, workers) if session is None else _by_spark(alone, todo, session, progress)


def _by_spark(work: Work, jobs: Sequence[Any], session: Any, progress: Progress) -> list[Found]:
    """The texts as rows of Spark; what an executor refuses is said here as it would be without Spark."""
    from concordant.engines.remote import failures, followed

    rows = [(place, bytearray(pickle.dumps((work, job)))) for place, job in enumerate(jobs)]
    with failures("spark", "spans"):
        frame = session.createDataFrame(rows, "place long, job binary").repartition(min(len(rows), SHARES))
        there = frame.mapInArrow(measured_there, "place long, found binary")
        came = followed(there.toArrow, session, progress).to_pylist()
    found = [pickle.loads(row["found"]) for row in sorted(came, key=lambda row: int(row["place"]))]
    for one in found:
        if isinstance(one, ConcordantError):
            raise one
    return found


def measured_there(batches: Iterator[Any]) -> Iterator[Any]:
    """What an executor does with its texts."""
    import pyarrow as pa

    for batch in batches:
        for row in batch.to_pylist():
            work, job = pickle.loads(row["job"])
            try:
                found: object = work(job)
            except ConcordantError as error:
                found = error
            yield pa.RecordBatch.from_pydict({"place": [row["place"]], "found": [pickle.dumps(found)]})
