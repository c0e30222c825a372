"""Generators whose items are checked as they pass."""

from collections.abc import AsyncGenerator, Generator
from typing import Any

from ropeguard.contracts import Call, Node
from ropeguard.diagnosis import contract_error


def guarded_generator(
    inner: Generator[Any, Any, Any], call: Call, values: bool
) -> Generator[Any, Any, Any]:
    """Pass everything through a generator, checking what it yields, is sent and returns."""
    __tracebackhide__ = True
    items = call.contract.items
    sent: Any = None
    step: Any = inner.send
    try:
        while True:
            try:
                item = step(sent)
            except StopIteration as stop:
                return _checked(call, items.returned, stop.value, "return", values)
            item = _checked(call, items.yielded, item, "yield", values)
            try:
                sent, step = (yield item), inner.send
            except GeneratorExit:
                raise
            except BaseException as thrown:
                sent, step = thrown, inner.throw
            else:
                if sent is not None:
                    _checked(call, items.sent, sent, "send", values)
    finally:
        inner.close()


async def guarded_async_generator(
    inner: AsyncGenerator[Any, Any], call: Call, values: bool
) -> AsyncGenerator[Any, Any]:
    """Pass everything through an async generator, checking what it yields and is sent."""
    __tracebackhide__ = True
    items = call.contract.items
    sent: Any = None
    step: Any = inner.asend
    try:
        while True:
            try:
                item = await step(sent)
            except StopAsyncIteration:
                return
            item = _checked(call, items.yielded, item, "yield", values)
            try:
                sent, step = (yield item), inner.asend
            except GeneratorExit:
                raise
            except BaseException as thrown:
                sent, step = thrown, inner.athrow
            else:
                if sent is not None:
                    _checked(call, items.sent, sent, "send", values)
    finally:
        await inner.aclose()


def _checked(call: Call, node: Node, item: Any, name: str, values: bool) -> Any:
    __tracebackhide__ = True
    violation = call.check_item(node, item, name, values=values)
    if violation is None:
        return item
    del item, call
    raise contract_error(violation)
