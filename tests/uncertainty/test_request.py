"""What can be asked, and what is asked when nothing is said.

Signatures are made, taken apart and checked.
"""

import inspect
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import concordant
from concordant.choices import escape
from concordant.engines.tally import Tally, tally, unit_tally
from concordant.errors import InputError
from concordant.measures.catalogue import find_measure
from concordant.measures.spec import Asked, Setting
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.uncertainty import planning, random_pairs, significance
from concordant.uncertainty.estimate import measure, verify
from concordant.uncertainty.request import MOST_RESAMPLES, Ci, Request, ask, compare, read_signature
from tests.uncertainty.conftest import panel


@pytest.mark.parametrize(
    ("inside", "outside", "said"),
    [
        ({"confidence": 1e-6}, {"confidence": 0.0}, "the confidence 0 is not between 0 and 1"),
        ({"confidence": 1 - 1e-6}, {"confidence": 1.0}, "the confidence 1 is not between 0 and 1"),
        ({"resamples": 1}, {"resamples": 0}, "0 resamples are too few"),
        ({"resamples": 10_000_000}, {"resamples": 10_000_001}, "10,000,001 resamples are too many"),
        ({"seed": 0}, {"seed": -1}, "the seed -1 is negative"),
        ({"seed": np.int64(3)}, {"seed": "x"}, "the seed 'x' is no whole number"),
        ({"permutations": 0}, {"permutations": -1}, "-1 permutations cannot be made"),
        ({"permutations": 10_000_000}, {"permutations": 10_000_001}, "10,000,001 permutations cannot be made"),
        ({"ci": "bca"}, {"ci": "bcx"}, "unknown kind of interval 'bcx'; did you mean 'bca'"),
        ({"over": "both"}, {"over": "bot"}, "unknown thing to resample 'bot'; did you mean 'both'"),
        ({"ci": "pairs"}, {"ci": "pairs", "permutations": 1}, "the mean over random pairs has no permutation test"),
    ],
)
def test_both_sides_of_every_limit(inside: dict[str, Any], outside: dict[str, Any], said: str) -> None:
    request = Request(key="kappa", **inside)
    assert all(getattr(request, name) == given for name, given in inside.items())
    with pytest.raises(InputError, match=said):
        Request(key="kappa", **outside)


@pytest.mark.parametrize(
    ("given", "is_random"),
    [
        ({"ci": "bootstrap"}, True),
        ({"ci": "bca"}, True),
        ({"ci": "pairs"}, True),
        ({"ci": "chance"}, True),
        ({"ci": "jackknife"}, False),
        ({"ci": "analytic"}, False),
        ({"ci": "none"}, False),
        ({"ci": "none", "permutations": 1}, True),
    ],
)
def test_what_depends_on_the_seed(given: dict[str, Any], is_random: bool) -> None:
    assert Request(key="kappa", **given).is_random is is_random


def test_everything_that_can_be_called_takes_the_same_for_granted() -> None:
    """95 % and 2,000 resamples wherever one can say otherwise; no p-value unless asked for."""
    usual = {"confidence": 0.95, "resamples": 2000, "over": "units", "of": "units"}
    called: list[Any] = [
        Request,
        Asked,
        Setting,
        planning.plan,
        concordant.plan,
        random_pairs.random_pairs,
    ]
    for one in called:
        defaults = {name: value.default for name, value in inspect.signature(one).parameters.items()}
        assert {name: usual[name] for name in defaults if name in usual} == {
            name: value for name, value in defaults.items() if name in usual
        }, one
    assert inspect.signature(Request).parameters["permutations"].default == 0
    tests: list[Any] = [significance.above_chance, significance.unit_groups_differ, significance.rater_groups_differ]
    assert [inspect.signature(one).parameters["permutations"].default for one in tests] == [1999] * 3
    planned = inspect.signature(planning.stopping).parameters
    assert (planned["resamples"].default, planned["seed"].default) == (400, 1)
    assert MOST_RESAMPLES == 10_000_000


def test_the_interval_is_the_usual_one_of_the_measure() -> None:
    assert ask("kappa", seed=4).ci == "auto"
    for key, usual in {"kappa": "bootstrap", "gamma": "chance", "alpha_u": "none"}.items():
        assert find_measure(key).ci[0] == usual
    assert ask("kappa", seed=0).seed == 0
    assert ask("kappa").seed != ask("kappa").seed


CLOSE = np.array([[1, 0.5, 0, 0], [0.5, 1, 0.5, 0], [0, 0.5, 1, 0.5], [0, 0, 0.5, 1]])
names = st.text(min_size=1, max_size=12).filter(lambda text: text.strip() == text)


