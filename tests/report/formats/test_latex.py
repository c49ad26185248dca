"""The LaTeX report: nothing in the data is a command, and it compiles."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.report.document import Document, Paragraph, Section
from concordant.report.formats import latex
from concordant.report.grid import Grid


@pytest.fixture(scope="module")
def text(document: Document) -> str:
    return latex.render(document)


def compile_tex(text: str, folder: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    (folder / "report.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "report.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, (folder / "report.log").read_text(errors="replace")[-2000:]


def test_the_structure_is_sound(text: str, document: Document) -> None:
    assert text.startswith("\\documentclass")
    assert text.rstrip().endswith("\\end{document}")
    assert text.count("\\begin{longtable}") == text.count("\\end{longtable}") == text.count("\\bottomrule")
    assert text.count("\\section*{") == len(document.sections)
    assert "booktabs" in text


def test_rows_have_as_many_cells_as_columns(text: str) -> None:
    for columns, body in re.findall(
        r"\\begin\{longtable\}\[l\]\{@\{\}(.*?)@\{\}\}\n(.*?)\\end\{longtable\}", text, re.DOTALL
    ):
        n = len(re.findall(r"[lr]|[LR]\{[\d.]+pt\}", columns))
        for line in body.splitlines():
            if line.endswith(r"\\") and "multicolumn" not in line:
                assert len(re.findall(r"(?<!\\)&", line)) == n - 1, line


@given(st.text())
def test_escaped_text_has_no_command_characters(text: str) -> None:
    bare = re.sub(r"\\(?:text\w+\{\}|ldots\{\}|[{}$&#%_])|\{[-']\}|\$\\?[a-z-]+\$", "", latex.escape(text))
    assert not set(bare) & set('\\{}$&#%_~^<>|"')


def test_it_compiles(text: str, tmp_path: Path) -> None:
    compile_tex(text, tmp_path)


def test_strange_characters_compile(tmp_path: Path) -> None:
    strange = "日本語 κ ŵ Ħ 𝔘 ﬁ \u0301 \u200b ß ğ œ €"
    table = Grid(title=strange, headers=(strange, "n"), rows=(("\\end{document} %", 1), ("~^#{}$", 2.5)))
    section = Section(key="x", title=strange, blocks=(Paragraph(text=strange), table))
    compile_tex(latex.render(Document(title=strange, subtitle=strange, sections=(section,))), tmp_path)
