"""What `collect_unrelated.py` calls: what stands in `calls`, then whole modules."""

import builtins
import importlib
import re
from pathlib import Path


# Functions that end the process, wait, open windows or networks, or change how others behave.
SKIPPED = re.compile(
    r"exit|quit|input|breakpoint|help|kill|abort|fork|spawn|system|popen|remove|rmtree|unlink"
    r"|rename|replace_|chmod|chown|mkdir|rmdir|open|write|save|dump|move|copyfile|copytree|sleep"
    r"|wait|pause|main|test|display|print_|show_config|browser|signal|alarm|set_|seed|compile_path"
    r"|compile_dir|trace|profile|serve|connect|listen|socket|download|hub|init_|fork_rng|load"
    r"|monkeypatch|register|unregister|use_|enable|disable|license|credits|copyright|interact"
    r"|Tensor$|Storage$|settrace|setprofile|setrecursion|gc_|collect|faulthandler|reset|clear|purge|shutdown",
    re.IGNORECASE,
)

# What looks like MLX's errors, and what people run into, one call a line.
BY_HAND = {
    path.stem: path.read_text(encoding="utf-8").splitlines()
    for path in sorted(Path(__file__).with_name("calls").iterdir())
}

# The modules of which each function is called.
_MODULES = {
    "stdlib": (
        "builtins json re math cmath decimal fractions datetime calendar time struct base64 "
        "binascii zlib gzip bz2 lzma zipfile tarfile csv configparser tomllib "
        "xml.etree.ElementTree html html.parser urllib.parse email email.utils email.header "
        "hashlib hmac secrets random statistics itertools functools operator collections heapq "
        "bisect array copy enum types typing string textwrap unicodedata codecs locale "
        "zoneinfo ipaddress uuid pickle pickletools marshal sqlite3 ast tokenize inspect dis "
        "argparse shlex pathlib fnmatch glob linecache queue contextvars contextlib "
        "dataclasses abc numbers colorsys wave mimetypes quopri plistlib pprint reprlib "
        "graphlib difflib keyword token symtable timeit weakref stat filecmp netrc getopt "
        "optparse gettext logging logging.handlers platform errno io posixpath ntpath "
        "importlib importlib.metadata importlib.resources importlib.util pkgutil zipimport "
        "runpy warnings traceback asyncio concurrent.futures threading "
        "multiprocessing.shared_memory http http.cookies http.client urllib.request ftplib "
        "smtplib ssl stringprep curses.ascii sched unittest.mock doctest ctypes.util mailbox "
        "imghdr sndhdr aifc audioop crypt cgi telnetlib uu xdrlib selectors shelve dbm "
        "encodings.idna lib2to3.pytree code codeop bdb cmd rlcompleter tempfile grp pwd "
        "resource mmap fcntl select syslog termios"
    ),
    "numpy": (
        "numpy numpy.linalg numpy.fft numpy.random numpy.ma numpy.polynomial "
        "numpy.lib.stride_tricks numpy.char numpy.strings numpy.rec numpy.lib.recfunctions"
    ),
    "torch": (
        "torch torch.nn.functional torch.linalg torch.fft torch.special torch.nn "
        "torch.nn.utils torch.func torch.optim torch.distributions"
    ),
    "jax": (
        "jax.numpy jax.lax jax.nn jax.random jax.numpy.linalg jax.numpy.fft jax "
        "jax.scipy.special jax.scipy.linalg jax.image jax.tree_util"
    ),
    "einops": ("einops einops.packing einops.parsing einops.layers.torch einops._backends"),
}
PROBED = {source: modules.split() for source, modules in _MODULES.items()}

_IMPORTS = {
    "stdlib": [],
    "numpy": ["numpy as np"],
    "torch": ["torch", "numpy as np"],
    "jax": ["jax", "jax.numpy as jnp", "jax.lax as lax", "numpy as np"],
    "einops": ["einops", "numpy as np"],
}


def namespace_for(source):
    """Return the names that the calls of a source use."""
    names = {}
    for line in _IMPORTS[source]:
        module, _, alias = line.partition(" as ")
        exec(f"import {module} as {alias}" if alias else f"import {module}", names)
    if source == "einops":
        names |= vars(importlib.import_module("einops"))
    return names


def arguments_for(source):
    """Return arguments that few functions take."""
    plain = [
        (), ("a",), (3,), (-1,), (None,), ([],), (b"\xff",), ({},), (1.5, "b"), ("a", 2), (object,),
        ("(", "x"), (1, 0), ([1, "a"],), ("%", "%"), (builtins, 1, 2, 3, 4, 5, 6, 7),
    ]  # fmt: skip
    if source in ("stdlib", "einops"):
        return plain
    names = namespace_for(source)
    ones = names.get("jnp", names.get("torch", names["np"])).ones
    a, b, c = ones((3, 4)), ones((5, 6)), ones((2, 3, 4))
    whole = ones(3, dtype=names["torch"].int64) if "torch" in names else ones(3, dtype=int)
    return [
        (), ("a",), (a, b), (a, "x"), (a, 9), (a, -9), (c, a, b), (whole, 1.5), (a, b, b, b),
        (None,),
        (a, c), (a, (7, 8)), ([a, b],), (c,), (ones(3),), (ones(3), ones(4)), (object(),),
    ]  # fmt: skip
