"""Make the example treebank and the parses of the example study: python scripts/make_example_treebank.py [TARGET]

Everything in them is invented: the sentences, the grammar with its rule names, the annotators Anna and Bruno and what
they chose. Each annotator works through a sentence's discriminants in an order of their own until one analysis is left,
and the log keeps what [incr tsdb()] keeps: decisions by hand and the discriminants they rule out.
"""

import shutil
import sys
from pathlib import Path

from example_grammar import (
    ATTACHMENTS,
    COORDINATIONS,
    DOUBLED,
    PLAIN,
    SENSES,
    Analysis,
    attachment,
    coordination,
    doubled,
    plain,
)

from concordant.treebank.parsed import RELATIONS as CURRENT

TARGET = Path(__file__).parent.parent / "src" / "concordant" / "examples"
STUDY = Path("studies") / "treebank"

RELATIONS = CURRENT.replace("  t-start :date\n  t-end :date\n", "")  # as older profiles have it

# sentence -> what Anna and Bruno chose if not the same analysis: a number, or None for a rejection
APART: dict[int, tuple[int | None, int | None]] = {
    2: (0, 1), 4: (2, None), 9: (0, 1), 15: (1, 3), 17: (None, None), 19: (None, 2),
}  # fmt: skip
EARLIER: dict[int, tuple[int | None, int | None]] = {**APART, 1: (1, 0), 2: (0, 3), 5: (0, None), 9: (0, 0)}
LOST, UNFINISHED = 7, 25


def suites() -> dict[str, dict[int, tuple[str, list[Analysis]]]]:
    """The corpus: suites with numbered sentences and their analyses."""
    attached = [attachment(*parts) for parts in ATTACHMENTS]
    swapped = [attachment(s, v, n, p, o) for s, v, o, p, n in ATTACHMENTS]
    others = [coordination(*parts) for parts in COORDINATIONS] + [plain(*parts) for parts in PLAIN]
    return {
        "letters/SUITE-1-V1": dict(enumerate([*attached, *others[:2], others[3]], start=1)),
        "letters/SUITE-2-V1": dict(enumerate([*swapped[:5], others[2], others[4]], start=15)),
        "diaries/SUITE-1-V1": dict(enumerate([*swapped[5:], *others[:3]], start=25)),
    }


def study_sentences() -> dict[int, tuple[str, list[Analysis]]]:
    """The sentences of the example study; the first serves for training."""
    attached = [attachment(*parts) for parts in ATTACHMENTS]
    twice = [doubled(*parts) for parts in DOUBLED]
    others = [coordination(*parts) for parts in COORDINATIONS[:2]]
    return dict(enumerate([attached[4], *attached[:4], *twice, *others, plain(*PLAIN[0])], start=1))


