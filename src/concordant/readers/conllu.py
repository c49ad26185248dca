"""CoNLL-U: dependency trees, one file for each annotator, or a folder of them. Every token is a unit.

Each token has up to four questions: `head` (whose share of agreement is UAS between two annotators, Buchholz & Marsi
2006), `relation`, `head and relation` (LAS) and `upos`. Tokens of a sentence belong together. Sentences are matched by
their `sent_id`, or by their place; where annotators have other tokens, the sentence is left out and counted. With
`units=sentences` every sentence is a unit, and its tree of relations the value, for alpha over tree edit distances.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from concordant.choices import choice
from concordant.errors import InputError
from concordant.files import telling_names
from concordant.model.columns import encode
from concordant.model.scale import Level
from concordant.model.study import Declared, Study
from concordant.readers.format import SURE, Format
from concordant.readers.rater_files import CURATORS, NOT_A_RATER, FileOptions, lines, parts

TOKEN = re.compile(r"\d+\t[^\t]*(?:\t[^\t]*){4}\t(?:\d+|_)(?:\t[^\t]*){3}")
MANY = re.compile(r"\d+[-.]\d+\t.*")  # words of several tokens, and empty nodes: not annotated trees of their own
FORM, UPOS, HEAD, RELATION = 1, 3, 6, 7
HEADS, RELATIONS, BOTH, TAGS = "head", "relation", "head and relation", "upos"
NOTE = (
    f"tokens are units: agreement (percent) on {HEADS!r} is UAS, on {BOTH!r} LAS; heads are places in a sentence, so "
    "that chance-corrected measures say something of relations and tags only"
)


OF_TREES = (
    "sentences are units, their trees of relations the values: agreement (percent) is that of whole trees, and "
    "Krippendorff's alpha with --distance tree_edit is that over tree edit distances (Skjærholt 2014, alpha_plain)"
)
TREE = "tree"


class ConlluOptions(FileOptions):
    """What is compared."""

    units: Literal["tokens", "sentences"] = choice(
        "tokens", "CoNLL-U: units are tokens (heads, relations, tags), or sentences (whole trees)."
    )


class Sentence(NamedTuple):
    """A sentence: what it is called, its tokens, and what was said of each, by question."""

    name: str
    words: tuple[str, ...]
    answers: Mapping[str, tuple[str, ...]]


Found = tuple[dict[str, dict[str, Path]], Mapping[str, str], tuple[str, ...]]
"""The files of each text by annotator, what is not used and why, and what to say."""


def read(*paths: str | Path, options: ConlluOptions) -> Study:
    """The judgements of several annotators' files, or of a folder of them."""
    texts, unused, notes = files_of(paths, options)
    rows: list[tuple[str, str, str, str, str]] = []
    n_other = 0
    for text, files in texts.items():
        sentences = {rater: named(list(sentences_in(file)), file) for rater, file in files.items()}
        for name in dict.fromkeys(name for mine in sentences.values() for name in mine):
            those = {rater: mine[name] for rater, mine in sentences.items() if name in mine}
            if len({one.words for one in those.values()}) > 1:
                n_other += max(len(one.words) for one in those.values()) if options.units == "tokens" else 1
                continue
            where = f"{text}:{name}" if len(texts) > 1 else name
            if options.units == "sentences":
                rows += [(where, rater, TREE, tree_of(one, files[rater]), where) for rater, one in those.items()]
                continue
            rows += [
                (f"{where}:{place}", rater, question, value, where)
                for rater, one in those.items()
                for question, values in one.answers.items()
                for place, value in enumerate(values, start=1)
            ]
    if not rows:
        what = "no sentence has the same tokens in all files"
        raise InputError(what, file=paths[0], hint="are these the same texts?")
    unit, rater, question, value, sentence = (encode(list(cells)) for cells in zip(*rows, strict=True))
    is_tokens = options.units == "tokens"
    return Study(
        name=" ".join(map(str, paths)),
        unit=unit.as_labels(),
        rater=rater.as_labels(),
        question=question.as_labels() if is_tokens else None,
        value=value.as_labels(),
        level=None if is_tokens else Level.NOMINAL,
        scales={name: Declared(level=Level.NOMINAL) for name in question.labels} if is_tokens else {},
        clusters={"sentences": sentence.as_labels()} if is_tokens else {},
        notes=(*notes, NOTE if is_tokens else OF_TREES),
        unused=unused,
        left_out=((n_other, f"{'tokens of ' * is_tokens}sentences that annotators tokenized differently"),)
        * bool(n_other),
    )


