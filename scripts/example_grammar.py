"""The invented grammar behind the example treebank: its kinds of sentences with all their analyses.

A sentence is ambiguous by its verb (two senses), by where a prepositional phrase attaches, or by how far an adjective
reaches in a coordination. Every analysis has a derivation, an MRS and the discriminants that hold of it.
"""

from dataclasses import dataclass

# verb -> its two senses; both are transitive, so only the meaning tells the analyses apart
SENSES = {
    "saw": ("see", "cut"),
    "drew": ("sketch", "pull"),
    "left": ("leave", "entrust"),
    "painted": ("depict", "coat"),
}
# (subject, verb, object, preposition, noun): four analyses each, two senses times two attachments of the phrase
ATTACHMENTS = [
    ("Ines", "saw", "robin", "with", "mirror"), ("Tomas", "drew", "cart", "in", "yard"),
    ("Mara", "left", "letter", "on", "table"), ("Ines", "painted", "boat", "by", "harbour"),
    ("Tomas", "saw", "plank", "behind", "barn"), ("Mara", "drew", "map", "of", "island"),
    ("Ines", "left", "key", "under", "stone"), ("Tomas", "painted", "door", "with", "lantern"),
]  # fmt: skip
# (subject, verb, object, preposition, noun, preposition, noun): ten analyses each, two senses times five attachments
DOUBLED = [
    ("Ines", "saw", "robin", "in", "yard", "with", "mirror"),
    ("Mara", "left", "map", "of", "island", "on", "table"),
]
# (adjective, noun, noun, verb): two analyses, the adjective belongs to the first noun or to both
COORDINATIONS = [
    ("old", "dogs", "cats", "slept"),
    ("young", "nurses", "guards", "waited"),
    ("wet", "coats", "hats", "dripped"),
]
# one analysis: nothing to decide
PLAIN = [("Mara", "slept"), ("Tomas", "waited")]


@dataclass(frozen=True)
class Analysis:
    """A derivation, an MRS, and the discriminants that hold: (type, key, start, end)."""

    derivation: str
    mrs: str
    holds: frozenset[tuple[int, str, int, int]]


