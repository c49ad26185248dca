"""The report as a LaTeX document (booktabs tables), to be compiled as it is or cut into a paper."""

from collections.abc import Sequence

from assent.report.document import Block, Document, Drawing, Grid, Notice, Paragraph, Points, Section
from assent.report.tables import cell_text

LONG = 22  # a text column with a longer cell gets a width of its own, so that it can wrap
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
\newcolumntype{L}[1]{>{\raggedright\arraybackslash}p{#1}}
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
    head = " & ".join(rf"\textbf{{{escape(header)}}}" for header in block.headers) + r" \\"
    rows = [" & ".join(escape(cell_text(cell)) for cell in row) + r" \\" for row in block.rows]
    lines = [
        rf"\textbf{{{escape(block.title)}}}\nopagebreak",
        r"{\footnotesize",
        rf"\begin{{longtable}}[l]{{@{{}}{_columns(block)}@{{}}}}",
        r"\toprule",
        head,
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endlastfoot",
        *rows,
        r"\end{longtable}",
        *(rf"{escape(note)}\par" for note in block.notes),
        "}",
    ]
    return "\n".join(lines)


def _columns(block: Grid) -> str:
    """Numbers to the right, short texts to the left, long texts in columns that share the page by their length."""
    lengths = [_longest([header, *(cell_text(row[i]) for row in block.rows)]) for i, header in enumerate(block.headers)]
    heads = [max(len(word) for word in header.split() or [""]) for header in block.headers]
    total = sum(min(length, 60) for length in lengths) or 1
    wide = total > 85
    return "".join(
        rf"L{{{0.92 * max(min(length, 60), head) / (total * 1.02) * 0.97:.3f}\textwidth}}"
        if wide or (length > LONG and not numeric)
        else "r"
        if numeric
        else "l"
        for length, head, numeric in zip(lengths, heads, block.numeric, strict=True)
    )


def _longest(texts: Sequence[str]) -> int:
    return max(len(text) for text in texts)
