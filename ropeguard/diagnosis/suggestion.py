"""A suggestion: a change of the call's arguments that was tried, as data."""

from collections.abc import Mapping

import attrs


@attrs.frozen
class Change:
    """What a suggestion makes of one argument.

    Attributes:
        argument: The argument, or the item of one.
        before: Its dtype and shape, or the value, before.
        after: The same afterwards.
    """

    argument: str
    before: str
    after: str


@attrs.frozen
class Suggestion:
    """A change of the call's arguments after which the contract holds.

    Attributes:
        code: The statements to write, in the names of the parameters and `mx`. Run in a namespace
            that holds the call's arguments, they repair the call.
        why: What the arguments look like, and what the change keeps, drops or adds.
        applicability: `"verified"`: the whole contract, contracts on elements apart, was checked
            again on stand-ins with the change made, and holds. `"likely"`: the same, and the
            change drops, repeats, adds or reorders elements in a way that only the caller can
            know to be meant.
        changes: The arguments before and after.
        moves: What is done, by name, in order.
        cost: How far-fetched it is; suggestions are ranked by it.
        caller_code: The same statements in the names of the call's own line, where it shows them.
        advice: What the record says of such a change, if it names it as its fixer.
    """

    code: str
    why: str
    applicability: str
    changes: tuple[Change, ...]
    moves: tuple[str, ...]
    cost: float
    caller_code: str = ""
    advice: str = ""

    @property
    def shown(self) -> str:
        """The statements as a diagnostic shows them."""
        return self.caller_code or self.code

    @property
    def reason(self) -> str:
        """What a diagnostic says of it: the record's words, unless something may be lost."""
        return self.advice if self.advice and self.applicability == "verified" else self.why

    def to_json(self) -> Mapping[str, object]:
        """Return the suggestion in JSON's types."""
        return attrs.asdict(self)