class Builder:
    """Writes derivation nodes and notes the discriminants they make true."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.number = 0
        self.holds: set[tuple[int, str, int, int]] = set()

    def word(self, place: int, entry: str, kind: str) -> str:
        self.holds.add((2, kind, place, place + 1))
        return self._node(entry, place, place + 1, f'("{self.words[place]}")')

    def rule(self, name: str, start: int, end: int, *parts: str) -> str:
        self.holds.add((3, name, start, end))
        return self._node(name, start, end, " ".join(parts))

    def _node(self, name: str, start: int, end: int, inside: str) -> str:
        self.number += 1
        return f"({self.number} {name} 0 {start} {end} {inside})"


def attachment(subject: str, verb: str, obj: str, prep: str, noun: str) -> tuple[str, list[Analysis]]:
    words = [subject, verb, "the", obj, prep, "the", noun]
    return " ".join(words) + ".", [_attached(words, sense, high) for sense in SENSES[verb] for high in (True, False)]


def _attached(words: list[str], sense: str, high: bool) -> Analysis:
    subject, verb, _, obj, prep, _, noun = words
    build = Builder(words)
    name = build.rule("bare-name", 0, 1, build.word(0, f"{subject.lower()}_name", "n_name_le"))
    head = build.word(1, f"{verb}_{sense}", f"v_{sense}_le")
    inner = build.rule(
        "det-noun", 5, 7, build.word(5, "the_det", "d_the_le"), build.word(6, f"{noun}_noun", "n_count_le")
    )
    phrase = build.rule("prep-obj", 4, 7, build.word(4, f"{prep}_prep", "p_obj_le"), inner)
    det, thing = build.word(2, "the_det", "d_the_le"), build.word(3, f"{obj}_noun", "n_count_le")
    if high:
        object_ = build.rule("det-noun", 2, 4, det, thing)
        verbal = build.rule("verb-mod", 1, 7, build.rule("verb-obj", 1, 4, head, object_), phrase)
    else:
        object_ = build.rule("det-noun", 2, 7, det, build.rule("noun-mod", 3, 7, thing, phrase))
        verbal = build.rule("verb-obj", 1, 7, head, object_)
    tree = f"(root_clause {build.rule('subj-verb', 0, 7, name, verbal)})"
    predicate, thing_predicate = f"_{verb}_v_{sense}", f"_{obj}_n_1"
    build.holds |= {
        (6, f"{predicate} arg1 named({subject.lower()})", 0, 0),
        (6, f"{predicate} arg2 {thing_predicate}", 0, 0),
    }
    build.holds.add((6, f"_{prep}_p arg1 {predicate if high else thing_predicate}", 0, 0))
    return Analysis(tree, _attached_mrs(words, predicate, high), frozenset(build.holds))


def _attached_mrs(words: list[str], predicate: str, high: bool) -> str:
    at = _places(words)
    subject, _, _, obj, prep, _, noun = words
    label, target = ("h1", "e2") if high else ("h12", "x8")
    relations = [
        f"[ proper_q{at[0]} LBL: h4 ARG0: x3 [ x PERS: 3 NUM: sg ] RSTR: h5 BODY: h6 ]",
        f'[ named{at[0]} LBL: h7 ARG0: x3 CARG: "{subject}" ]',
        f"[ {predicate}{at[1]} LBL: h1 ARG0: e2 [ e SF: prop TENSE: past ] ARG1: x3 ARG2: x8 [ x PERS: 3 NUM: sg ] ]",
        f"[ _the_q{at[2]} LBL: h9 ARG0: x8 RSTR: h10 BODY: h11 ]",
        f"[ _{obj}_n_1{at[3]} LBL: h12 ARG0: x8 ]",
        f"[ _{prep}_p{at[4]} LBL: {label} ARG0: e13 [ e SF: prop ] ARG1: {target} ARG2: x14 [ x PERS: 3 NUM: sg ] ]",
        f"[ _the_q{at[5]} LBL: h15 ARG0: x14 RSTR: h16 BODY: h17 ]",
        f"[ _{noun}_n_1{at[6]} LBL: h18 ARG0: x14 ]",
    ]
    holes = "h0 qeq h1 h5 qeq h7 h10 qeq h12 h16 qeq h18"
    return f"[ LTOP: h0 INDEX: e2 RELS: < {' '.join(relations)} > HCONS: < {holes} > ]"


def doubled(
    subject: str, verb: str, obj: str, prep: str, noun: str, other: str, last: str
) -> tuple[str, list[Analysis]]:
    words = [subject, verb, "the", obj, prep, "the", noun, other, "the", last]
    places = [("verb", "verb"), ("verb", "noun"), ("object", "verb"), ("object", "noun"), ("object", "object")]
    return " ".join(words) + ".", [_doubled(words, sense, *place) for sense in SENSES[verb] for place in places]


def _doubled(words: list[str], sense: str, first: str, second: str) -> Analysis:
    """The first phrase belongs to the verb or the object, the second to the verb, the object or the first's noun."""
    subject, verb, _, obj, prep, _, noun, other, _, last = words
    build = Builder(words)
    name = build.rule("bare-name", 0, 1, build.word(0, f"{subject.lower()}_name", "n_name_le"))
    verbal, end = build.word(1, f"{verb}_{sense}", f"v_{sense}_le"), 10
    tail = _phrase(build, 7, other, build.word(9, f"{last}_noun", "n_count_le"), 10)
    inner = build.word(6, f"{noun}_noun", "n_count_le")
    if second == "noun":
        inner, tail = build.rule("noun-mod", 6, 10, inner, tail), ""
    middle_end = 7 if tail else 10
    middle = _phrase(build, 4, prep, inner, middle_end)
    thing, thing_end = build.word(3, f"{obj}_noun", "n_count_le"), 4
    if first == "object":
        thing, thing_end, middle = build.rule("noun-mod", 3, middle_end, thing, middle), middle_end, ""
    if second == "object":
        thing, thing_end, tail = build.rule("noun-mod", 3, 10, thing, tail), 10, ""
    object_ = build.rule("det-noun", 2, thing_end, build.word(2, "the_det", "d_the_le"), thing)
    verbal, end = build.rule("verb-obj", 1, thing_end, verbal, object_), thing_end
    for phrase, phrase_end in ((middle, middle_end), (tail, 10)):
        if phrase:
            verbal, end = build.rule("verb-mod", 1, phrase_end, verbal, phrase), phrase_end
    tree = f"(root_clause {build.rule('subj-verb', 0, end, name, verbal)})"
    return Analysis(tree, _doubled_mrs(words, f"_{verb}_v_{sense}", first, second), frozenset(build.holds))


