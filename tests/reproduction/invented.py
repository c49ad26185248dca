"""Invented data in the form of the studies'."""

from pathlib import Path

FEATURES = ("core_event", "answerhood", "grammaticality", "interpretability", "verifiability")
KINDS = ("intransitive", "transitive", "ditransitive")
HEAD = "response_id,image,targeting,transitivity,group,annotator,feature,value\n"


def invented_sails(folder: Path, *, features: tuple[str, ...] = FEATURES) -> Path:
    """A file with the columns of the study's, and judgements that are not its."""
    rows = []
    for i in range(24):
        kind, target = KINDS[i % 3], "targeted" if i % 2 else "untargeted"
        unit = f"r{i},I{28 + i % 3},{target},{kind},{'NS' if i % 4 else 'NNS'}"
        for j, feature in enumerate(features):
            rows += [f"{unit},A1,{feature},{(i + j) % 2}", f"{unit},A2,{feature},{(i + j + (i % 5 == 0)) % 2}"]
    (folder / "sails").mkdir()
    (folder / "sails" / "sails_judgements.csv").write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    return folder
