"""Writing files whole or not at all."""

import os

from ropeguard.catalogue.raising import error


def write_atomically(path: str, data: bytes) -> None:
    """Write `data` to `path`; whatever goes wrong, no half of it is left there."""
    partial = f"{path}.{os.getpid()}.partial"
    try:
        try:
            with open(partial, "xb") as stream:
                stream.write(data)
            os.replace(partial, path)
        except BaseException:
            if os.path.exists(partial):
                os.unlink(partial)
            raise
    except OSError as cause:
        raise error("file-unwritable", path=path, reason=cause.strerror) from cause
