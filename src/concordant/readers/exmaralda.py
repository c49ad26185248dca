"""EXMARaLDA basic transcriptions (.exb): events on a common time line, in tiers of speakers (see `tiers`).

Points of the time line without a time are spread evenly between their neighbours, and counted; where no point has one
the positions are steps of the time line.
"""

from pathlib import Path

from concordant.errors import InputError
from concordant.readers.markup import root_of
from concordant.readers.rater_files import number
from concordant.readers.tiers import Recording, Tier, filled, tier_format


def of_file(file: Path) -> Recording:
    """The events of one file."""
    root = root_of(file.read_bytes(), file)
    points = list(root.iter("tli"))
    if not points:
        raise InputError("there is no time line", file=file, hint="give a basic transcription (.exb)")
    written = [point.get("time") for point in points]
    n_spread = sum(time is None for time in written)
    if n_spread == len(points):
        times, notes = [float(place) for place in range(len(points))], ["no point of the time line has a time: steps"]
    else:
        times = filled([None if time is None else number(time, file, None) for time in written], file)
        notes = [f"points without a time: {n_spread}, spread evenly between their neighbours"] if n_spread else []
    at = {point.get("id", ""): time for point, time in zip(points, times, strict=True)}
    tiers = []
    for tier in root.iter("tier"):
        events = []
        for event in tier.iter("event"):
            begin, end = event.get("start", ""), event.get("end", "")
            if begin not in at or end not in at:
                raise InputError(f"an event from {begin!r} to {end!r} is not on the time line", file=file)
            events.append((at[begin], at[end], "".join(event.itertext()).strip()))
        name = tier.get("display-name") or tier.get("id") or ""
        tiers.append(Tier(name, events, about={"speaker": tier.get("speaker") or ""}))
    return Recording(tiers, notes=notes)


FORMAT = tier_format(
    of_file,
    name="exmaralda",
    help="EXMARaLDA: events of a basic transcription; the folder or the file is the rater.",
    endings=(".exb",),
)
