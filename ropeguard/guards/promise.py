"""A contract that is compiled at decoration if it can be, else at the first call."""

from ropeguard.contracts import Contract, Source, contract_of


class Promise:
    """A contract, compiled once.

    A name in an annotation that is not defined at decoration may be defined later, as a class is
    that its own methods name; if it still is not at the first call, the call is refused.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._contract = contract_of(source, final=False)

    def kept(self) -> Contract:
        """Return the contract, for a call.

        Raises:
            RopeguardError: A name in an annotation is still not defined
                (`annotation-unresolvable`), or what became of it can't be checked.
        """
        if self._contract is None:
            self._contract = contract_of(self._source, final=True)
        return self._contract  # type: ignore[return-value]
