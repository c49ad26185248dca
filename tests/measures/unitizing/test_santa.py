"""The SANTA corpus: all 91 texts, whichever way they are undefined."""

from pathlib import Path

import pytest

from concordant.measures.gamma import options
from concordant.measures.result import matrix
from concordant.model.continuum import continua
from concordant.readers import read
from tests.measures.unitizing.oracles import measure_all


@pytest.mark.data
def test_every_text_has_a_value_or_a_reason(data_dir: Path) -> None:
    texts = continua(read(data_dir / "santa" / "santa_spans.csv", holds="spans"), by=["guideline"])
    assert len(texts) == 91
    chosen = options("santa", samples=20, precision="none", seed=1)
    results = [measure_all(text, ["gamma"], chosen)[0] for text in texts]
    assert all((result.value is None) == (result.reason is not None) for result in results)
    assert sum(result.value is None for result in results) == 13
    found = matrix(results)
    assert len(found.texts) == 13
    assert len(found.columns) == 7
    best = max(found.columns, key=lambda column: column.summary["Mean"] or -1)
    assert best.title == "SANTA7"
    assert len(texts[0].categories) == 153
