"""Write the conditions on arrays: classes, shapes, axes and dtypes."""

import ast
import functools
import sys
from typing import Any

import attrs

from ropeguard.contracts.dims import Dim, Expression, Fixed, Named, Variadic
from ropeguard.contracts.nodes import Array, Valued
from ropeguard.contracts.scope import Scope
from ropeguard.contracts.shapes import variadic_index
from ropeguard.contracts.values import SameDtype
from ropeguard.contracts.violation import Origin


@attrs.define
class ArrayWriter(Scope):
    """Writes the conditions on one array after another."""

    def _array(self, node: Array, local: str) -> None:
        if node.array_type is Any or not isinstance(node.array_type, type):
            self.odd(node.text)
            return
        shape, dtype = self.getters(node, local)
        self._class_of(node, local)
        # A shape that is compared once more after the call, or cut into pieces, has a name.
        whole = shape
        if self._looks_again(local) or variadic_index(node.axes) is not None:
            whole = self.local(f"{local}_shape")
            self.check.statements.append(f"{whole} = {shape}")
        self._axes(node, local, whole)
        held = self._dtype(node, local, dtype)
        self.again.append(f"{shape} == {whole}")
        if held:
            self.again.append(f"{dtype} == {held}")

    def _looks_again(self, local: str) -> bool:
        return self.contract.checks_result and local in self.contract.parameters

    def _class_of(self, node: Array, local: str) -> None:
        """Write the condition on the class, which has to be the annotated one exactly."""
        kind = node.array_type
        if _is_mlx(kind):
            self.constant("array_", kind)
            self.constant("subclasses_", kind.__subclasses__)
            self._exact.append(f"type({local}) is array_")
        else:
            name = self.constant(f"{kind.__name__}_", kind)
            self.check.terms.append(f"type({local}) is {name}")

    def getters(self, node: Array, local: str) -> tuple[str, str]:
        """Return the expressions that read a shape and a dtype: of MLX's the getters themselves."""
        kind = node.array_type
        if not _is_mlx(kind):
            return f"{local}.shape", f"{local}.dtype"
        self.constant("shape_of", kind.shape.fget)
        self.constant("dtype_of", kind.dtype.fget)
        if not _hash_tells_dtypes_apart():
            return f"shape_of({local})", f"dtype_of({local})"
        self.constant("hash_of", _mlx().Dtype.__hash__)
        return f"shape_of({local})", f"hash_of(dtype_of({local}))"

    def _axes(self, node: Array, local: str, whole: str) -> None:
        run = variadic_index(node.axes)
        names = [self.local(f"{local}_{i}") for i in range(len(node.axes))]
        if run is None:
            unpacked = f"{', '.join(names)}{',' * (len(names) == 1)}" if names else "()"
            self.check.statements.append(f"{unpacked} = {whole}")
        else:
            self.check.terms.append(f"len({whole}) >= {len(names) - 1}")
        for i, (dim, name) in enumerate(zip(node.axes, names, strict=True)):
            if isinstance(dim, Variadic):
                self._run(dim, local, name, f"{whole}[{i}:{i + 1 - len(names) or None}]")
                continue
            place = i if run is None or i < run else i - len(names)
            if run is not None:
                self.check.statements.append(f"{name} = {whole}[{place}]")
            self._axis(dim, name, Origin(local, place))

    def _axis(self, dim: Dim, name: str, origin: Origin) -> None:
        wanted: str | None = None
        if isinstance(dim, Fixed):
            wanted = str(dim.size)
        elif isinstance(dim, Expression):
            wanted = self._expression(dim)
        elif isinstance(dim, Named):
            wanted = self.sizes.get(dim.name)
            if wanted is None and (dim.broadcast or dim.name in self._maybe):
                self.odd(dim.text)
            if wanted is None:
                self.sizes[dim.name] = name
                self.origins[name] = dim.name, origin
        if wanted is not None:
            one = f"{name} == 1 or " if dim.broadcast else ""  # type: ignore[union-attr]
            self.check.terms.append(f"({one}{name} == {wanted})" if one else f"{name} == {wanted}")

    def _run(self, dim: Variadic, local: str, name: str, part: str) -> None:
        if dim.name is None:
            return
        if dim.broadcast or dim.name in self._maybe:
            self.odd(dim.text)
        bound = self.runs.get(dim.name)
        if bound is None:
            self.check.statements.append(f"{name} = {part}")
            self.runs[dim.name] = name
            self.origins[name] = dim.name, Origin(local)
        else:
            self.check.terms.append(f"{part} == {bound}")

    def _expression(self, dim: Expression) -> str:
        """Return an axis expression over locals, the parameters in it checked to be integers."""
        renamed = {it.placeholder: self._parameter(it.text) for it in dim.parameters}
        for name in dim.names:
            if name not in self.sizes:
                self.odd(dim.text)
            renamed[name] = self.sizes.get(name, name)
        tree = ast.parse(dim.source, mode="eval")
        for node in ast.walk(tree):
            if isinstance(node, ast.NamedExpr | ast.Lambda):
                self.odd(dim.text)
            if not isinstance(node, ast.Name):
                continue
            if node.id in self.sizes and node.id not in renamed:
                renamed[node.id] = self.sizes[node.id]  # An axis with the name of a builtin.
            if node.id not in renamed and node.id in self.contract.parameters:
                self.odd(dim.text)
            node.id = renamed.get(node.id, node.id)
        text = ast.unparse(tree)
        return text if text.isidentifier() else f"({text})"

    def _parameter(self, text: str) -> str:
        """Return the local for `{...}`; what is no plain name is read again after the call."""
        if text in self._locals:
            return self._locals[text]
        local = text
        if any(isinstance(node, ast.NamedExpr | ast.Lambda) for node in ast.walk(ast.parse(text))):
            self.odd(text)
        if text not in self.contract.parameters:
            local = self.local(f"parameter_{len(self._locals)}")
            self.check.statements.append(f"{local} = {text}")
            self.again.append(f"{text} == {local}")
        self.check.terms.append(f"type({local}) is int")
        self._locals[text] = local
        return local

    def _dtype(self, node: Array, local: str, dtype: str) -> str | None:
        """Write the condition on the dtype, and return the local that holds it, if one does."""
        allowed = node.any_shape.dtypes
        if not isinstance(allowed, tuple):
            return None
        other = self._same_as(local)
        if other in self.dtypes and self.dtypes[other][1] == allowed:
            self.check.terms.append(f"{dtype} == {self.dtypes[other][0]}")
            self.same.add(local)
            return self.dtypes[other][0]
        cell = [object()]
        held = self._held_dtype(local)

        def learn(array: Any) -> bool:
            if not isinstance(array, node.any_shape):
                return False
            cell[0] = hash(array.dtype) if "hash_of" in dtype else array.dtype
            return True

        seen = self.constant(f"{local}_seen", cell)
        learns = self.constant(f"{local}_learn", learn)
        likely = [it for it, group in self.dtypes.values() if group == allowed][:1]
        read = f"({held} := {dtype})" if held else dtype
        guesses = [*likely, f"{seen}[0]"]
        terms = [f"{read} == {guesses[0]}", *(f"{held or dtype} == {it}" for it in guesses[1:])]
        self.check.terms.append(f"({' or '.join(terms)} or {learns}({local}))")
        if held:
            self.dtypes[local] = held, allowed
        return held

    def _held_dtype(self, local: str) -> str | None:
        """Return a local for a dtype that is read again: after the call, or for another array."""
        compared = local in self._compared or self._same_as(local) or local.startswith("result_")
        if self._looks_again(local) or compared or (self._several and not self.dtypes):
            return self.local(f"{local}_dtype")
        return None

    def _same_as(self, local: str) -> str:
        node = self.contract.parameters.get(local)
        contracts = node.contracts if isinstance(node, Valued) else ()
        return next((it.argument for it in contracts if isinstance(it, SameDtype)), "")


def _mlx() -> Any:
    return sys.modules["mlx.core"]


@functools.cache
def _hash_tells_dtypes_apart() -> bool:
    """Say whether no two of MLX's dtypes share a hash: hashes are quicker to compare."""
    dtypes = [item for item in vars(_mlx()).values() if isinstance(item, _mlx().Dtype)]
    distinct = [item for i, item in enumerate(dtypes) if item not in dtypes[:i]]
    return len({hash(item) for item in distinct}) == len(distinct)


def _is_mlx(kind: type) -> bool:
    return (kind.__module__, kind.__name__) == ("mlx.core", "array")
