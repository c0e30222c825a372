"""A guarded function as generated source: it checks, calls, and on a miss asks for judgement."""

import inspect
import itertools
import linecache
import threading
import types
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from ropeguard.contracts import Call, Contract, Origin, Violation
from ropeguard.contracts.bindings import Bindings
from ropeguard.contracts.generating import Generator
from ropeguard.contracts.handing import bind
from ropeguard.contracts.scope import Step
from ropeguard.diagnosis import contract_error
from ropeguard.guards.levels import MODE


@attrs.frozen
class Refusal:
    """What stands for the result of a call that was refused."""

    violation: Violation


Slow = Callable[..., Any]
_numbers = itertools.count(1)
_lock = threading.Lock()


@attrs.define
class Compiled:
    """A guarded function that writes itself at its first call.

    Attributes:
        function: The function that is guarded.
        contract: Gives its contract, from the first argument of a call.
        slow: Checks with authority and calls; returns the result or a `Refusal`.
        wrapper: What takes the function's place: the same object before and after it is written.
        source: The generated source, once there is one.
        reason: Why there is none, if there can be none.
    """

    function: types.FunctionType
    contract: Callable[[object], Contract]
    slow: Slow
    wrapper: Any = None
    source: str = ""
    reason: str = ""

    def stub(self) -> types.FunctionType:
        """Return the wrapper, which is written when it is first called."""
        namespace: dict[str, Any] = {
            "slow_": self._first,
            "Refusal_": Refusal,
            "contract_error_": contract_error,
        }
        stub = _compiled(_SLOW_SOURCE, self.function.__qualname__, namespace)
        self.wrapper = stub
        return stub

    def _first(self, *args: Any, **kwargs: Any) -> Any:
        """Write the wrapper for the calls to come, and answer this one with authority."""
        __tracebackhide__ = True
        self.write(args[0] if args else None)
        return self.slow(*args, **kwargs)

    def write(self, first: object) -> None:
        """Write the wrapper, once.

        Args:
            first: The first argument of a call, whose class the annotations may name.
        """
        contract = self.contract(first)
        with _lock:
            if self.source:
                return
            generator = Generator(contract)
            source = _source(contract, generator)
            self.reason = generator.reason or ""
            if self.reason:
                source = _SLOW_SOURCE
            namespace = self.wrapper.__globals__
            namespace |= generator.constants
            namespace |= {f"default_{name}": it for name, it in _defaults(contract).items()}
            namespace |= {
                "mode_": MODE,
                "function_": self.function,
                "slow_": self.slow,
                "judge_": _judge(contract, generator),
                "Refusal_": Refusal,
                "contract_error_": contract_error,
            }
            written = _compiled(source, contract.function, namespace)
            self.wrapper.__defaults__ = written.__defaults__
            self.wrapper.__kwdefaults__ = written.__kwdefaults__
            self.wrapper.__code__ = written.__code__
            self.source = source


def _compiled(source: str, name: str, namespace: dict[str, Any]) -> types.FunctionType:
    """Compile the source under a file name that tracebacks and debuggers can show."""
    file = f"<ropeguard guard {next(_numbers)} of {name}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    exec(compile(source, file, "exec"), namespace)
    return namespace.pop("guarded")  # type: ignore[no-any-return]


_SLOW_SOURCE = """\
def guarded(*args, **kwargs):
    outcome_ = slow_(*args, **kwargs)
    if type(outcome_) is not Refusal_:
        return outcome_
    # A traceback holds this frame, and this frame must not hold the arguments.
    del args, kwargs
    raise contract_error_(outcome_.violation)
"""


def _defaults(contract: Contract) -> dict[str, Any]:
    return {
        name: parameter.default
        for name, parameter in contract.signature.parameters.items()
        if parameter.default is not inspect.Parameter.empty
    }