def _phrase(build: Builder, start: int, prep: str, inner: str, end: int) -> str:
    noun = build.rule("det-noun", start + 1, end, build.word(start + 1, "the_det", "d_the_le"), inner)
    return build.rule("prep-obj", start, end, build.word(start, f"{prep}_prep", "p_obj_le"), noun)


def _doubled_mrs(words: list[str], predicate: str, first: str, second: str) -> str:
    at = _places(words)
    subject, _, _, obj, prep, _, noun, other, _, last = words
    hooks = {"verb": ("h1", "e2"), "object": ("h12", "x8"), "noun": ("h18", "x14")}
    (label, target), (label2, target2) = hooks[first], hooks[second]
    thing = "[ x PERS: 3 NUM: sg ]"
    relations = [
        f"[ proper_q{at[0]} LBL: h4 ARG0: x3 {thing} RSTR: h5 BODY: h6 ]",
        f'[ named{at[0]} LBL: h7 ARG0: x3 CARG: "{subject}" ]',
        f"[ {predicate}{at[1]} LBL: h1 ARG0: e2 [ e SF: prop TENSE: past ] ARG1: x3 ARG2: x8 {thing} ]",
        f"[ _the_q{at[2]} LBL: h9 ARG0: x8 RSTR: h10 BODY: h11 ]",
        f"[ _{obj}_n_1{at[3]} LBL: h12 ARG0: x8 ]",
        f"[ _{prep}_p{at[4]} LBL: {label} ARG0: e13 [ e SF: prop ] ARG1: {target} ARG2: x14 {thing} ]",
        f"[ _the_q{at[5]} LBL: h15 ARG0: x14 RSTR: h16 BODY: h17 ]",
        f"[ _{noun}_n_1{at[6]} LBL: h18 ARG0: x14 ]",
        f"[ _{other}_p{at[7]} LBL: {label2} ARG0: e19 [ e SF: prop ] ARG1: {target2} ARG2: x20 {thing} ]",
        f"[ _the_q{at[8]} LBL: h21 ARG0: x20 RSTR: h22 BODY: h23 ]",
        f"[ _{last}_n_1{at[9]} LBL: h24 ARG0: x20 ]",
    ]
    holes = "h0 qeq h1 h5 qeq h7 h10 qeq h12 h16 qeq h18 h22 qeq h24"
    return f"[ LTOP: h0 INDEX: e2 RELS: < {' '.join(relations)} > HCONS: < {holes} > ]"


def coordination(adjective: str, first: str, second: str, verb: str) -> tuple[str, list[Analysis]]:
    words = ["the", adjective, first, "and", second, verb]
    text = " ".join(words).capitalize() + "."
    return text, [_coordinated(words, wide) for wide in (False, True)]


