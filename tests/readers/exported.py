"""What the tests of other tools' exports share: files to write, real exports to find."""

import json
import os
from pathlib import Path
from typing import Any

from concordant.model.study import Study
from concordant.readers import read
from concordant.readers.format import Format

EXPORTS = Path(os.environ.get("CONCORDANT_DATA", "")) / "exports"


def write(path: Path, content: Any) -> Path:
    """A file of text, of JSON, or of a list of JSON Lines if the name ends so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        text = content
    elif path.suffix == ".jsonl":
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in content)
    else:
        text = json.dumps(content, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    return path


def study_of(path: Path, *more: Path, **options: Any) -> Study:
    """The judgements of a file, read without being told what it is."""
    study = read(path, *more, **options)
    assert isinstance(study, Study)
    return study


def cells(study: Study) -> list[tuple[str, ...]]:
    """The judgements as unit, rater, question if there are several, and value."""
    columns = [study.unit, study.rater, *([study.question] if study.question else []), study.value]
    return list(zip(*(column.text().tolist() for column in columns), strict=True))


def claim(format: Format, path: Path) -> float:
    """How sure a format is of a file."""
    return format.confidence(path, path.read_text(encoding="utf-8"))
