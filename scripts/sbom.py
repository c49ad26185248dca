#!/usr/bin/env python3
"""The software bill of materials of what is installed for `concordant[all]`: CycloneDX 1.5 on standard output.

.venv/bin/python scripts/sbom.py > sbom.json      exit code 1 if a licence is none of those that may be shipped together
"""

import json
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

LOCK = Path(__file__).parent.parent / "requirements" / "demo.txt"
NOT_HERE = "not installed here"
GOOD = re.compile(r"apache|mit\b|bsd|isc|psf|python software|mpl|mozilla|zlib|hpnd|unlicense|cc0|lgpl|lesser", re.I)
"""Permissive licences, and weak copyleft that asks nothing of a program that only imports."""


def licence(one: Distribution) -> str:
    """What a package says of its licence: an expression, a classifier, or a short text."""
    about = one.metadata
    classified = [one.rpartition(" :: ")[2] for one in about.get_all("Classifier") or () if "License" in one]
    told = [about.get("License-Expression") or "", *classified]
    text = (about.get("License") or "").strip().splitlines()
    return next(filter(None, [*told, *text[:1]]), "unknown")


def main() -> None:
    """List, and look at the licences."""
    pinned = re.findall(r"(?m)^([A-Za-z0-9_.-]+)==([^ ;\\]+)", LOCK.read_text(encoding="utf-8"))
    parts, odd = [], []
    for name, version in pinned:
        try:
            said = licence(distribution(name))
        except PackageNotFoundError:  # for another system
            said = NOT_HERE
        if said != NOT_HERE and not GOOD.search(said):
            odd.append(f"{name} {version}: {said}")
        about = {"purl": f"pkg:pypi/{name}@{version}", "licenses": [{"license": {"name": said}}]}
        parts.append({"type": "library", "name": name, "version": version, **about})
    whole = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": parts}
    print(json.dumps(whole, indent=1))
    print("\n".join(odd), file=sys.stderr, end="\n" * bool(odd))
    sys.exit(1 if odd else 0)


if __name__ == "__main__":
    main()
