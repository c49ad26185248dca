"""The report as a LaTeX document (booktabs tables), to be compiled as it is or cut into a paper."""

import unicodedata
from collections.abc import Sequence

from concordant.digits import cell_text, decimal
from concordant.report.document import SIGNED, Block, Case, Document, Drawing, Notice, Paragraph, Points, TreePair
from concordant.report.formats import ReportFormat, as_text
from concordant.report.grid import Grid
from concordant.treebank.outline import OutlineLine, outline_pair

TEXT_WIDTH = 483  # points: A4 with margins of 2 cm
SIZES = {r"\footnotesize": 4.5, r"\scriptsize": 4.0, r"\tiny": 3.2}  # points that a letter takes
COMMANDS = {"\\": "backslash", "~": "asciitilde", "^": "asciicircum", "<": "less", ">": "greater", "|": "bar"}
COMMANDS |= {'"': "quotedbl", "`": "asciigrave", "·": "periodcentered"}
MATHS = {"×": "times", "≠": "neq", "≤": "leq", "≥": "geq", "±": "pm", "→": "rightarrow"}
MATHS |= {letter: unicodedata.name(letter).split()[-1].lower() for letter in "αβγδκπρτ"}  # as they are called
SPECIAL = {
    **{sign: rf"\{sign}" for sign in "{}$&#%_"},
    **{sign: rf"\text{name}{{}}" for sign, name in COMMANDS.items()},
    **{sign: rf"$\{name}$" for sign, name in MATHS.items()},
    "'": "{'}",
    "-": "{-}",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "’": "'",
    "‘": "`",
    "“": "``",
    "”": "''",
}
# Characters that pdfTeX knows by itself: Latin letters with accents.
RANGES = ((0xA1, 0x126), (0x128, 0x138), (0x139, 0x149), (0x14A, 0x166), (0x168, 0x17F))
KNOWN = frozenset(chr(code) for first, after in RANGES for code in range(first, after))
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
    parts: list[str] = []
    for section in document.sections:
        parts += [rf"\section*{{{escape(section.title)}}}", *map(_block, section.blocks)]
    body = "\n\n".join(parts)
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


def _block(block: Block) -> str:
    """One block."""
    match block:
        case Paragraph():
            return escape(block.text)
        case Points():
            items = [rf"\item {(_code if block.is_code else escape)(str(item))}" for item in block.items]
            return "\n".join([r"\begin{itemize}", *items, r"\end{itemize}"])
        case Notice():
            more = (rf"\\ \emph{{{escape(name)}:}} {escape(text)}" for name, text in block.more)
            return rf"\textbf{{{escape(block.tone.capitalize())}:}} {escape(block.text)}" + "".join(more)
        case Drawing():
            picture = block.picture
            return rf"\textbf{{{escape(picture.title)}.}} {escape(picture.alternative)} Draw it: {_code(block.command)}"
        case Case():
            head = rf"\subsection*{{{escape(block.title)}}}" + f"\n({escape(block.remark)})"
            return "\n\n".join([head, *map(_block, block.blocks)])
        case TreePair():
            drawn = zip(block.captions, outline_pair(*block.trees), strict=True)
            trees = [rf"\textbf{{{escape(caption)}}}" + f"\n\n{_tree(lines)}" for caption, lines in drawn]
            return "\n\n".join([*trees, escape(block.LEGEND)])
        case Grid():
            return _table(block)


def _tree(lines: Sequence[OutlineLine]) -> str:
    """A tree as indented lines; an unequal sign marks the nodes that the other does not have."""
    drawn = []
    for line in lines:
        mark = r"$\neq$ " if line.is_marked else ""
        words = rf"~~\textbf{{{escape(line.words)}}}" if line.words else ""
        drawn.append(rf"\hspace*{{{decimal(0.8 * line.depth, 1)}em}}{mark}{escape(line.label)}{words}")
    return "{\\ttfamily\\scriptsize\\setlength{\\parskip}{0pt}\n" + "\\par\n".join(drawn) + "\\par}"


def _code(text: str) -> str:
    """Text to be copied; it may break after a separator."""
    broken = escape(text)
    for separator in (r"\textbar{}", ",", "/"):
        broken = broken.replace(separator, rf"{separator}\allowbreak{{}}")
    return rf"{{\ttfamily\small\raggedright {broken}\par}}"


def _table(block: Grid) -> str:
    """A table that may run over pages, with the rules of booktabs. A wide one is only named."""
    if block.is_wide:
        return f"{escape(block.title)}: {escape(block.n_rows_text)}."
    size, columns = layout(block)
    head = " & ".join(rf"\textbf{{{escape(header)}}}" for header in block.headers) + r" \\"
    rows = [" & ".join(escape(cell_text(cell)) for cell in row) + r" \\" for row in block.rows]
    if block.signatures:
        rows = [
            row + f" {SIGNED}{text}".replace("\n", "%0A") * bool(text)
            for row, text in zip(rows, block.signatures, strict=True)
        ]
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


def layout(block: Grid) -> tuple[str, str]:
    """The largest type in which the longest words fit beside each other, and the columns."""
    texts = [[header, *(cell_text(row[i]) for row in block.rows)] for i, header in enumerate(block.headers)]
    least = [max(longest_word(column[1:]), 1.15 * longest_word(column[:1])) for column in texts]
    whole = [max(len(text) for text in column) for column in texts]
    room = TEXT_WIDTH - 8 * (len(texts) - 1)
    fitting = [(size, letter) for size, letter in SIZES.items() if sum(least) * letter <= room]
    size, letter = (fitting or list(SIZES.items())[-1:])[0]
    if sum(whole) * letter <= room:
        return size, "".join("r" if numeric and not block.is_facts else "l" for numeric in block.numeric)
    # every column gets room for its longest word; what is left goes to those with the longest texts
    wish = [max(w - n, 0.0) for n, w in zip(least, whole, strict=True)]
    left = max(room - sum(least) * letter, 0.0)
    widths = [n * letter + left * w / max(sum(wish), 1.0) for n, w in zip(least, wish, strict=True)]
    sides = ["R" if numeric else "L" for numeric in block.numeric]
    return size, "".join(f"{side}{{{decimal(width, 1)}pt}}" for side, width in zip(sides, widths, strict=True))


def longest_word(texts: Sequence[str]) -> float:
    """Letters of the longest word; very long words may be broken."""
    return float(max((min(len(word), 24) for text in texts for word in text.split()), default=1))


FORMAT = ReportFormat(endings=(".tex",), order=30, write=as_text(render))
