"""When two texts count as the same: after Unicode composition, case folding, and without differences in spaces and
final marks.
"""

import unicodedata


def normalised(text: str) -> str:
    """The form in which texts are compared.

    >>> normalised("  The boy  is eating. ") == normalised("the boy is eating")
    True
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split()).rstrip(".!… ").strip()
