"""A forked process does as a fresh one: the same status, the same output, on both streams."""

import os
import re
import signal
import sys
import time

import pytest

from ropeguard.catalogue import entries, forked, programs
from ropeguard.catalogue.kits import KITS, kit_of
from ropeguard.catalogue.proof import _both


pytestmark = pytest.mark.skipif(not forked.is_possible(), reason="no process is forked here")
PROGRAMS = {
    "ends": "print('done')",
    "raises": "import mlx.core as mx\n\nmx.zeros((2, 3)) @ mx.zeros((2, 3))\n",
    "does not compile": "def f(:\n",
    "raises in compiled text": "exec(compile('1/0', 'after.py', 'exec'))",
    "raises from another": "try:\n    1/0\nexcept Exception as e:\n    raise KeyError from e",
    "raises a group": "raise ExceptionGroup('g', [ValueError(1), TypeError(2)])",
    "raises with a note": "e = ValueError('x')\ne.add_note('n')\nraise e",
    "raises no Exception": "class E(BaseException): pass\nraise E('q')",
    "exits": "import sys\nprint('x')\nsys.exit(3)",
    "exits with a text": "raise SystemExit('bye')",
    "exits with a large status": "import sys\nsys.exit(300)",
    "exits at once": "import os\nprint('lost')\nos._exit(7)",
    "dies by a signal": "import os\nprint('x', flush=True)\nos.kill(os.getpid(), 11)",
    "aborts": "import os\nos.abort()",
    "is interrupted": "print('x')\nraise KeyboardInterrupt",
    "speaks at exit": (
        "import atexit, sys\n"
        "atexit.register(lambda: print('at exit', sys.last_value, sys.last_traceback.tb_lineno))\n"
        "class A:\n    def __del__(self): print('deleted')\n"
        "a = A()\n1/0"
    ),
    "leaves a thread": (
        "import threading, time\n"
        "def work():\n    time.sleep(0.1); print('worked'); 1/0\n"
        "threading.Thread(target=work, name='w').start()\nprint('main ends')"
    ),
    "sets a hook": (
        "import sys\nsys.excepthook = lambda *e: print(e[0], e[2].tb_lineno, e[2].tb_next)\n1/0"
    ),
    "has a hook that raises": "import sys\ndef h(*_): 1/0\nsys.excepthook = h\nraise KeyError",
    "has a hook that exits": "import sys\nsys.excepthook = lambda *_: sys.exit(5)\n1/0",
    "has no hook": "import sys\ndel sys.excepthook\n1/0",
    "warns": (
        "import warnings\ndef f(): warnings.warn('deep', stacklevel=2)\n"
        "f()\nwarnings.warn('old', DeprecationWarning)"
    ),
    "misses a module": "import nothing_of_that_name",
    "imports by hand": (
        "import sys\nimport mlx.core\nsys.modules['numpy'] = None\n"
        "print('jaxtyping' in sys.modules)\nimport numpy"
    ),
    "looks at imports": "import mlx.core\nimport sys\nprint(sorted(sys.modules))",
    "looks at itself": (
        "import os, pickle, sys\nclass A: pass\n"
        "print(type(pickle.loads(pickle.dumps(A()))), sorted(globals()), __name__, __spec__)\n"
        "print(os.path.basename(__file__), sys.argv == [__file__], __loader__.__class__)\n"
        "print(sys.path[0] == os.path.dirname(__file__), sys.path[1:])"
    ),
    "looks at its folder": (
        "import os, tempfile\nprint(os.listdir(), sorted(os.environ))\n"
        "print(tempfile.gettempdir() == os.getcwd() == os.environ['TMPDIR'])"
    ),
    "looks at its streams": (
        "import sys\n"
        "for s in (sys.stdout, sys.stderr): print(s.isatty(), s.seekable(), s.encoding, s.errors)\n"
        "print(repr(sys.stdin.read()), sys.flags)"
    ),
    "starts a process": "import os, sys\nos.system(sys.executable + ' -c 1/0')",
    "spawns": (
        "import multiprocessing as m\ndef f(x): return 2 * x\nif __name__ == '__main__':\n"
        "    with m.get_context('spawn').Pool(1) as pool: print(pool.map(f, [1]))"
    ),
    "computes": (
        "import mlx.core as mx\nimport mlx.nn as nn\na = mx.ones((4, 4))\n"
        "print((a @ a).tolist(), mx.grad(lambda x: (x * x).sum())(a).sum().item())\n"
        "print(mx.random.normal((2,), key=mx.random.key(1)).tolist(), nn.Linear(4, 3)(a).shape)"
    ),
    "prints no UTF-8": "import os\nos.write(1, b'\\xff\\r\\n')\nprint('é')",
}


def _comparable(ended):
    return ended._replace(
        **{
            # The name of its folder, and how many bytes a disk has free.
            name: re.sub(r"(ropeguard-)\w+|\d{9,}", r"\1", getattr(ended, name))
            for name in ("output", "errors")
        }
    )


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_forked_process_ends_as_a_fresh_one(program):
    assert _comparable(forked.run(program)) == _comparable(programs.run(program))


@pytest.mark.parametrize(
    "entry", {it["origin"]: it for it in entries()}.values(), ids=lambda it: it["slug"]
)
def test_the_programs_of_a_record_end_as_in_fresh_processes(entry):
    for program in (entry["before"], entry["after"], entry["prevention"]["code"]):
        assert _comparable(forked.run(program)) == _comparable(programs.run(program))
    harness = _both(entry["after"], entry["validation_code"])
    assert _comparable(forked.run(harness, entry["after"])) == _comparable(programs.run(harness))


