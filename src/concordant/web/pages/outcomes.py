"""Pages for what answers amount to: agreement, disagreements, decisions, gold standard, weights, reports and data."""

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from concordant.collection.accounts import ADJUDICATOR
from concordant.digits import whole_number
from concordant.errors import InputError
from concordant.studio import chained, dashboard, disagreements, exports, measurements, model_judges, standards
from concordant.studio.people import DECIDERS, MemberPlace
from concordant.tasks.kind import kind_of
from concordant.web.markup import texts_for
from concordant.web.pages.shell import back_to, fragment, place_of, signed_in, study_page, when_made
from concordant.web.rater.parse_page import FIRST, Look, chosen_trees
from concordant.web.rater.stages import single_stage, value_in
from concordant.web.requests import aside, checked_form, download, written
from concordant.web.server import server_of

NOTHING_NEW = 204
PAGE = 25
FILTERS = ("question", "one", "other", "rater", "attribute", "causes_by")
LONGEST_COMMENT, LONGEST_CAUSE = 5000, 200


async def opening(request: Request) -> Response:
    """GET …/results: the verdict first, what to do next, where disagreement lives; tables on demand."""
    place, asked = await place_of(request), request.query_params
    by, is_sorted = asked.get("by", ""), asked.get("sort") == "worst"
    options = {"question": asked.get("question", ""), "by": by, "language": texts_for(request).language}
    found = await aside(dashboard.results, place, is_sorted=is_sorted, **options)
    panel = await aside(measurements.panel, place)
    wanted = {"asks_pairs": asked.get("pairs") == "yes", "asks_spans": asked.get("spans") == "yes"}
    parts = await aside(measurements.parts, place, by=by, **wanted)
    compared = await aside(lambda: dashboard.rounds(place.measured()))
    shown = {**vars(panel), **vars(parts), "rounds": compared, "by": by, "found": found, "is_sorted": is_sorted}
    return study_page(request, place, "results", **shown, opens=any(wanted.values()))


async def news(request: Request) -> Response:
    """GET …/results/news?answers=N: a line when there are more answers than the reader sees."""
    place = await place_of(request)
    seen = whole_number(request.query_params.get("answers")) or 0
    n = await aside(dashboard.news, place, seen)
    return fragment(request, place, "news.html", n=n) if n else Response(status_code=NOTHING_NEW)


async def next_steps(request: Request) -> Response:
    """GET …/results/next: what to do next, with how many more texts that takes."""
    place = await place_of(request)
    seq, steps = await aside(dashboard.steps_of, place, texts_for(request).language)
    if request.query_params.get("seq") == str(seq):
        return Response(status_code=NOTHING_NEW)
    return fragment(request, place, "next_steps.html", seq=seq, steps=steps)


async def stopping(request: Request) -> Response:
    """GET …/agreement/stopping: the part that says how many more units or raters it takes."""
    place = await place_of(request)
    snapshot = await aside(place.measured)
    if request.query_params.get("seq") == str(snapshot.seq):
        return Response(status_code=NOTHING_NEW)
    stops = await aside(measurements.stoppings, place, snapshot)
    return fragment(request, place, "stopping_panel.html", seq=snapshot.seq, stops=stops)


async def aim(request: Request) -> Response:
    """POST …/target: how narrow the interval shall be."""
    place, form = await place_of(request), await checked_form(request)
    await aside(measurements.aim, place, str(form.get("width", "")))
    return back_to(request, place, "results", "#stop")