def write_parses(path: Path, sentences: dict[int, tuple[str, list[Analysis]]]) -> None:
    """A profile as a parser leaves it: nobody has decided anything."""
    tables = {
        "item": [f"{number}@{text}" for number, (text, _) in sentences.items()],
        "parse": [f"{number}@{number}@{len(analyses)}" for number, (_, analyses) in sentences.items()],
        "result": [
            f"{number}@{i}@{one.derivation}@{one.mrs}"
            for number, (_, analyses) in sentences.items()
            for i, one in enumerate(analyses)
        ],
    }
    path.mkdir(parents=True)
    (path / "relations").write_text(RELATIONS, encoding="utf-8")
    for name, lines in tables.items():
        (path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def log(analyses: list[Analysis], choice: int | None, backwards: bool) -> list[tuple[int, tuple[int, str, int, int]]]:
    """The decisions that lead to the choice, as (state, discriminant); Bruno starts from the other end of the list."""
    everything = sorted(frozenset().union(*(one.holds for one in analyses)))
    open_ = [found for found in everything if 0 < sum(found in one.holds for one in analyses) < len(analyses)]
    wanted, left, lines = analyses[choice or 0], list(analyses), []
    for found in reversed(open_) if backwards else open_:
        answer = found in wanted.holds
        if len({found in one.holds for one in left}) == 1:
            continue
        lines.append((1 if answer else 2, found))
        left = [one for one in left if (found in one.holds) == answer]
        if choice is None:
            break
    decided = {found for _, found in lines}
    return lines + [(4, f) for f in open_ if f not in decided and not any(f in one.holds for one in left)]


def write_profile(
    path: Path, sentences: dict[int, tuple[str, list[Analysis]]], author: str, choices: dict[int, int | None]
) -> None:
    tables: dict[str, list[str]] = {name: [] for name in ("item", "parse", "result", "tree", "decision", "preference")}
    for number, (text, analyses) in sentences.items():
        if number == LOST and author == "bruno":
            continue
        choice = choices.get(number, number % len(analyses))
        is_open = number == UNFINISHED and author == "anna"
        active = 2 if is_open else int(choice is not None)
        tables["item"].append(f"{number}@{text}")
        tables["parse"].append(f"{number}@{number}@{len(analyses)}")
        tables["result"] += [f"{number}@{i}@{one.derivation}@{one.mrs}" for i, one in enumerate(analyses)]
        tables["tree"].append(f"{number}@1@{active}@{author}@{'no sense fits' if choice is None else ''}")
        if choice is None:
            tables["decision"].append(f"{number}@1@-1@5@@@0@0@1-mar-2024 10:00")
        elif not is_open:
            tables["preference"].append(f"{number}@1@{choice}")
        for state, (kind, key, start, end) in log(analyses, choice, backwards=author == "bruno"):
            tables["decision"].append(f"{number}@1@{state}@{kind}@{key}@@{start}@{end}@1-mar-2024 10:00")
    path.mkdir(parents=True)
    (path / "relations").write_text(RELATIONS, encoding="utf-8")
    for name, lines in tables.items():
        (path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_lexicon(path: Path) -> None:
    """Every lexical entry with its type."""
    entries: dict[str, str] = {"the_det": "d_the_le", "and_conj": "c_and_le"}
    for subject, verb, obj, prep, noun in ATTACHMENTS:
        entries |= {f"{subject.lower()}_name": "n_name_le", f"{prep}_prep": "p_obj_le"}
        entries |= {f"{verb}_{sense}": f"v_{sense}_le" for sense in SENSES[verb]}
        entries |= {f"{one}_noun": "n_count_le" for one in (obj, noun)}
    for adjective, first, second, verb in COORDINATIONS:
        entries |= {f"{adjective}_adj": "aj_plain_le", f"{verb}_verb": "v_intrans_le"}
        entries |= {f"{one}_noun": "n_count_le" for one in (first, second)}
    lines = [f"{entry}\t{kind}" for entry, kind in sorted(entries.items())]
    path.write_text("lexical_entry\tlexical_type\n" + "".join(f"{line}\n" for line in lines), encoding="utf-8")


def main(target: Path) -> None:
    """Write both annotators' treebanks, their earlier version and the lexicon; and the parses of the example study."""
    write_treebanks(target / "treebank")
    shutil.rmtree(target / STUDY / "profile", ignore_errors=True)
    write_parses(target / STUDY / "profile", study_sentences())
    write_lexicon(target / STUDY / "lexicon.tsv")


def write_treebanks(target: Path) -> None:
    """Both annotators, an earlier version of them, and the lexicon."""
    for name in ("anna", "bruno", "earlier"):
        shutil.rmtree(target / name, ignore_errors=True)
    for folder, apart in (("", APART), ("earlier", EARLIER)):
        for place, author in enumerate(("anna", "bruno")):
            choices = {number: both[place] for number, both in apart.items()}
            for suite, sentences in suites().items():
                write_profile(target / folder / author / suite, sentences, author, choices)
    write_lexicon(target / "lexicon.tsv")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET)