@pytest.mark.parametrize("run", [programs.run, forked.run])
def test_a_program_that_does_not_end_is_stopped(run, monkeypatch):
    monkeypatch.setattr(programs, "SECONDS", 1)
    program = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(60)\n"
    status, output, errors = run(program)
    assert (status, errors) == (None, "")
    with pytest.raises(ProcessLookupError):
        os.kill(int(output), signal.SIGCONT)
    assert run("print(1)") == (0, "1\n", "")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="processes are looked up in /proc")
@pytest.mark.parametrize("run", [programs.run, forked.run])
def test_a_program_leaves_no_process_behind(run):
    program = (
        "import subprocess, sys\n"
        "quiet = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.DEVNULL,"
        " 'stderr': subprocess.DEVNULL}\n"
        "left = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], **quiet)\n"
        "print(left.pid)\n"
    )
    left = int(run(program).output)
    for _ in range(100):
        if not os.path.exists(f"/proc/{left}") or _is_zombie(left):
            return
        time.sleep(0.1)
    pytest.fail(f"process {left} is still there")


def _is_zombie(process):
    with open(f"/proc/{process}/stat", encoding="ascii") as stream:
        return stream.read().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize("run", [programs.run, forked.run])
def test_programs_run_in_a_folder_of_their_own(run, monkeypatch):
    monkeypatch.setenv("ROPEGUARD_LEVEL", "off")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("SOMETHING_ELSE", "kept")
    ended = run(
        "import os, tempfile, ropeguard\n"
        "print(os.listdir(), 'ROPEGUARD_LEVEL' in os.environ, 'FORCE_COLOR' in os.environ)\n"
        "print(tempfile.gettempdir() == os.getcwd(), os.environ['SOMETHING_ELSE'])\n"
    )
    assert ended.output == "[] False False\nTrue kept\n"


def test_forks_share_no_random_numbers():
    program = (
        "import mlx.core as mx\nimport numpy\nimport random\n"
        "print(mx.random.uniform().item(), numpy.random.rand(), random.random())"
    )
    assert kit_of(program) == ("numpy", "mlx.core")
    runs = [forked.run(program).output.split() for _ in range(3)]
    for numbers in zip(*runs, strict=True):
        assert len(set(numbers)) == 3


def test_a_fork_compiles():
    program = (
        "import mlx.core as mx\n\n\n@mx.compile\ndef f(x):\n    return mx.exp(x) * 2 + 1\n\n\n"
        "print(f(mx.zeros((3,))).tolist())\n"
    )
    assert forked.run(program) == (0, "[3.0, 3.0, 3.0]\n", "")


def test_what_an_import_prints_is_printed_in_every_run(tmp_path, monkeypatch):
    (tmp_path / "numpy.py").write_text("import sys\nprint('o')\nprint('e', file=sys.stderr)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    program = "import numpy\nimport mlx.core\nprint('x')\n"
    for _ in range(2):
        assert forked.run(program) == programs.run(program) == (0, "o\nx\n", "e\n")


def test_without_a_zygote_a_fresh_process_is_started(tmp_path, monkeypatch):
    (tmp_path / "numpy.py").write_text("raise ImportError('broken')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(forked, "_UNFIT", set())
    program = "import numpy\nimport mlx.core\n"
    for _ in range(2):
        assert forked.run(program).errors.endswith("ImportError: broken\n")
    assert {(sys.executable, "numpy", "mlx.core")} == forked._UNFIT


def test_a_program_that_ends_its_zygote_is_run_afresh(monkeypatch):
    monkeypatch.setattr(forked, "_UNFIT", set())
    program = (
        "import os, sys\nif 'zygote' in str(sys.orig_argv): os.kill(os.getppid(), 9)\nprint(1)"
    )
    assert forked.run(program) == (0, "1\n", "")


@pytest.mark.parametrize("_time", range(2))
def test_a_zygote_serves_the_programs_of_several_tests(_time):
    """pytest has a variable with the name of the test, which no program may see."""
    assert "PYTEST_CURRENT_TEST" in os.environ
    assert forked.run("import os\nprint('PYTEST_CURRENT_TEST' in os.environ)").output == "False\n"
    zygote = forked._ZYGOTES[(sys.executable,)]
    _SERVED.append(zygote)
    assert all(it is zygote for it in _SERVED)


_SERVED = []


def test_zygotes_are_few():
    for kit in KITS[-6:]:
        lines = (name.split(":") for name in kit)
        forked.run("\n".join(f"from {it[0]} import {it[-1]}" for it in lines if it[1:]))
    assert len(forked._ZYGOTES) <= forked.AT_ONCE
    forked.stop()
    assert not forked._ZYGOTES


@pytest.mark.parametrize(
    ("program", "kit"),
    [
        ("", ()),
        ("import sys\nsys.modules['mlx.core'] = None\nimport mlx.core", ()),
        ("if True:\n    import mlx.core", ()),
        ("'''Doc.'''\nfrom __future__ import annotations\nimport mlx.core as mx", ("mlx.core",)),
        ("import mlx.core as mx\nfrom mlx.nn import Linear\nx = 1", ("mlx.core", "mlx.nn")),
        ("import mlx_lm.models.cache", ("mlx_lm",)),
        ("from . import x", ()),
        ("import (", ()),
    ],
)
def test_a_kit_holds_what_a_program_begins_with(program, kit):
    assert kit_of(program) == kit
