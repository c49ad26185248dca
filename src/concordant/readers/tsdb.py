"""[incr tsdb()] profiles: annotators' decisions as judgements."""

from pathlib import Path

from concordant.choices import Choices
from concordant.files import telling_names
from concordant.model.study import Study
from concordant.readers.format import SURE, Format
from concordant.readers.profiles import holds_profiles


def read(*paths: str | Path, options: Choices) -> Study:
    """The decisions in profiles (or directories of suites): units are discriminants, a rater is a directory."""
    from concordant.treebank.suites import find_suites, read_treebanks

    for path in paths:
        find_suites(Path(path))
    places = [Path(path) for path in paths]
    names = telling_names([place.resolve() for place in places])
    if len(places) == 1:
        names = (places[0].resolve().name,)
    return read_treebanks(dict(zip(names, places, strict=True)))


FORMAT = Format(
    name="tsdb",
    holds="judgements",
    help="[incr tsdb()] profiles, one directory for each annotator: every discriminant is judged yes or no.",
    read=read,
    endings=(),  # but folders
    sniff=lambda path, head: SURE * holds_profiles(path),
    most=None,
)