def test_a_signature_says_what_was_computed(two_raters: Tally) -> None:
    text = measure(two_raters, "kappa", ci="bca", resamples=50, seed=1).signature
    assert text.startswith(
        "kappa|level:nominal|units:100|raters:2|dropped:0|shares:paired|ci:bca,95%,units|B:50|seed:1|scale:4,"
    )
    assert text.endswith("|v:0.2.0")
    assert f"|data:{two_raters.fingerprint}|" in text


@pytest.mark.parametrize(
    ("choices", "fields"),
    [
        ({"ci": "none"}, "|ci:none|scale"),
        ({"ci": "analytic", "confidence": 0.9}, "|ci:analytic,90%|scale"),
        ({"ci": "jackknife", "over": "raters"}, "|ci:jackknife,95%,raters|scale"),
        ({"ci": "pairs", "seed": 4}, "|ci:pairs,95%|seed:4|scale"),
        ({"ci": "none", "singletons": "drop", "weight": "judgements"}, "|shares:paired|weight:judgements|ci:none"),
        ({"ci": "none", "shares": "all"}, "|shares:all|ci:none"),
        ({"ci": "none", "weights": CLOSE}, "|weights:matrix,"),
        ({"ci": "none", "question": "how | well"}, "|question:how %7C well|"),
        ({"ci": "none", "slice": {"group": "a,b", "x": "1"}}, "|slice:group=a%2Cb,x=1|"),
        ({"ci": "none", "raters": ["rater 1", "rater 3", "rater 2"]}, "|pair:rater 1,rater 3,rater 2|"),
        ({"ci": "none", "selection": {"where": "a=b"}}, "|from.where:a%3Db|"),
    ],
)
def test_every_choice_is_in_the_signature_and_verifies(
    five_raters: Tally, choices: dict[str, Any], fields: str
) -> None:
    text = measure(five_raters, "fleiss", **choices).signature
    assert fields in text
    assert verify(text, five_raters, matrices={"weights": CLOSE}).matches


@given(names, names, names)
def test_any_name_survives(question: str, attribute: str, level: str) -> None:
    data = tally(Judgements.from_matrix([[1, 1], [2, 2], [1, 2]], level="nominal"))
    source = {"unit": question, "question": attribute, "value": level, attribute: "x"}
    made = measure(data, "pi", ci="none", question=question, slice={attribute: level}, selection=source)
    claimed = read_signature(made.signature)
    assert claimed.question == question
    assert claimed.slice == {attribute: level}
    assert claimed.selection == source


def test_escaping_keeps_other_letters() -> None:
    assert escape("naïve %|,:=") == "naïve %25%7C%2C%3A%3D"


def test_a_changed_judgement_changes_the_fingerprint_and_is_found(two_raters: Tally) -> None:
    cells = panel(100, 2)
    text = measure(two_raters, "kappa", resamples=50, seed=1).signature
    cells[0, 0] = cells[0, 0] % 4 + 1
    found = verify(text, Judgements.from_matrix(cells, level="nominal"))
    assert not found.matches
    assert found.differences[0].startswith("data: ")
    assert any(difference.startswith("value: ") for difference in found.differences)


def test_a_wrong_value_is_found(two_raters: Tally) -> None:
    made = measure(two_raters, "kappa", ci="none")
    text = made.signature.replace(f"value:{made.value!r}", "value:0.5")
    assert verify(text, two_raters).differences == (f"value: 0.5 in the signature, {made.value!r} computed",)


def test_another_version_is_said_only_when_numbers_differ(two_raters: Tally) -> None:
    text = measure(two_raters, "kappa", ci="none").signature.replace("v:0.2.0", "v:0.0.9")
    assert verify(text, two_raters).matches
    other = verify(text.replace("units:100", "units:99"), two_raters)
    assert other.differences[-1] == "version: 0.0.9 in the signature, 0.2.0 here"


def test_a_missing_interval_is_a_difference(two_raters: Tally) -> None:
    text = measure(two_raters, "kappa", ci="none").signature.replace("|v:", "|interval:0.1,0.2|v:")
    assert verify(text, two_raters).differences == ("interval: 0.1,0.2 in the signature, nothing computed",)


def test_undefined_is_signed_and_verified() -> None:
    data = Judgements.from_matrix([[1, 1], [1, 1]], level="nominal")
    text = measure(data, "kappa", seed=1).signature
    assert "|value:undefined|" in text
    assert verify(text, data).matches
    assert not verify(text.replace("undefined", "0.5"), data).matches


