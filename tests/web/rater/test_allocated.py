"""Units are allocated to people who come by the open link: through the real pages, until nothing is left to judge."""

from pathlib import Path
from typing import Any

from concordant.collection.events import Assigned, Ended
from concordant.design.description import Allocation, Assignment, Ending
from concordant.design.plan import make_plan
from concordant.studio.people import hashed, place_of
from concordant.studio.standards import found_gold
from tests.web.members import PASSWORD, RESEARCHER
from tests.web.pages.test_models import signed_in
from tests.web.plain import Plain
from tests.web.samples import RunningServer, running, study, unit


def come(run: RunningServer) -> Plain:
    page = Plain(run.visitor())
    page.go("/s/sample")
    if "Start" in page.html:
        page.client.post("/s/sample", data=dict(page.page.forms[""].fields))
        page.go("/s/sample/judge")
    return page


def judge(page: Plain, says: dict[str, str]) -> int:
    """Answer everything; returns how many pages there were."""
    n = 0
    while page.kind == "judging":
        value = next(answer for text, answer in says.items() if text in page.html)
        page.press(value)
        n += 1
        assert n < 20
    return n


def allocating(folder: Path) -> Any:
    units = tuple(unit(n, text=f"sentence {n}.", image=None) for n in range(4))
    made = study(
        folder, "binary", units=units, raters=(), is_open=True, n_sets=2, guidelines=None,
        assignment=Assignment(names=("1", "2"), judgements=2), allocation=Allocation(size=2, most=3),
        screened_out=Ending(text="Not for you.", code="LATER"),
    )  # fmt: skip
    return made.__class__(description=made.description, plan=make_plan(made.description))


def test_two_judge_everything_the_third_what_they_differ_on_and_the_fourth_nothing(tmp_path: Path) -> None:
    alike = {f"sentence {n}.": "yes" for n in range(4)}
    with running(tmp_path, allocating(tmp_path)) as run:
        assert judge(come(run), alike) == 4
        assert judge(come(run), {**alike, "sentence 2.": "no", "sentence 3.": "no"}) == 4
        third = come(run)
        assert judge(third, alike) == 2
        assert third.kind == "thanks"
        given = [event for event in run.events("sample") if isinstance(event, Assigned)]
        assert [event.units and {*event.units} for event in given] == [None, None, {"u2", "u3"}]
        assert judge(come(run), alike) == 2  # two of the two clear ones, which two votes do not make sure
        fifth = come(run)
        assert fifth.kind == "ended"
        assert "nothing left to judge" in fifth.html
        assert "LATER" in fifth.html
        assert "Not for you." not in fifth.html
        [ended] = [event for event in run.events("sample") if isinstance(event, Ended)]
        assert ended.reason == "nothing left to judge"
        fifth.go("/s/sample/judge")
        assert fifth.kind == "ended"
        run.server.accounts.add_researcher(RESEARCHER, hashed(PASSWORD), study="sample")
        place = place_of(run.server, RESEARCHER, "sample")
        _, standard, _ = found_gold(place, "binary", "votes")
        assert [one.n_votes for one in standard.values] == [3, 3, 3, 3]
        assert {one.value for one in standard.values} == {"yes"}
        raters = signed_in(run).get("/studies/sample/raters").text
        assert raters.count("allocated units") == 2
        assert "Agreement is that of the planned judgements." in signed_in(run).get("/studies/sample/results").text
        assert "not needed any more" in raters
