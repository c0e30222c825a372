"""Programs run by forking a process that has already imported what they begin with.

A fresh process spends most of its time on imports. A zygote (`zygote.py`) has done some of them,
and nothing else, when it forks; each program still has a process, a folder and pipes of its own.
Only what a program imports in its own first statements is imported for it, so that whatever it
does about imports afterwards has the effect it would have had. Three things differ: frames of the
zygote lie below those of the program (no traceback shows them), `sys.orig_argv`, and the seed of
the hashes of strings, which the programs of one zygote share.
"""

import atexit
import marshal
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import IO

from ropeguard.catalogue import programs, zygote
from ropeguard.catalogue.kits import kit_of
from ropeguard.catalogue.programs import Run


AT_ONCE = 10


def run(program: str, inner: str = "", python: str = sys.executable) -> Run:
    """Run a program in a process that is forked for it, or in a fresh one where that cannot be.

    Args:
        program: The program.
        inner: The program that it runs in its turn, if it does: then that one's imports count.
        python: The interpreter, of this environment or of another one.
    """
    key = (python, *kit_of(inner or program))
    if not is_possible() or key in _UNFIT:
        return programs.run(program, inner, python)
    with programs.placed(program) as (path, work):
        environment = programs.environment(work, python)
        ended = _zygote(key, environment).run(path, work, environment)
    if ended is None:
        _UNFIT.add(key)
        _ZYGOTES.pop(key).stop()
        return programs.run(program, inner, python)
    return ended


def is_possible() -> bool:
    """Return whether processes can be forked here.

    Apple's frameworks, which MLX loads there, do not survive a fork.
    """
    return hasattr(os, "fork") and sys.platform != "darwin"


class Zygote:
    """A running zygote: a process that waits to be told what to fork for.

    Args:
        key: The interpreter, and what it imports.
        environment: The environment that it does so in.
    """

    def __init__(self, key: tuple[str, ...], environment: Mapping[str, str]) -> None:
        self._environment = _lasting(environment)
        self._folder = tempfile.TemporaryDirectory(prefix="ropeguard-")
        self._line, far = socket.socketpair()
        with far:
            self._process = subprocess.Popen(
                [key[0], zygote.__file__, str(far.fileno()), *key[1:]],
                cwd=self._folder.name,
                env={**environment, "TMPDIR": self._folder.name},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[far.fileno()],
            )
        _wait([self._line], time.monotonic() + programs.SECONDS)
        self._printed: list[bytes] = []
        if self._answer() is not None:
            self._printed = [_so_far(it) for it in (self._process.stdout, self._process.stderr)]
            self._line.sendall(b"+")

    def fits(self, environment: Mapping[str, str]) -> bool:
        """Return whether a fresh process in that environment would have begun as this one did."""
        return self._environment == _lasting(environment)

    def run(self, path: str, folder: str, environment: Mapping[str, str]) -> Run | None:
        """Run the program at `path` in `folder`; return nothing if the zygote is dead."""
        if not self._printed:
            return None
        pipes = [os.pipe(), os.pipe()]
        texts = {
            out: bytearray(printed) for (out, _), printed in zip(pipes, self._printed, strict=True)
        }
        try:
            process = self._fork(path, folder, environment, [end for _, end in pipes])
            return None if process is None else self._ended(process, texts)
        finally:
            for out in texts:
                os.close(out)

    def _fork(
        self, path: str, folder: str, environment: Mapping[str, str], ends: Sequence[int]
    ) -> int | None:
        message = marshal.dumps((path, folder, dict(environment)))
        try:
            socket.send_fds(self._line, [len(message).to_bytes(zygote.HEAD, "little")], ends)
            self._line.sendall(message)
        except OSError:
            return None
        finally:
            for end in ends:
                os.close(end)
        return self._answer()

    def _ended(self, process: int, texts: Mapping[int, bytearray]) -> Run | None:
        in_time = _wait([*texts, self._line], time.monotonic() + programs.SECONDS, texts)
        if not in_time:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        status = self._answer()
        programs.end_all(process)
        shown = [programs.decoded(bytes(text)) for text in texts.values()]
        return None if status is None else Run(status if in_time else None, *shown)

    def _answer(self) -> int | None:
        try:
            answer = self._line.recv(zygote.HEAD)
        except OSError:
            return None
        return int.from_bytes(answer, "little", signed=True) if answer else None

    def stop(self) -> None:
        """End the process; nothing that it forked is still there."""
        self._process.kill()
        self._process.communicate()
        self._line.close()
        self._folder.cleanup()


def _wait(
    sources: Iterable[int | socket.socket],
    deadline: float,
    texts: Mapping[int, bytearray] = MappingProxyType({}),
) -> bool:
    """Wait until there is something to read from each source, and return whether there is in time.

    Args:
        sources: Ends of pipes and sockets.
        deadline: Until when to wait.
        texts: For ends of pipes that are to be read to the end, where to.
    """
    with selectors.DefaultSelector() as waiting:
        for source in sources:
            waiting.register(source, selectors.EVENT_READ)
        while waiting.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            for ready, _ in waiting.select(left):
                data = os.read(ready.fd, _CHUNK) if ready.fd in texts else b""
                texts.get(ready.fd, bytearray()).extend(data)
                if not data:
                    waiting.unregister(ready.fileobj)
    return True


_CHUNK = 1 << 16


def _so_far(stream: IO[bytes] | None) -> bytes:
    """Return what can be read from a pipe at once."""
    if stream is None:
        return b""
    os.set_blocking(stream.fileno(), False)
    return stream.read() or b""


def _lasting(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the part of an environment that is not of one folder only."""
    return {name: it for name, it in environment.items() if name != "TMPDIR"}


_ZYGOTES: dict[tuple[str, ...], Zygote] = {}
_UNFIT: set[tuple[str, ...]] = set()


def _zygote(key: tuple[str, ...], environment: Mapping[str, str]) -> Zygote:
    """Return the zygote for a kit; the few that were used last are kept."""
    known = _ZYGOTES.pop(key, None)
    if known is not None and not known.fits(environment):
        known.stop()
        known = None
    if known is None:
        while len(_ZYGOTES) >= AT_ONCE:
            _ZYGOTES.pop(next(iter(_ZYGOTES))).stop()
        known = Zygote(key, environment)
    _ZYGOTES[key] = known
    return known


@atexit.register
def stop() -> None:
    """End all zygotes."""
    while _ZYGOTES:
        _ZYGOTES.popitem()[1].stop()
