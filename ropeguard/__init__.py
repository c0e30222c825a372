"""A typed error catalogue and guard library for MLX models, with a kernel core."""

# Importing `typing` would cost `ropeguard explain` a tenth of its time.
TYPE_CHECKING = False


if TYPE_CHECKING:
    from ropeguard.catalogue import RopeguardError as RopeguardError
    from ropeguard.contracts import (
        Binding as Binding,
        Distinct as Distinct,
        Finite as Finite,
        InRange as InRange,
        MultipleOf as MultipleOf,
        Origin as Origin,
        Positive as Positive,
        SameDtype as SameDtype,
        Unique as Unique,
        Violation as Violation,
    )
    from ropeguard.diagnosis import ContractError as ContractError
    from ropeguard.guards import (
        guard as guard,
        install_import_hook as install_import_hook,
        level as level,
        set_level as set_level,
        show as show,
    )
    from ropeguard.integrations import (
        Explanation as Explanation,
        Translation as Translation,
        explain as explain,
        install_excepthook as install_excepthook,
        load_ipython_extension as load_ipython_extension,
        translate as translate,
        unload_ipython_extension as unload_ipython_extension,
    )
    from ropeguard.kernels import (
        KVPool as KVPool,
        Slots as Slots,
        backend as backend,
        rope_pool_fused as rope_pool_fused,
        set_backend as set_backend,
        slot_fault as slot_fault,
    )

__version__ = "0.1.0"

_HOMES = {
    "Binding": "ropeguard.contracts",
    "ContractError": "ropeguard.diagnosis",
    "Distinct": "ropeguard.contracts",
    "Explanation": "ropeguard.integrations",
    "Finite": "ropeguard.contracts",
    "InRange": "ropeguard.contracts",
    "KVPool": "ropeguard.kernels",
    "MultipleOf": "ropeguard.contracts",
    "Origin": "ropeguard.contracts",
    "Positive": "ropeguard.contracts",
    "RopeguardError": "ropeguard.catalogue",
    "SameDtype": "ropeguard.contracts",
    "Slots": "ropeguard.kernels",
    "Translation": "ropeguard.integrations",
    "Unique": "ropeguard.contracts",
    "Violation": "ropeguard.contracts",
    "backend": "ropeguard.kernels",
    "explain": "ropeguard.integrations",
    "guard": "ropeguard.guards",
    "install_excepthook": "ropeguard.integrations",
    "install_import_hook": "ropeguard.guards",
    "level": "ropeguard.guards",
    "load_ipython_extension": "ropeguard.integrations.ipython",
    "rope_pool_fused": "ropeguard.kernels",
    "set_backend": "ropeguard.kernels",
    "set_level": "ropeguard.guards",
    "show": "ropeguard.guards",
    "slot_fault": "ropeguard.kernels",
    "translate": "ropeguard.integrations",
    "unload_ipython_extension": "ropeguard.integrations.ipython",
}
__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that `ropeguard explain` never waits for MLX."""
    if name not in _HOMES:
        from ropeguard.catalogue import error

        raise error("public-name-unknown", name=name)
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    """List the public names, those not yet imported too."""
    return sorted({*globals(), *_HOMES})
