"""What a process may import before it forks for a program: no more than the program begins with."""

import ast
from collections.abc import Iterator
from functools import cache


# What a zygote has imported, the dearest first: modules, and names that are imported lazily.
KITS = (
    ("mlx.core", "mlx_lm", "jaxtyping", "ropeguard:guard"),
    ("mlx_lm", "ropeguard:guard"),
    ("mlx_lm",),
    ("mlx.core", "mlx.nn", "jaxtyping", "ropeguard:guard"),
    ("mlx.core", "jaxtyping", "ropeguard:guard"),
    ("mlx.core", "ropeguard:rope_pool_fused"),
    ("mlx.core", "ropeguard:guard"),
    ("mlx.core", "ropeguard:KVPool"),
    ("ropeguard:guard",),
    ("ropeguard:KVPool",),
    ("numpy", "mlx.core"),
    ("mlx.core", "mlx.nn"),
    ("mlx.core",),
    ("ropeguard.cli:main", "ropeguard.catalogue:records_folder"),
    ("ropeguard.catalogue:open_catalogue",),
    ("ropeguard.catalogue:look_up",),
    ("ropeguard.cli:main",),
    (),
)


@cache
def kit_of(program: str) -> tuple[str, ...]:
    """Return the dearest kit of which a program imports everything before it does anything."""
    imported = set(_imports(program))
    return next(kit for kit in KITS if imported.issuperset(kit))


def _imports(program: str) -> Iterator[str]:
    try:
        statements = ast.parse(program).body
    except (SyntaxError, ValueError):
        return
    for statement in statements:
        if isinstance(statement, ast.Import):
            modules = [name.name for name in statement.names]
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            modules = [statement.module]
            yield from (f"{statement.module}:{name.name}" for name in statement.names)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        else:
            return
        for module in modules:
            parts = module.split(".")
            yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))
