"""The report as a LaTeX document (booktabs tables), to be compiled as it is or cut into a paper."""

from collections.abc import Sequence

from assent.report.document import Block, Document, Drawing, Grid, Notice, Paragraph, Points, Section
from assent.report.tables import cell_text

TEXT_WIDTH = 483  # points: A4 with margins of 2 cm
SIZES = {r"\footnotesize": 4.5, r"\scriptsize": 4.0, r"\tiny": 3.2}  # points that a letter takes
SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"{'}",
    "`": r"\textasciigrave{}",
    "-": "{-}",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "’": "'",
    "‘": "`",
    "“": "``",
    "”": "''",
    "×": r"$\times$",
    "·": r"\textperiodcentered{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "±": r"$\pm$",
    "−": r"$-$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "γ": r"$\gamma$",
    "δ": r"$\delta$",
    "κ": r"$\kappa$",
    "π": r"$\pi$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "→": r"$\rightarrow$",
}
# Characters that pdfTeX knows by itself: Latin letters with accents.
KNOWN = frozenset(
    map(
        chr,
        [
            *range(0xA1, 0x100),
            *range(0x100, 0x126),
            *range(0x128, 0x138),
            *range(0x139, 0x149),
            *range(0x14A, 0x166),
            *range(0x168, 0x17F),
        ],
    )
)
PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage[a4paper,margin=2cm]{geometry}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \usepackage{textcomp}
%(unknown)s\fi
\usepackage{array,booktabs,longtable}
\newcolumntype{L}[1]{>{\raggedright\arraybackslash\hspace{0pt}}p{#1}}
\newcolumntype{R}[1]{>{\raggedleft\arraybackslash\hspace{0pt}}p{#1}}
\setlength{\tabcolsep}{4pt}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.6em}
\title{%(title)s}
\author{%(subtitle)s}
\date{}
\begin{document}
\maketitle
"""


def render(document: Document) -> str:
    """The whole document; characters that pdfTeX does not know are shown by their numbers there."""
    body = "\n\n".join(_section(section) for section in document.sections)
    title, subtitle = escape(document.title), escape(document.subtitle)
    unknown = sorted({c for c in body + title + subtitle if ord(c) > 126 and c not in KNOWN})
    declared = "".join(rf"  \DeclareUnicodeCharacter{{{ord(c):04X}}}{{[U+{ord(c):04X}]}}" + "\n" for c in unknown)
    return PREAMBLE % {"unknown": declared, "title": title, "subtitle": subtitle} + body + "\n\n\\end{document}\n"


def escape(text: str) -> str:
    """A text in which nothing is a command, on one line; control characters are dropped.

    >>> escape("50 % of A_1 & B")
    '50 \\\\% of A\\\\_1 \\\\& B'
    """
    return "".join(SPECIAL.get(c, c) for c in " ".join(text.split()) if c.isprintable())


def _section(section: Section) -> str:
    return "\n\n".join([rf"\section*{{{escape(section.title)}}}", *(_block(block) for block in section.blocks)])


def _block(block: Block) -> str:
    """One block."""
    if isinstance(block, Paragraph):
        return escape(block.text)
    if isinstance(block, Points):
        items = (_code(item) if block.is_code else escape(item) for item in block.items)
        return "\n".join([r"\begin{itemize}", *(rf"\item {item}" for item in items), r"\end{itemize}"])
    if isinstance(block, Notice):
        more = (rf"\\ \emph{{{escape(name)}:}} {escape(text)}" for name, text in block.more)
        return rf"\textbf{{{escape(block.tone.capitalize())}:}} {escape(block.text)}" + "".join(more)
    if isinstance(block, Drawing):
        picture = block.picture
        return rf"\textbf{{{escape(picture.title)}.}} {escape(picture.alternative)} Draw it: {_code(block.command)}"
    return _table(block)


def _code(text: str) -> str:
    """Text to be copied; it may break after a separator."""
    broken = escape(text)
    for separator in (r"\textbar{}", ",", "/"):
        broken = broken.replace(separator, rf"{separator}\allowbreak{{}}")
    return rf"{{\ttfamily\small\raggedright {broken}\par}}"


def _table(block: Grid) -> str:
    """A table that may run over pages, with the rules of booktabs."""
    size, columns = _layout(block)
    head = " & ".join(rf"\textbf{{{escape(header)}}}" for header in block.headers) + r" \\"
    rows = [" & ".join(escape(cell_text(cell)) for cell in row) + r" \\" for row in block.rows]
    lines = [
        rf"{{{size}",
        rf"\begin{{longtable}}[l]{{@{{}}{columns}@{{}}}}",
        rf"\multicolumn{{{len(block.headers)}}}{{@{{}}l@{{}}}}{{\normalsize\textbf{{{escape(block.title)}}}}} \\",
        *([] if block.is_facts else [r"\toprule", head]),
        *(r"\midrule", r"\endhead", r"\bottomrule", r"\endlastfoot", *rows, r"\end{longtable}"),
        *(rf"{escape(note)}\par" for note in block.notes),
        "}",
    ]
    return "\n".join(lines)


def _layout(block: Grid) -> tuple[str, str]:
    """The largest type in which the longest words fit beside each other, and the columns."""
    texts = [[header, *(cell_text(row[i]) for row in block.rows)] for i, header in enumerate(block.headers)]
    least = [max(_longest_word(column[1:]), 1.15 * _longest_word(column[:1])) for column in texts]
    whole = [max(len(text) for text in column) for column in texts]
    room = TEXT_WIDTH - 8 * (len(texts) - 1)
    fitting = [(size, letter) for size, letter in SIZES.items() if sum(least) * letter <= room]
    size, letter = (fitting or list(SIZES.items())[-1:])[0]
    if sum(whole) * letter <= room:
        return size, "".join("r" if numeric and not block.is_facts else "l" for numeric in block.numeric)
    return size, _shared(least, whole, block.numeric, room, letter)


def _shared(least: Sequence[float], whole: Sequence[float], numeric: Sequence[bool], room: float, letter: float) -> str:
    """Every column gets room for its longest word; what is left goes to those with the longest texts."""
    wish = [max(w - n, 0.0) for n, w in zip(least, whole, strict=True)]
    left = max(room - sum(least) * letter, 0.0)
    widths = [n * letter + left * w / max(sum(wish), 1.0) for n, w in zip(least, wish, strict=True)]
    return "".join(f"{'R' if right else 'L'}{{{width:.1f}pt}}" for width, right in zip(widths, numeric, strict=True))


def _longest_word(texts: Sequence[str]) -> float:
    """Letters of the longest word; very long words may be broken."""
    return float(max((min(len(word), 24) for text in texts for word in text.split()), default=1))
