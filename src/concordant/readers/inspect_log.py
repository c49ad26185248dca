"""Logs of Inspect: what a model answered to every sample, with its epochs as runs.

A log (`.eval`, an archive with a file for each sample, or `.json`) has a model, and samples with a completion and
scores. The answer is what the scorer took from the completion, or the completion itself (`take`); a score says how
a scorer judged the model, so it is taken only if it is asked for. Samples with an error, and those without an answer,
are missing.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from concordant.choices import choice
from concordant.errors import InputError, nearest
from concordant.model.columns import encode
from concordant.model.study import Study
from concordant.readers.answers import Answer, AnswerOptions, Answers, declared
from concordant.readers.format import Format
from concordant.readers.json_records import as_json, document
from concordant.readers.zipped import opened, unpacked

EVAL, HEADER, SAMPLES = ".eval", "header.json", "samples/"
UNSCORED = "no scorer took an answer from any sample: the whole completions are the answers"


class InspectOptions(AnswerOptions):
    """What of a sample is the model's judgement."""

    take: Literal["answer", "completion", "score"] = choice(
        "answer", "Inspect: what the scorer took as the answer, the whole completion, or the score given to it."
    )
    scorer: str | None = choice(None, "Inspect: which scorer, if there are several.")


def read(path: str | Path, options: InspectOptions) -> Study:
    """The answers of one model."""
    file = Path(path)
    log = packed(file) if file.suffix.casefold() == EVAL else document(file)
    if not (isinstance(log, dict) and isinstance(log.get("eval"), dict) and isinstance(log.get("samples"), list)):
        hint = "write the log with its samples: inspect log convert --to json"
        raise InputError("this is no log of Inspect with samples", file=file, hint=hint)
    model = str(log["eval"].get("model") or "")
    if not model:
        raise InputError("the log names no model", file=file, hint="eval.model is empty")
    options, unscored = _scored(log["samples"], options, file)
    answers, runs = Answers(file), []
    for row, sample in enumerate(log["samples"], start=1):
        if not isinstance(sample, dict) or "id" not in sample:
            raise InputError("a sample has no id", file=file, row=row, hint="write the log again")
        value, why = _judgement(sample, options, file, row)
        if why:
            answers.missing[why] += 1
        metadata = sample.get("metadata")
        answers.about[str(sample["id"])] = metadata if isinstance(metadata, dict) else {}
        answers.given.append(Answer(str(sample["id"]), model, "answer", value, row))
        runs.append(str(sample.get("epoch", 1)))
    study = answers.study(options)
    run = encode(np.array(runs, dtype=object))
    more = {"run": run} if len(set(runs)) > 1 else {}
    notes = (*unscored, *study.notes)
    return declared(replace(study, attributes={**study.attributes, **more}, models=(model,), notes=notes), options)


def _scored(samples: list[Any], options: InspectOptions, file: Path) -> tuple[InspectOptions, tuple[str, ...]]:
    """What is taken of samples: their completions where no scorer took an answer from any; with a note on that."""
    known = ((row, one) for row, one in enumerate(samples, start=1) if isinstance(one, dict))
    if options.take != "answer" or any(_judgement(one, options, file, row)[0] for row, one in known):
        return options, ()
    return replace(options, take="completion"), (UNSCORED,)


def packed(file: Path) -> dict[str, Any]:
    """A log in its usual form: an archive with a header and a file for each sample."""
    with opened(file) as archive:
        names = [name for name in archive.namelist() if name.startswith(SAMPLES) and name.endswith(".json")]
        if HEADER not in archive.namelist():
            raise InputError("the log has no header: the evaluation has not ended", file=file, hint="let it end")

        def held(name: str) -> Any:
            return as_json(unpacked(archive, name, file).decode("utf-8"), file)

        return {**held(HEADER), "samples": [held(name) for name in names]}


def _judgement(sample: dict[str, Any], options: InspectOptions, file: Path, row: int) -> tuple[Any, str]:
    """A sample's answer, or why there is none."""
    if sample.get("error"):
        return None, "the sample ended in an error"
    if options.take == "completion":
        output = sample.get("output")
        text = str(output.get("completion") or "").strip() if isinstance(output, dict) else ""
        return text or None, "" if text else "there is no completion"
    scores = sample.get("scores") or {}
    names = list(scores) if isinstance(scores, dict) else []
    if options.scorer is not None and options.scorer not in names:
        raise InputError(
            f"there is no scorer {options.scorer!r}", file=file, row=row, hint=nearest(options.scorer, names)
        )
    if options.scorer is None and len(names) > 1:
        raise InputError(f"there are several scorers: {', '.join(names)}", file=file, hint="say --read scorer=NAME")
    score = scores[options.scorer or names[0]] if names else {}
    found = score.get("answer" if options.take == "answer" else "value") if isinstance(score, dict) else None
    if isinstance(found, dict | list):
        raise InputError("the score is not one value", file=file, row=row, hint="say --read take=completion")
    return found, "" if found not in (None, "") else f"the scorer took no {options.take}"


def sniff(path: Path, head: str) -> float:
    """An archive by its ending, or a JSON object whose first entries are those of a log."""
    if path.suffix.casefold() == EVAL:
        return 0.95
    begin = head.lstrip("\ufeff \t\r\n")
    is_log = begin.startswith("{") and '"eval"' in begin and '"model"' in begin and '"task"' in begin
    return 0.95 if is_log and any(word in begin for word in ('"run_id"', '"eval_id"', '"status"')) else 0.0


FORMAT = Format(
    name="inspect",
    holds="judgements",
    help="A log of Inspect (.eval or JSON): a model's answers to all samples, epochs as runs.",
    read=read,
    endings=(".json", ".eval"),
    options=InspectOptions,
    sniff=sniff,
)
