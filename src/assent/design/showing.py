"""From ids to what is shown: a planned pair becomes a unit with two alternatives, like any other unit to compare."""

from assent.design.description import Description, Option, Question, Unit
from assent.design.ordering import Step
from assent.design.plan import Plan


def unit_shown(description: Description, plan: Plan, id: str) -> Unit:
    """The unit with this id; for a pair of the plan, one unit whose alternatives A and B are the two texts."""
    pair = plan.pair_by_id.get(id)
    if pair is None:
        return description.unit_by_id[id]
    a, b = description.unit_by_id[pair.a], description.unit_by_id[pair.b]
    return Unit(
        id=id,
        item=pair.item,
        prompt=a.prompt,
        image=a.image,
        audio=a.audio,
        alternatives={"A": a.text, "B": b.text},
        attributes={key: value for key, value in a.attributes.items() if b.attributes.get(key) == value},
    )


def options_shown(question: Question, unit: Unit, step: Step) -> tuple[Option, ...]:
    """The options of a question in the order drawn for this step; the texts to rank come from the unit."""
    options = question.options or tuple(Option(value=value, label=text) for value, text in unit.alternatives.items())
    by_value = {option.value: option for option in options}
    return tuple(by_value[value] for value in step.options.get(question.id, tuple(by_value)))
