"""Groups of raters on the command line: `--group native=J1,J2`, or a column that says each rater's group."""

from assent.cli.data import split
from assent.engines.out_of_core import RemoteTable
from assent.errors import InputError
from assent.model.groups import check_groups, groups_by_attribute
from assent.model.study import Study


def read_groups(study: Study | RemoteTable, given: tuple[str, ...]) -> dict[str, tuple[str, ...]] | None:
    """Groups of raters as named on the command line; None if there are none."""
    if not given:
        return None
    if not isinstance(study, Study):
        raise InputError("--group needs --engine memory")
    groups: dict[str, tuple[str, ...]] = {}
    for text in given:
        name, equals, raters = text.partition("=")
        if not equals:
            groups |= groups_by_attribute(study, name)
            continue
        if not name or not split(raters):
            raise InputError(f"--group {text!r} is not NAME=RATER,RATER", hint="for example --group native=J1,J2")
        groups[name.strip()] = split(raters) or ()
    check_groups(study, groups)
    return groups