def tree_of(sentence: Sentence, file: Path) -> str:
    """A sentence's tree of relations in brackets, children in the order of the words; nothing where heads are missing.

    >>> heads = {"head": ("2", "0", "2"), "relation": ("det", "root", "punct")}
    >>> tree_of(Sentence("1", ("The", "end", "."), heads), Path("a.conllu"))
    '(TOP (root (det) (punct)))'
    """
    heads = sentence.answers.get(HEADS, ())
    relations = sentence.answers.get(RELATIONS, ("",) * len(heads))
    if not heads or "" in heads:
        return ""
    below: dict[int, list[int]] = {}
    for token, head in enumerate(heads, start=1):
        below.setdefault(int(head), []).append(token)
    n_reached, written, left = 0, "", [(0, False)]
    while left:  # a loop, since a tree may be as deep as a sentence is long
        token, is_done = left.pop()
        if is_done:
            written += ")"
            continue
        n_reached += 1
        label = re.sub(r"[()\s]", "_", relations[token - 1]) if token else "TOP"
        written += f"{' ' * bool(written)}({label}"
        left += [(token, True), *((child, False) for child in reversed(below.get(token, ())))]
    if n_reached <= len(heads):
        where = f"the heads of sentence {sentence.name or sentence.words[0]!r} go in a circle"
        raise InputError(where, file=file, hint="every word must lead to the root")
    return written


def files_of(paths: Sequence[str | Path], options: FileOptions) -> Found:
    """The files of each text by annotator, what is not used (a curated version is no annotator), and what to say."""
    if len(paths) == 1:
        found = parts(paths[0], (".conllu", ".conll"), "rater/text", options=options, text_in=words_in)
        texts: dict[str, dict[str, Path]] = {}
        for part in found.files:
            texts.setdefault(part.text, {})[part.rater] = part.file
        return texts, found.unused, found.notes
    files = dict(zip(telling_names(paths), map(Path, paths), strict=True))
    people = {name: file for name, file in files.items() if name.casefold() not in CURATORS} or files
    return {"": people}, {str(file): NOT_A_RATER for name, file in files.items() if name not in people}, ()


def words_in(file: Path) -> str:
    """The tokens of a file, which are the same for all annotators of a text."""
    return " ".join(word for one in sentences_in(file) for word in one.words)


def named(sentences: Sequence[Sentence], file: Path) -> dict[str, Sentence]:
    """The sentences by their names, or by their places if some have none; a name that comes twice is an error."""
    if not all(one.name for one in sentences):
        return {str(place): one for place, one in enumerate(sentences, start=1)}
    found: dict[str, Sentence] = {}
    for one in sentences:
        if one.name in found:
            raise InputError(f"two sentences have the sent_id {one.name!r}", file=file, hint="number them")
        found[one.name] = one
    return found


def sentences_in(file: Path) -> Iterator[Sentence]:
    """The sentences of a file; a line that is no token is an error."""
    name, tokens = "", list[list[str]]()
    for row, line in enumerate([*lines(file), ""], start=1):
        if told := re.match(r"#\s*sent_id\s*=\s*(\S.*)", line):
            name = told.group(1).strip()
        elif TOKEN.fullmatch(line):
            tokens.append(line.split("\t"))
        elif line.strip() and not line.startswith("#") and not MANY.fullmatch(line):
            hint = "a token is ten cells separated by tabs, the seventh a number"
            raise InputError("this is no token of CoNLL-U", file=file, row=row, hint=hint)
        if not line.strip() and tokens:
            yield Sentence(name, tuple(cells[FORM] for cells in tokens), answers_of(tokens, file, row))
            name, tokens = "", []


def answers_of(tokens: Sequence[Sequence[str]], file: Path, row: int) -> dict[str, tuple[str, ...]]:
    """What is said of each token; a question that nobody answers, an underscore in every token, is none."""
    n = len(tokens)
    if wrong := next((cells for cells in tokens if cells[HEAD] != "_" and int(cells[HEAD]) > n), None):
        raise InputError(f"token {wrong[0]} has the head {wrong[HEAD]} of {n} tokens", file=file, row=row - n)
    given = {HEADS: HEAD, RELATIONS: RELATION, TAGS: UPOS}
    found = {name: tuple(cells[place].replace("_", "") if cells[place] == "_" else cells[place] for cells in tokens)
             for name, place in given.items()}  # fmt: skip
    pairs = zip(found[HEADS], found[RELATIONS], strict=True)
    found[BOTH] = tuple(f"{head} {relation}" if head and relation else "" for head, relation in pairs)
    return {name: values for name, values in found.items() if any(values)}


def sniff(path: Path, head: str) -> float:
    """Lines of ten cells, of which the seventh is a number."""
    told = [line for line in head.splitlines()[:200] if line.strip() and not line.startswith("#")][:-1]
    is_one = bool(told) and all(TOKEN.fullmatch(line) or MANY.fullmatch(line) for line in told)
    return SURE * (is_one and any(TOKEN.fullmatch(line) for line in told))


FORMAT = Format(
    name="conllu",
    holds="judgements",
    help="CoNLL-U: dependency trees, one file for each annotator.",
    read=read,
    options=ConlluOptions,
    sniff=sniff,
    in_folders=True,
    most=None,
)
