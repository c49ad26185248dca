"""Words with which models decline to answer. What begins so is no answer, unless people give it as one."""

import re

REFUSES = re.compile(
    r"(?is)^\W*(n/?a|none|null|refused?|i\W?m sorry|i am sorry|sorry|i can\W?t|i cannot|i am unable|i\W?m unable|"
    r"i won\W?t|i will not|as an ai)\b"
)
