"""Makes the modules beside the tests importable from them, and chooses the backend for some."""

import sys
from pathlib import Path

import pytest

from ropeguard import backend


sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def plain_operations_under_vmap(request):
    """On a GPU too: MLX has no `mx.vmap` for kernels."""
    with backend("composed" if "vmap" in request.node.name else "auto"):
        yield
