"""The dtypes that a pool may have."""

from typing import TYPE_CHECKING

from jaxtyping import AbstractDtype


__all__ = ["Pooled"]

if TYPE_CHECKING:
    # A type checker reads array types as jaxtyping's own: the array, with something to say of it.
    from typing import Annotated as Pooled
else:

    class Pooled(AbstractDtype):
        """The dtypes that a pool may have."""

        dtypes = ("float16", "bfloat16", "float32")
