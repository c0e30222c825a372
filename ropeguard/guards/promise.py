"""A contract that is compiled at decoration if it can be, else at the first call."""

from ropeguard.contracts import Call, Contract, Source, contract_of, open_call


class Promise:
    """A contract, compiled once.

    A name in an annotation that is not defined at decoration may be defined later, as a class is
    that its own methods name; if it still is not at the first call, the call is refused.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._contract = contract_of(source, final=False)

    def kept(self, first: object) -> Contract:
        """Return the contract, for a call.

        Args:
            first: The call's first argument, whose class annotations may name.

        Raises:
            RopeguardError: A name in an annotation is still not defined
                (`annotation-unresolvable`), or what became of it can't be checked.
        """
        if self._contract is None:
            owner = first if isinstance(first, type) else type(first)
            self._contract = contract_of(self._source.within(owner), final=True)
        return self._contract  # type: ignore[return-value]

    def open(self, args: tuple[object, ...], kwargs: dict[str, object]) -> Call | None:
        """Bind a call's arguments; `None` if they do not fit the signature."""
        return open_call(self.kept(args[0] if args else None), args, kwargs)
