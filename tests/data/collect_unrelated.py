"""Collect errors of packages other than MLX, by making their functions fail.

Run it, in an environment that has the packages: python tests/data/collect_unrelated.py > \
tests/data/unrelated.jsonl

Each line holds the source and its version, the call, and what a traceback shows of the error: the
exception, its message and the innermost frames. Of messages that differ in names and numbers only,
few are kept. Calls written by hand come first; the others are a package's functions, each with
arguments that do not suit it.
"""

import contextlib
import fcntl
import importlib
import io
import json
import linecache
import os
import re
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from functools import partial

from unrelated_calls import BY_HAND, PROBED, SKIPPED, arguments_for, namespace_for


KEPT_ALIKE = 2
LONGEST = 1200
MOST = 450
MOST_OF_MODULE = {"stdlib": 6, "numpy": 60, "torch": 80, "jax": 80, "einops": 40}
SECONDS = 3
_SITE = re.compile(r"(?:/[^/\s()\"]+)*/(site-packages|python3\.\d+)/")
_ALIKE = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\w+\(\)|\w+(?:\.\w+)+|\d+|\b\w*_\w*\b|\[[^]]*\]")


class _TimedOut(Exception):
    pass


def _ring(*_):
    raise _TimedOut


def failure_of(call):
    """Return the exception that a call ends in, or `None`."""
    sink = io.StringIO()
    signal.alarm(SECONDS)
    try:
        with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
            call()
    except (_TimedOut, KeyboardInterrupt, SystemExit):
        return None
    except Exception as failure:
        return failure
    finally:
        signal.alarm(0)
    return None


_HERE = os.path.dirname(os.path.abspath(__file__))


def frames_of(failure):
    """Return the two innermost frames, with paths as on any machine."""
    found = []
    for frame in traceback.extract_tb(failure.__traceback__)[1:][-2:]:
        if frame.filename == __file__ or frame.filename.startswith("<"):
            continue
        path = _SITE.sub(r"/usr/lib/python3/\1/", frame.filename)
        found.append([path, frame.lineno, frame.name, frame.line or ""])
    linecache.clearcache()
    return found


def name_of(kind):
    """Return an exception's name as a traceback writes it."""
    return kind.__qualname__ if kind.__module__ == "builtins" else (
        f"{kind.__module__}.{kind.__qualname__}"
    )  # fmt: skip


def calls_of(source):
    """Yield each call that may fail: its module, how it is written, and a function."""
    names = namespace_for(source)
    for text in BY_HAND[source]:
        yield "", text, partial(exec, text, dict(names))
    for module in PROBED[source]:
        try:
            home = importlib.import_module(module)
        except ImportError:
            continue
        for name in sorted(vars(home)):
            function = getattr(home, name)
            if module == "torch" and name[0].isupper():
                continue  # several of these classes end the process
            if name.startswith("_") or not callable(function) or SKIPPED.search(name):
                continue
            if isinstance(function, type) and issubclass(function, BaseException):
                continue
            for number, arguments in enumerate(arguments_for(source)):
                shown = f"{module}.{name}(*arguments[{number}])"
                yield module, shown, lambda f=function, a=arguments: f(*a)


def collect(source):
    """Yield a record for each distinct failure of a source."""
    alike, kept = Counter(), Counter()
    version = getattr(importlib.import_module(source), "__version__", "") if (
        source != "stdlib"
    ) else sys.version.split()[0]  # fmt: skip
    for module, call, function in calls_of(source):
        if module and kept[module] == MOST_OF_MODULE[source]:
            continue
        failure = failure_of(function)
        if failure is None:
            continue
        try:
            message = str(failure)[:LONGEST].replace(_HERE, "/srv/ropeguard/tests/data")
            message = _SITE.sub(r"/usr/lib/python3/\1/", message)
        except Exception:
            continue
        if "/tmp/" in message or "0x" in message:
            continue
        key = name_of(type(failure)), _ALIKE.sub("#", message)[:120]
        alike[key] += 1
        if alike[key] > KEPT_ALIKE:
            continue
        kept[module] += 1
        yield {
            "source": source, "version": version, "call": call, "exception": key[0],
            "message": message, "frames": frames_of(failure),
        }  # fmt: skip


def main():
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, _ring)
    # Some of the calls close the descriptors that they are given.
    out = os.fdopen(fcntl.fcntl(1, fcntl.F_DUPFD, 100), "w")
    os.chdir(tempfile.mkdtemp())
    for source in sys.argv[1:] or list(BY_HAND):
        count = 0
        for record in collect(source):
            by_hand = record["call"] in BY_HAND[source]
            if count < MOST or by_hand:
                print(json.dumps(record), file=out, flush=True)
            count += 1
            if count >= MOST and not by_hand:
                break
        print(source, count, file=sys.stderr)
    os._exit(0)


if __name__ == "__main__":
    main()