def _coordinated(words: list[str], wide: bool) -> Analysis:
    _, adjective, first, _, second, verb = words
    build = Builder(words)
    modifier = build.word(1, f"{adjective}_adj", "aj_plain_le")
    left, right = build.word(2, f"{first}_noun", "n_count_le"), build.word(4, f"{second}_noun", "n_count_le")
    conjunction = build.word(3, "and_conj", "c_and_le")
    if wide:
        nominal = build.rule("adj-noun", 1, 5, modifier, build.rule("noun-coord", 2, 5, left, conjunction, right))
    else:
        nominal = build.rule("noun-coord", 1, 5, build.rule("adj-noun", 1, 3, modifier, left), conjunction, right)
    phrase = build.rule("det-noun", 0, 5, build.word(0, "the_det", "d_the_le"), nominal)
    tree = build.rule("subj-verb", 0, 6, phrase, build.word(5, f"{verb}_verb", "v_intrans_le"))
    target = "_and_c" if wide else f"_{first}_n_1"
    build.holds.add((6, f"_{adjective}_a_1 arg1 {target}", 0, 0))
    return Analysis(f"(root_clause {tree})", _coordinated_mrs(words, wide), frozenset(build.holds))


def _coordinated_mrs(words: list[str], wide: bool) -> str:
    at = _places(words)
    _, adjective, first, _, second, verb = words
    label, target = ("h12", "x3") if wide else ("h13", "x14")
    relations = [
        f"[ _the_q{at[0]} LBL: h4 ARG0: x3 [ x PERS: 3 NUM: pl ] RSTR: h5 BODY: h6 ]",
        f"[ _{adjective}_a_1{at[1]} LBL: {label} ARG0: e7 [ e SF: prop ] ARG1: {target} ]",
        f"[ udef_q{at[2]} LBL: h8 ARG0: x14 RSTR: h9 BODY: h10 ]",
        f"[ _{first}_n_1{at[2]} LBL: h13 ARG0: x14 [ x PERS: 3 NUM: pl ] ]",
        f"[ _and_c{at[3]} LBL: h12 ARG0: x3 L-INDEX: x14 R-INDEX: x15 ]",
        f"[ udef_q{at[4]} LBL: h16 ARG0: x15 RSTR: h17 BODY: h18 ]",
        f"[ _{second}_n_1{at[4]} LBL: h19 ARG0: x15 [ x PERS: 3 NUM: pl ] ]",
        f"[ _{verb}_v_1{at[5]} LBL: h1 ARG0: e2 [ e SF: prop TENSE: past ] ARG1: x3 ]",
    ]
    holes = "h0 qeq h1 h5 qeq h12 h9 qeq h13 h17 qeq h19"
    return f"[ LTOP: h0 INDEX: e2 RELS: < {' '.join(relations)} > HCONS: < {holes} > ]"


def plain(subject: str, verb: str) -> tuple[str, list[Analysis]]:
    words = [subject, verb]
    build, at = Builder(words), _places(words)
    name = build.rule("bare-name", 0, 1, build.word(0, f"{subject.lower()}_name", "n_name_le"))
    tree = build.rule("subj-verb", 0, 2, name, build.word(1, f"{verb}_verb", "v_intrans_le"))
    relations = [
        f"[ proper_q{at[0]} LBL: h4 ARG0: x3 [ x PERS: 3 NUM: sg ] RSTR: h5 BODY: h6 ]",
        f'[ named{at[0]} LBL: h7 ARG0: x3 CARG: "{subject}" ]',
        f"[ _{verb}_v_1{at[1]} LBL: h1 ARG0: e2 [ e SF: prop TENSE: past ] ARG1: x3 ]",
    ]
    mrs = f"[ LTOP: h0 INDEX: e2 RELS: < {' '.join(relations)} > HCONS: < h0 qeq h1 h5 qeq h7 > ]"
    return f"{subject} {verb}.", [Analysis(f"(root_clause {tree})", mrs, frozenset(build.holds))]


def _places(words: list[str]) -> list[str]:
    """Character spans of the words in the sentence, as MRSs write them."""
    starts = [sum(len(word) + 1 for word in words[:place]) for place in range(len(words))]
    return [f"<{start}:{start + len(word)}>" for start, word in zip(starts, words, strict=True)]
