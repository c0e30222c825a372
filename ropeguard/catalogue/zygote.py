"""A process that has imported some modules, and forks itself for each program it is asked to run.

`forked.py` runs this file as a script. It imports nothing that a program does not begin with, so
that what a program finds in its new process is what it would have found in a fresh one. A request
is one message: its length, then the program's path, the folder to run it in and the environment,
and with it the ends of two pipes. The answers are the number of the new process and, once it has
ended, its exit status.
"""

import _socket
import builtins
import gc
import marshal
import os
import sys


HEAD = 8
_INT = 4


def main() -> str | None:
    """Serve until the other side hangs up; in each new process, return its program's path."""
    line = _socket.socket(fileno=int(sys.argv[1]))
    sys.path[0] = os.getcwd()  # the folder of this file has modules with the names of others
    for name in sys.argv[2:]:
        module, _, attribute = name.partition(":")
        __import__(module, fromlist=[attribute] if attribute else [])
    sys.stdout.flush()
    _answer(line, os.getpid())
    # The other side has read what the imports printed; what a fork warns of is for nobody.
    line.recv(1)
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(null, stream)
    os.close(null)
    # The collector need not go through what was imported, over and over, while a process ends.
    gc.collect()
    gc.freeze()
    return _serve(line)


def _serve(line: _socket.socket) -> str | None:
    while request := _request(line):
        pipes, (path, folder, environment) = request
        process = os.fork()
        if process == 0:
            line.close()
            _settle(pipes, path, folder, environment)
            return path
        for pipe in pipes:
            os.close(pipe)
        _answer(line, process)
        _answer(line, os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
    return None


def _request(line: _socket.socket) -> tuple[list[int], tuple[str, str, dict[str, str]]] | None:
    head, ancillary, _, _ = line.recvmsg(HEAD, _socket.CMSG_SPACE(2 * _INT))
    if not head:
        return None
    pipes = [
        int.from_bytes(data[at : at + _INT], sys.byteorder)
        for _, _, data in ancillary
        for at in range(0, len(data), _INT)
    ]
    body = b""
    while len(body) < int.from_bytes(head, "little"):
        body += line.recv(int.from_bytes(head, "little") - len(body))
    return pipes, marshal.loads(body)


def _answer(line: _socket.socket, number: int) -> None:
    line.sendall(number.to_bytes(HEAD, "little", signed=True))


def _settle(pipes: list[int], path: str, folder: str, environment: dict[str, str]) -> None:
    """Make this process what a fresh one is before it runs the program at `path`."""
    os.setsid()
    for stream, pipe in enumerate(pipes, 1):
        os.dup2(pipe, stream)
        os.close(pipe)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[:] = [path]
    sys.path[0] = os.path.dirname(path)
    del sys.modules["_socket"], sys.modules["gc"]
    if "tempfile" in sys.modules:
        vars(sys.modules["tempfile"])["tempdir"] = None
    # The module `random` seeds itself after a fork, and MLX at its first use.
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()


def execute(path: str) -> int:
    """Run the program at `path` as `__main__`, and return the exit status."""
    module = sys.modules["__main__"] = type(sys)("__main__")
    names = vars(module)
    names |= {"__builtins__": builtins, "__file__": path, "__cached__": None}
    loader = sys.modules["_frozen_importlib_external"].SourceFileLoader
    names["__loader__"] = loader("__main__", path)
    if sys.version_info < (3, 14):
        names["__annotations__"] = {}
    try:
        with open(path, "rb") as stream:
            program = compile(stream.read(), path, "exec", dont_inherit=True)
        exec(program, names)
    except SystemExit:
        raise
    except BaseException as wrong:
        _report(_stripped(wrong))
        if isinstance(wrong, KeyboardInterrupt):
            # The interpreter itself has to see it, to end by the signal; it is printed already.
            sys.excepthook = lambda *_: None
            raise
        return 1
    return 0


def _stripped(wrong: BaseException) -> BaseException:
    """Return an error without the frames of this file in its traceback."""
    place = wrong.__traceback__
    while place is not None and place.tb_frame.f_code.co_filename == __file__:
        place = place.tb_next
    return wrong.with_traceback(place)


def _report(wrong: BaseException) -> None:
    """Print an uncaught error as the interpreter does: through the program's hook."""
    sys.last_type, sys.last_value, sys.last_traceback = type(wrong), wrong, wrong.__traceback__
    if sys.version_info >= (3, 12):
        sys.last_exc = wrong
    hook = getattr(sys, "excepthook", None)
    if hook is None:
        print("sys.excepthook is missing", file=sys.stderr)
        hook = sys.__excepthook__
    try:
        hook(type(wrong), wrong, wrong.__traceback__)
    except SystemExit:
        raise
    except BaseException as second:
        for title, one in (
            ("Error in sys.excepthook:", second),
            ("\nOriginal exception was:", wrong),
        ):
            print(title, file=sys.stderr)
            if one is second:
                _stripped(second).__context__ = None
            sys.__excepthook__(type(one), one, one.__traceback__)


if __name__ == "__main__":
    _path = main()
    if _path is not None:
        sys.exit(execute(_path))
