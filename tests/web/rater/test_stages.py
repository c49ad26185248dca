"""What a screen shows of a question."""

from concordant.design.steps import Step, StepKind
from concordant.web.rater.stages import Asked
from tests.web.samples import QUESTIONS, unit


def asked(name: str, *drawn: str) -> Asked:
    """A question whose options, or patterns, were drawn in this order."""
    step = Step(number=0, unit="u1", kind=StepKind.MAIN, questions=(name,), pass_number=0, options={name: drawn})
    return Asked(question=QUESTIONS[name], unit=unit(1), step=step, position=0)


def test_the_order_drawn_is_of_patterns_or_of_options() -> None:
    shown = asked("patterns", "object", "active", "basic")
    assert [pattern.id for pattern in shown.patterns] == ["object", "active", "basic"]
    shown = asked("categorical", "verb", "other", "noun", "adjective")
    assert shown.patterns == []
    assert [choice.value for choice in shown.choices] == ["verb", "other", "noun", "adjective"]