async def disputed(request: Request) -> Response:
    """GET …/disagreements: the list of disputed units, and one of them: `unit` and `question_of`, or the first."""
    place, params = await place_of(request, DECIDERS), request.query_params
    if place.role == ADJUDICATOR:
        return back_to(request, place, "adjudication")
    attribute, _, value = params.get("attribute", "").partition("=")
    names = {name: params.get(name, "") for name in ("question", "one", "other", "rater")}
    asked = disagreements.asked_for(**names, attribute=attribute, value=value)
    found, choices = await aside(disagreements.explore, place, asked)
    number = max(1, whole_number(params.get("page")) or 1)
    shown = found[(number - 1) * PAGE : number * PAGE]
    chosen = params.get("unit", ""), params.get("question_of", "")
    seen = next((one.case.place for one in shown if one.case.place == chosen), shown[0].case.place if shown else None)
    beside = await _looked_at(place, *seen, with_names=params.get("names") == "yes") if seen else {}
    return study_page(
        request,
        place,
        "disagreements",
        entries=shown,
        legends=disagreements.legends(shown),
        n_found=len(found),
        number=number,
        n_pages=max(1, -(-len(found) // PAGE)),
        asked=asked,
        choices=choices,
        causes=await aside(disagreements.causes, place, by=params.get("causes_by", "")),
        attributes=sorted({name for one in place.study.description.units for name in one.attributes}),
        query=urlencode({name: value for name, value in params.items() if name in FILTERS and value}),
        is_chosen=seen == chosen,
        **beside,
    )


async def _looked_at(place: MemberPlace, unit: str, question: str, *, with_names: bool) -> dict[str, Any]:
    """A unit as the raters saw it, with everything they answered, for a page."""
    looked = await aside(disagreements.look, place, unit, question, with_names=with_names)
    values = [given.value for given in looked.one.case.given]
    chosen = await aside(chosen_trees, looked.one.question, looked.one.unit, values)
    return {**vars(looked), "with_names": with_names, "chosen": chosen}


async def unit(request: Request) -> Response:
    """GET …/disagreements/unit?unit=…&question=…: one unit as the raters saw it, with everything they answered."""
    place, params = await place_of(request), request.query_params
    asked = params.get("unit", ""), params.get("question", "")
    looked = await _looked_at(place, *asked, with_names=params.get("names") == "yes")
    return study_page(request, place, "disagreements", **looked)


async def adjudication(request: Request) -> Response:
    """GET …/adjudication: the next case to decide, blind to names, or the one in the address."""
    params = request.query_params
    asked = params.get("unit", ""), params.get("question", "")
    return await _case(request, await place_of(request, DECIDERS), *asked)


async def decide(request: Request) -> Response:
    """POST …/adjudication; of parses also one of the steps towards a decision."""
    place, form = await place_of(request, DECIDERS), await checked_form(request)
    case = disagreements.find_case(await aside(place.latest), str(form.get("unit", "")), str(form.get("question", "")))
    question = place.study.description.question(case.question)
    try:
        value = await aside(value_in, form, question, place.study.unit(case.unit))
        if "decide" not in form and kind_of(question).redraws:
            return await _case(request, place, *case.place, value=value, look=Look.asked(form.get("look")))
        await aside(
            disagreements.decide,
            place,
            *case.place,
            value,
            id=str(form.get("event", "")),
            comment=written(form.get("comment"))[:LONGEST_COMMENT],
            is_unclear=bool(form.get("unclear")),
            cause=(written(form.get("own_cause")) or written(form.get("cause")))[:LONGEST_CAUSE],
            seen=whole_number(form.get("seen")),
        )
    except InputError as error:
        return await _case(request, place, *case.place, fault=str(error))
    more = "?all=yes" if form.get("all") else "?second=yes" if form.get("second") else ""
    return back_to(request, place, "adjudication", more)


async def _case(
    request: Request,
    place: MemberPlace,
    unit: str,
    question: str,
    *,
    fault: str = "",
    value: Any = None,
    look: Look = FIRST,
) -> Response:
    """A case with its question as raters see it: without an answer, with one of theirs, or as far as `value` goes."""
    params = request.query_params
    start, everything = whole_number(params.get("start")), params.get("all") == "yes"
    skip = whole_number(params.get("skip")) or 0
    which = {"everything": everything, "second": params.get("second") == "yes"}
    docket = await aside(disagreements.docket, place, unit, question, skip=skip, **which)
    values = {**vars(docket), **which, "fault": fault, "look": look}
    if docket.case is not None:
        if value is None and start is not None and start < len(docket.given):
            value = docket.given[start].value
        values["stage"] = stage = single_stage(place.study, docket.case.unit, docket.case.question, value)
        given = [one.value for one in docket.case.given]
        values["chosen"] = await aside(chosen_trees, stage.questions[0].question, stage.unit, given)
    return study_page(request, place, "disagreements", template="adjudication", status=422 if fault else 200, **values)


async def gold(request: Request) -> Response:
    """GET …/gold: the gold standard, raters against adjudicated values, one group of raters against another."""
    place, asked = await place_of(request), request.query_params
    question, method, chosen = (asked.get(name, "") for name in ("question", "method", "groups"))
    view = await aside(standards.gold_view, place, question, method, chosen)
    t = texts_for(request)
    methods = [(one.value, t(f"gd_m_{one.value}")) for one in standards.Method]
    return study_page(request, place, "report", template="gold", **vars(view), methods=methods, chosen=chosen)


async def gold_table(request: Request) -> Response:
    """GET …/gold.csv."""
    place, asked = await place_of(request), request.query_params
    name, text = await aside(standards.downloaded, place, asked.get("question", ""), asked.get("method", ""))
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


async def models(request: Request) -> Response:
    """GET …/models: what models that answered may stand for; for researchers only, raters never see what they said."""
    place, asked = await place_of(request), request.query_params
    longest = {"by": 200, "require": 2000, "epsilon": 20}
    said: dict[str, Any] = {name: asked.get(name, "")[:most] for name, most in longest.items()}
    view = await aside(model_judges.models_view, place, **said)
    return study_page(request, place, "report", template="models", **vars(view), **said)


async def weights(request: Request) -> Response:
    """GET …/weights; POST compares a system's scores, one `unit score` on each line, with the ranking."""
    place = await place_of(request)
    scores = str((await checked_form(request)).get("scores", "")) if request.method == "POST" else ""
    view = await aside(standards.weights_view, place, scores)
    return study_page(request, place, "report", template="weights", **vars(view), scores=scores)


async def takeaways(request: Request) -> Response:
    """GET …/report: what there is to take away."""
    place = await place_of(request)
    has_judgements, marked = await aside(exports.reportable, place)
    language = texts_for(request).language
    first_page = (
        await aside(lambda: dashboard.page_one(place.measured(), language)) if has_judgements or marked else None
    )
    shown: dict[str, Any] = {"has_judgements": has_judgements, "marked": marked, "found": first_page}
    return study_page(request, place, "report", has_chain=chained.is_link(place), **shown)


async def report(request: Request) -> Response:
    """GET …/report.FORMAT."""
    place, asked = await place_of(request), request.query_params
    made = await aside(exports.report, place, request.path_params["ending"], spans=asked.get("spans", ""))
    return await when_made(request, place.who, made, is_shown="show" in asked, back=request.url.path.rpartition(".")[0])


async def export(request: Request) -> Response:
    """GET …/export.FORMAT: everything, with the codebook; `?raw` without the cleaning."""
    place, is_raw = await place_of(request), "raw" in request.query_params
    return await download(await aside(exports.export, place, request.path_params["ending"], is_raw=is_raw))


async def dataset(request: Request) -> Response:
    """GET /researcher/data/NAME.FORMAT: the report of a finished data set; a page is shown, the rest is for keeping."""
    who, asked = await signed_in(request), request.path_params
    made = await aside(exports.dataset, server_of(request), asked["name"], asked["ending"])
    return await when_made(request, who, made, is_shown=True)