def test_a_matrix_must_be_given_again(five_raters: Tally) -> None:
    text = measure(five_raters, "fleiss", ci="none", weights=CLOSE).signature
    with pytest.raises(InputError, match="made with a matrix of weights"):
        verify(text, five_raters)
    with pytest.raises(InputError, match="not the matrix of weights"):
        verify(text, five_raters, matrices={"weights": np.eye(4)})


@pytest.mark.parametrize("text", ["", "kappa", "kappa|value:1|v:0.2.0", "|data:1|value:1|v:0.2.0"])
def test_what_is_no_signature_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a signature"):
        read_signature(text)


def test_a_value_that_is_no_number_is_refused(two_raters: Tally) -> None:
    made = measure(two_raters, "kappa", ci="none")
    with pytest.raises(InputError, match="'high' in the signature is not a number"):
        verify(made.signature.replace(repr(made.value), "high"), two_raters)


def test_a_signature_without_place_has_none(two_raters: Tally) -> None:
    claimed = read_signature(measure(two_raters, "kappa", ci="none").signature)
    assert (claimed.question, claimed.slice, claimed.raters, claimed.selection) == (None, None, None, {})


@pytest.mark.parametrize(
    ("was", "becomes", "message"),
    [
        ("seed:1", "seed:one", "'one' in the signature is not a whole number"),
        ("B:10", "B:nan", "'nan' in the signature is not a whole number"),
        ("B:10", "B:99999999999999999999", "resamples are too many"),
        ("ci:bootstrap,95%,units", "ci:bootstrap", "'' in the signature is not a number"),
        ("ci:bootstrap,95%,units", "ci:booted,95%,units", "unknown kind of interval"),
        ("|ci:", "|weights:lineer|ci:", "unknown weights"),
        ("level:nominal", "level:nominel", "unknown level"),
        ("kappa|", "kapa|", "unknown measure"),
    ],
)
def test_a_damaged_signature_is_one_clear_line(two_raters: Tally, was: str, becomes: str, message: str) -> None:
    text = measure(two_raters, "kappa", ci="bootstrap", resamples=10, seed=1).signature
    with pytest.raises(InputError, match=message):
        verify(text.replace(was, becomes), two_raters)


def test_an_interval_with_one_end_is_a_difference(two_raters: Tally) -> None:
    made = measure(two_raters, "kappa", resamples=10, seed=1)
    assert made.interval is not None
    assert not verify(made.signature.replace(f",{made.interval.high!r}|", "|"), two_raters).matches


@pytest.mark.parametrize(("moved", "matches"), [(1e-13, True), (1e-7, False), (1e-5, False)])
def test_a_signature_holds_to_the_ninth_digit(two_raters: Tally, moved: float, matches: bool) -> None:
    made = measure(two_raters, "kappa", ci="none")
    text = made.signature.replace(repr(made.value), repr(float(made) + moved))
    assert verify(text, two_raters).matches == matches


def test_the_ninth_digit_counts_and_the_last_ones_do_not(two_raters: Tally) -> None:
    made = measure(two_raters, "kappa", ci="analytic")
    assert made.value is not None
    assert made.interval is not None
    for change, matches in ((1e-12, True), (1e-7, False)):
        other = made.signature.replace(f"value:{made.value!r}", f"value:{made.value + change!r}")
        assert verify(other, two_raters).matches is matches
        moved = f"interval:{made.interval.low!r},{made.interval.high + change!r}"
        other = made.signature.replace(f"interval:{made.interval.low!r},{made.interval.high!r}", moved)
        assert other != made.signature
        assert verify(other, two_raters).matches is matches
    shorter = made.signature.replace(f"{made.interval.low!r},{made.interval.high!r}", f"{made.interval.low!r}")
    assert not verify(shorter, two_raters).matches


def test_signatures_name_what_was_random_and_nothing_else(two_raters: Tally) -> None:
    quick: dict[str, Any] = {"resamples": 20, "seed": 3}
    drawn: tuple[tuple[Ci, bool], ...] = (("none", False), ("analytic", False), ("jackknife", False))
    for ci, is_signed in (*drawn, ("bca", True), ("bootstrap", True)):
        fields = read_signature(measure(two_raters, "kappa", ci=ci, **quick).signature).fields
        assert ("seed" in fields) is is_signed
        assert ("B" in fields) is is_signed
    tested = measure(two_raters, "kappa", ci="none", permutations=9, **quick)
    fields = read_signature(tested.signature).fields
    assert (fields["permutations"], fields["seed"]) == ("9", "3")
    assert fields["p"] == repr(tested.details["chance_test"]["p"])
    assert verify(tested.signature, two_raters).matches


ROWS = {"unit": list("aabbccdd"), "rater": list("XYXYXYXY"), "value": list("uuuvvvuu")}


