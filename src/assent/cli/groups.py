"""Groups of raters on the command line: `--group native=J1,J2,other=J3`, or a column that says each rater's group."""

from typing import TYPE_CHECKING

from assent.errors import InputError
from assent.model.groups import check_groups, groups_by_attribute, named_groups
from assent.model.study import Study

if TYPE_CHECKING:
    from assent.engines.out_of_core import RemoteTable


def read_groups(study: "Study | RemoteTable", given: tuple[str, ...]) -> dict[str, tuple[str, ...]] | None:
    """Groups of raters as named on the command line; None if there are none."""
    if not given:
        return None
    if not isinstance(study, Study):
        raise InputError("--group needs --engine memory")
    groups = named_groups([text for text in given if "=" in text])
    for name in given:
        groups |= groups_by_attribute(study, name) if "=" not in name else {}
    check_groups(study, groups)
    return groups