def _source(contract: Contract, generator: Generator) -> str:
    """Write the whole function."""
    arguments = generator.arguments()
    bound, parts = tuple(generator.origins), generator.parts
    call = _call(contract)
    lines = ["while not mode_[0]:", *_indented(_tried(arguments), 4)]
    if contract.checks_result:
        lines += [f"    result_ = function_({call})", "    while True:"]
        lines += [*_indented(_tried(generator.result()), 8), "        return result_"]
        lines += [f"    outcome_ = judge_(result_, {_judged(contract, bound, parts)})"]
        lines += ["    del result_", *_indented(_answer(contract), 4)]
    else:
        lines += [f"    return function_({call})"]
    lines += ["if mode_[0] == 1:", f"    return function_({call})"]
    lines += [f"outcome_ = slow_({call})", *_answer(contract)]
    return "\n".join([f"def guarded({_header(contract)}):", *_indented(lines, 4)]) + "\n"


def _answer(contract: Contract) -> list[str]:
    """Write what is done with an outcome: it is returned, or what stands for it is raised."""
    names = ", ".join(contract.signature.parameters)
    forget = ["# A traceback holds this frame, and this frame must not hold the arguments."]
    forget += [f"del {names}"]
    return [
        "if type(outcome_) is not Refusal_:",
        "    return outcome_",
        *(forget if names else []),
        "raise contract_error_(outcome_.violation)",
    ]


def _tried(steps: list[Step]) -> list[str]:
    """Write a check inside a loop, which it leaves where something may not fit."""
    lines: list[str] = []
    for step in steps:
        lines += step.statements
        if len(step.terms) == 1:
            lines += [f"if not ({step.terms[0]}):", "    break"]
        elif step.terms:
            first, *others = step.terms
            lines += ["if not (", f"    {first}", *(f"    and {term}" for term in others)]
            lines += ["):", "    break"]
    return ["try:", *_indented(lines or ["pass"], 4), "except Exception:", "    break"]


def _indented(lines: list[str], width: int) -> list[str]:
    return [" " * width + line for line in lines]


def _header(contract: Contract) -> str:
    """Write the parameters, with their defaults as constants."""
    parameters = [
        parameter.replace(default=_Name(f"default_{parameter.name}"))
        if parameter.default is not inspect.Parameter.empty
        else parameter
        for parameter in contract.signature.parameters.values()
    ]
    return str(inspect.Signature(parameters))[1:-1]


class _Name:
    """Something that a signature writes as a name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


def _call(contract: Contract) -> str:
    """Write the arguments as they are passed on."""
    kinds = inspect.Parameter
    forms: dict[Any, str] = {
        kinds.VAR_POSITIONAL: "*{0}",
        kinds.KEYWORD_ONLY: "{0}={0}",
        kinds.VAR_KEYWORD: "**{0}",
    }
    parameters = contract.signature.parameters.values()
    return ", ".join(forms.get(it.kind, "{0}").format(it.name) for it in parameters)


def _judged(contract: Contract, bound: tuple[str, ...], parts: int) -> str:
    """Write what the judgement of a result needs: the arguments, and what they have bound."""
    arguments = ", ".join(f"'{name}': {name}" for name in contract.signature.parameters)
    sizes = "".join(f"{name}, " for name in bound)
    return f"{{{arguments}}}, ({sizes}), {'bound_' if parts else None}"


def _judge(contract: Contract, generator: Generator) -> Callable[..., Any]:
    """Return the authoritative check of a result, for a call whose arguments surely fitted."""

    def judge(
        result: Any, arguments: Mapping[str, Any], sizes: tuple[Any, ...], bound: Bindings | None
    ) -> Any:
        call = Call(contract, arguments)
        if bound is not None:
            call.bindings.accept(bound.copy())
        places = [
            (name, _from_front(origin, arguments)) for name, origin in generator.origins.values()
        ]
        bind(call.bindings, places, sizes)
        violation = call.check_result(result, values=False)
        return result if violation is None else Refusal(violation)

    return judge


def _from_front(origin: Origin, arguments: Mapping[str, Any]) -> Origin:
    """Count an axis behind a run of axes from the front, now that the shape is known."""
    if origin.axis is None or origin.axis >= 0:
        return origin
    array = arguments.get(origin.argument)
    return origin if array is None else Origin(origin.argument, origin.axis + len(array.shape))