def from_rows(**other: list[str]) -> Judgements:
    return Judgements.from_rows(*({**ROWS, **other}[name] for name in ("unit", "rater", "value")), level="nominal")


def test_the_whole_digest_is_signed_and_print_leaves_it_out() -> None:
    found = measure(from_rows(), "kappa", seed=1, resamples=50)
    digest = read_signature(found.signature).fields["sha256"]
    assert len(digest) == 64
    assert "sha256" not in found.short_signature
    assert verify(found.short_signature, from_rows()).matches
    forged = verify(found.signature.replace(digest, "0" * 64), from_rows())
    assert [one.partition(":")[0] for one in forged.differences] == ["sha256"]


def test_the_digest_knows_judgements_and_neither_rows_nor_units() -> None:
    data = tally(from_rows())
    turned = from_rows(**{name: values[::-1] for name, values in ROWS.items()})
    renamed = from_rows(unit=list("hhggffee"))
    assert {tally(one).digest for one in (turned, renamed)} == {data.digest}
    changed = [from_rows(rater=list("XZXZXZXZ")), from_rows(value=list("uuuvvvuv")), from_rows(value=list("uuuwwwuu"))]
    assert len({data.digest, *(tally(one).digest for one in changed)}) == 4
    numbers = [tally(Judgements.from_matrix(np.arange(8).reshape(4, 2) / 7 + by)) for by in (0, 0, 1e-9)]
    assert numbers[0].digest == numbers[1].digest != numbers[2].digest
    whole = unit_tally(from_rows()).of_units(np.ones(4, dtype=bool))  # whose patterns are in another order
    assert whole.digest == data.digest


def test_units_are_bound_by_name_if_that_is_asked_for() -> None:
    bound = measure(from_rows(), "kappa", seed=1, resamples=50, bind_units=True)
    turned = from_rows(**{name: values[::-1] for name, values in ROWS.items()})
    assert verify(bound.signature, turned).matches
    other = verify(bound.signature, from_rows(unit=list("aabbccee")))
    assert [one.partition(":")[0] for one in other.differences] == ["bound"]
    assert not verify(bound.signature, from_rows(unit=list("bbaaccdd"))).matches
    with pytest.raises(InputError, match="no names to bind"):
        measure(Judgements.from_matrix([[1, 1], [1, 2]]), "kappa", bind_units=True)
    with pytest.raises(InputError, match="only judgements in memory"):
        measure(replace(tally(from_rows()), source=None), "kappa", bind_units=True)


def test_bound_numbers_are_those_of_their_units() -> None:
    values = [str(1 + n / 7) for n in range(8)]
    data = Judgements.from_rows(ROWS["unit"], ROWS["rater"], values, level="interval")
    found = measure(data, "icc_c1", seed=1, bind_units=True)
    assert verify(found.signature, data).matches


def test_crowds_say_that_they_were_drawn_by_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until 0.1.0 the counts of very many units were not merged: such signatures verify within their error."""
    monkeypatch.setattr("concordant.engines.tally.DENSE_CELLS", 1)
    data = tally(Judgements.from_matrix(generator(1).integers(0, 3, (60, 3)), level="nominal"))
    for key, drawn in {"alpha": "counts", "conger": "patterns"}.items():
        found = measure(data, key, ci="bootstrap", seed=1, resamples=200)
        assert f"|draws:{drawn}|" in found.signature
        assert verify(found.signature, data).matches
        assert verify(found.signature.replace(f"|draws:{drawn}", ""), data).matches


@pytest.mark.parametrize(("errors", "matches"), [(0.0, True), (3.9, True), (4.1, False), (-4.6, True), (-5.2, False)])
def test_an_interval_that_was_drawn_otherwise_may_differ_by_chance(errors: float, matches: bool) -> None:
    """Until 0.1.0 crowds were drawn in another order: 4 standard errors of the difference of two drawn quantiles.

    The wider of the two intervals says how large these are, so that a lower end may lie lower.
    """
    result = measure(
        Judgements.from_matrix(panel(60, 3), level="nominal"), "alpha", ci="bootstrap", resamples=500, seed=1
    )
    assert result.interval is not None
    width, z = result.interval.width, stats.norm.ppf(0.975)
    error = width / (2 * z) * np.sqrt(0.025 * 0.975 / 500) / stats.norm.pdf(z)
    low = float(result.interval.low + errors * np.sqrt(2) * error)
    old = result.signature.replace(f"interval:{result.interval.low!r},", f"interval:{low!r},")
    now = result.with_(signature=result.signature.replace("|B:", "|draws:counts|B:"))
    assert ("interval" not in " ".join(compare(read_signature(old), now).differences)) is matches
