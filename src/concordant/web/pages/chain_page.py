"""The page of the chain: from judged features to compared systems, and where it stands."""

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from concordant.about import NAME
from concordant.digits import cell_text
from concordant.studio import chained
from concordant.studio.chained import DONE, Chained
from concordant.studio.standards import Method
from concordant.web.markup import Texts, texts_for
from concordant.web.pages.shell import place_of, study_page
from concordant.web.requests import aside, checked_form

MOST_RANKED = 20
LONGEST_SCORES = 2_000_000


async def show(request: Request) -> Response:
    """GET …/chain; POST compares systems' scores, a table with a row for each response."""
    place, asked = await place_of(request), request.query_params
    form = await checked_form(request) if request.method == "POST" else {}
    scores, t = str(form.get("scores", ""))[:LONGEST_SCORES], texts_for(request)
    other, only, values = (asked.get(name, "")[:200] for name in ("other", "only", "values"))
    found = await aside(chained.chained, place, other=other, only=only, values=values, scores=scores)
    raters = found.features.latest().judgements if found.features else None
    bases = [
        (one.value, t(f"ch_basis_{word}")) for one, word in ((Method.VOTES, "votes"), (Method.ADJUDICATED, "decided"))
    ]
    return study_page(
        request,
        place,
        "report",
        template="chain",
        title=f"{t('ch_title')} · {place.study.description.title}",
        found=found,
        said=said(found, t),
        titles=titles(found),
        bases=[*bases, *((one, t("ch_basis_rater", rater=one)) for one in (raters.raters if raters else ()))],
        ranking=found.ranked.ranking.rows() if found.ranked else [],
        most=MOST_RANKED,
        other=other,
        values=values,
        scores=scores,
        status=422 if "systems" in found.reasons else 200,
    )


async def begin_pairs(request: Request) -> Response:
    """POST …/chain/pairs: a preference test of the judged features, as a draft."""
    place, _ = await place_of(request), await checked_form(request)
    title = texts_for(request)("ch_make_title", title=place.study.description.title)[:200]
    draft = await aside(chained.begin_pairs, place, title)
    return RedirectResponse(request.url_for("build", study=draft.name).path, status_code=303)


def titles(found: Chained) -> dict[str, str]:
    """What the features are called, by their names."""
    asked = found.features.study.description.questions if found.features else ()
    names = {one.feature for own in found.weights.values() for one in own.features}
    return {**{name: name for name in names}, **{one.id: one.title or one.id for one in asked}}


def said(found: Chained, t: Texts) -> dict[str, Any]:
    """The headline, a sentence for each step, the next step, and the command that does the same."""
    states = found.states
    n_done = sum(state == DONE for state in states.values())
    following = next((step for step, state in states.items() if state != DONE), "")
    headline = t("ch_headline_all") if not following else t("ch_headline", n=n_done, of=len(states))
    lines = {step: t(f"ch_open_{step}") for step in states} | findings(found, t)
    return {
        "headline": headline if not following else f"{headline} {t('ch_next', step=t(f'ch_{following}'))}",
        "next": following,
        "lines": lines,
        "command": f"{NAME} chain FEATURES PREFERENCES" + (f" --only {found.only}" if found.only else ""),
    }


def findings(found: Chained, t: Texts) -> dict[str, str]:
    """The sentences of the steps that have something to say."""
    lines, names = dict[str, str](), titles(found)
    if found.agreement:
        known = [one for one in found.agreement if one.value is not None]
        worst = min(known, key=lambda one: float(one), default=None)
        told = {"worst": names[str(worst.question)], "value": cell_text(worst.value)} if worst else {}
        which = "_none" if worst is None else "_one" if len(found.agreement) == 1 else ""
        lines["features"] = t(f"ch_said_features{which}", n=len(found.agreement), **told)
    elif found.features is None:
        lines["features"] = t("ch_own_features")
    if found.vectors is not None and found.vectors.units:
        n, known_n, distinct = len(found.vectors.units), found.n_known, found.vectors.n_distinct
        basis = basis_in(found.vectors.basis, t)
        lines["vectors"] = t("ch_said_vectors", known=known_n, n=n, basis=basis, distinct=distinct)
    every = found.weights.get(None)
    if found.preferences and every is not None:
        planned = len(found.preferences.study.plan.pairs)
        counts = {"decisions": every.n_decisions, "same": every.n_same}
        lines["preferences"] = t("ch_said_preferences", decided=found.n_pairs, n=planned, **counts)
    if found.used is not None and not found.used.reason:
        first = max(found.used.features, key=lambda one: one.weight or 0)
        lines["weights"] = t("ch_said_weights", feature=names[first.feature], weight=first.rounded)
    if found.ranked is not None:
        ranking = found.ranked.ranking
        lines["ranks"] = t("ch_said_ranks", n=len(ranking.units), items=len(ranking.items))
        if closest := found.closest:
            lines["systems"] = t("ch_said_systems", system=closest[0], value=cell_text(closest[1]))
    return lines


def basis_in(basis: str, t: Texts) -> str:
    """Where vectors come from, in the language of the page."""
    words = {"by votes": "votes", "adjudicated or unanimous": "decided", "as the items say": "items"}
    if basis in words:
        return t(f"ch_basis_{words[basis]}")
    return t("ch_basis_rater", rater=basis.removeprefix("as ").removesuffix(" says"))
