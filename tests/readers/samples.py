"""Files of formats of spans, as their programs write them."""

GRID = '''File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 3.5
tiers? <exists>
size = 3
item []:
    item [1]:
        class = "IntervalTier"
        name = "Ann"
        xmin = 0
        xmax = 3.5
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 1.25
            text = "say ""hi"""
        intervals [2]:
            xmin = 1.25
            xmax = 3.5
            text = ""
    item [2]:
        class = "TextTier"
        name = "points"
        xmin = 0
        xmax = 3.5
        points: size = 1
        points [1]:
            number = 1
            mark = "p"
    item [3]:
        class = "IntervalTier"
        name = "Ben"
        xmin = 0
        xmax = 3.5
        intervals: size = 1
        intervals [1]:
            xmin = 0
            xmax = 1.5
            text = "x"
'''

SHORT = 'File type = "ooTextFile"\n"TextGrid"\n\n0\n3.5\n<exists>\n1\n"IntervalTier"\n"words"\n0\n3.5\n1\n0\n1.5\n"x"\n'

EAF = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT><TIME_ORDER>
<TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="1500"/></TIME_ORDER>
<TIER TIER_ID="words" ANNOTATOR="Ann"><ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2">
<ANNOTATION_VALUE>hello</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>
<TIER TIER_ID="Ben"><ANNOTATION><REF_ANNOTATION ANNOTATION_ID="a2" ANNOTATION_REF="a1">
<ANNOTATION_VALUE>greeting</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION></TIER></ANNOTATION_DOCUMENT>
"""

WEBANNO = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Level|degree|mood
#T_RL=webanno.custom.Link|BT_webanno.custom.Level
#T_SP=de.example.Name|value


#Text=Anna Berg in Rom.
1-1\t0-4\tAnna\t1[1]\tfree[1]\t_\tPER[2]\t
1-2\t5-9\tBerg\t1[1]|2[3]\tfree[1]|*[3]\t_\tPER[2]\t
1-3\t10-12\tin\t_\t_\t_\t_\t
1-4\t13-16\tRom\t_\t_\t_\tLOC\t
"""


def cas_files() -> tuple[bytes, bytes]:
    """A document as INCEpTION exports it: a layer with two features, and named entities."""
    from cassis import Cas, TypeSystem

    types = TypeSystem()
    layer = types.create_type("webanno.custom.Level", supertypeName="uima.tcas.Annotation")
    types.create_feature(layer, "degree", "uima.cas.String")
    types.create_feature(layer, "mood", "uima.cas.String")
    entity = types.create_type(
        "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity", supertypeName="uima.tcas.Annotation"
    )
    types.create_feature(entity, "value", "uima.cas.String")
    cas = Cas(types)
    cas.sofa_string = "Anna in Rom."
    cas.add(layer(begin=0, end=11, degree="1", mood="free"))
    cas.add(layer(begin=0, end=4))
    cas.add(entity(begin=8, end=11, value="LOC"))
    return types.to_xml().encode(), cas.to_xmi().encode()
