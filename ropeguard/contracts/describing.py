"""Say what a value is from its class, `shape` and `dtype`: nothing is rendered or evaluated."""

from typing import Any

from ropeguard.contracts.violation import Argument


def summary(value: Any, name: str, hint: str) -> Argument:
    """Summarise a value as data that keeps no array alive.

    Args:
        value: The value.
        name: What messages call it.
        hint: The text of its annotation.
    """
    kind = type_name(value)
    if _is_array(value):
        return Argument(name, hint, kind, tuple(value.shape), dtype_name(value))
    return Argument(name, hint, kind, text=scalar_text(value))


def describe(value: Any) -> str:
    """Describe a value without rendering it: dtype and shape, a scalar, or its class."""
    if isinstance(value, type):
        return f"the class {type_text(value)}"
    if _is_array(value):
        return f"{type_name(value)} {dtype_name(value)} {tuple(value.shape)}"
    return scalar_text(value) or type_name(value)


def _is_array(value: Any) -> bool:
    """Say whether a value has a shape and a dtype; of a class they are descriptors."""
    return not isinstance(value, type) and hasattr(value, "shape") and hasattr(value, "dtype")


def exception_text(failure: Exception) -> str:
    """Name an exception, with its text where that is text already and renders nothing."""
    kind = type(failure).__name__
    if failure.args and all(isinstance(argument, str) for argument in failure.args):
        return f"{kind}: {failure.args[0].partition(chr(10))[0]}"
    return kind


def scalar_text(value: object) -> str:
    """Write a plain Python scalar, long strings cut; empty for everything else."""
    if type(value) in (bool, float, complex, type(None)):
        return repr(value)
    if type(value) is int:
        return repr(value) if abs(value) < 10**40 else "an int of over 40 digits"
    if type(value) is str:
        return repr(value if len(value) <= 40 else f"{value[:37]}...")
    return ""


def key_text(key: object) -> str:
    """Write a mapping's key the way it is indexed, if it is a plain scalar."""
    return scalar_text(key) or f"<{type(key).__qualname__}>"


def key_place(name: str, key: object) -> str:
    """Say in words where a mapping's key is: `key 'bias' of weights`."""
    return f"key {key_text(key)} of {name}"


def type_name(value: object) -> str:
    """Name a value's class, with its module unless it is a builtin."""
    return type_text(type(value))


def type_text(kind: Any) -> str:
    """Name a class, with its module unless it is a builtin."""
    name = getattr(kind, "__qualname__", str(kind))
    module = getattr(kind, "__module__", "builtins")
    return name if module == "builtins" else f"{module}.{name}"


def dtype_name(value: Any) -> str:
    """Name an array's dtype: `float16`, whatever library it is of."""
    text = str(value.dtype)
    return text.rsplit(".", 1)[-1]
