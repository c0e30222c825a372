"""What a check of a record finds."""

from typing import NamedTuple


class Problem(NamedTuple):
    """One thing wrong: the key, what stands there, what may stand there."""

    key: str
    found: object
    allowed: str
