"""The forms in which people paste an error: as a terminal, a log, a test runner or C++ shows it.

Each takes the last block of a traceback, `ValueError: ...` and further lines.
"""

import textwrap


FRAMES = (
    "Traceback (most recent call last):\n"
    '  File "/srv/model/serve.py", line 212, in step\n'
    "    attend(q, k, v)\n"
    "    ^^^^^^^^^^^^^^^\n"
)
UNRELATED = "KeyError: 'model.layers.0.self_attn.q_proj.weight'"
SOURCE = "/Users/ci/mlx-swift/Source/Cmlx/mlx-c/mlx/c/ops.cpp"


def plain(text):
    return FRAMES + text


def last_line(text):
    return text.splitlines()[0]


def chained(text):
    return (
        f"{FRAMES}{text}\n\n"
        "The above exception was the direct cause of the following exception:\n\n"
        f"{FRAMES}RuntimeError: step 4 of request 17 stopped"
    )


def caused(text):
    return (
        f"{FRAMES}{UNRELATED}\n\n"
        "During handling of the above exception, another exception occurred:\n\n"
        f"{FRAMES}{text}"
    )


def pytest_report(text):
    lines = "\n".join(f"E   {line}" for line in text.splitlines())
    return f"    def test_step():\n>       attend(q, k, v)\n{lines}\n\ntest_step.py:7: ValueError"


def ansi(text):
    lines = (f"\x1b[1m\x1b[31m{line}\x1b[0m\x1b[K" for line in text.splitlines())
    return "\x1b]0;pane\x07" + "\r\n".join(lines) + "\r\n\x1b]8;;https://x\x1b\\docs\x1b]8;;\x1b\\"


def ipython(text):
    head = "ValueError                                Traceback (most recent call last)"
    return f"{'-' * 75}\n{head}\nCell In[3], line 1\n----> 1 attend(q, k, v)\n\n{text}"


def ipython_colours(text):
    """What IPython itself prints, colours and all, for an exception of that name and text."""
    from IPython.core.ultratb import AutoFormattedTB

    global _formatter
    if _formatter is None:
        _formatter = AutoFormattedTB(mode="Context", theme_name="linux", tb_offset=0)
    name, _, message = text.partition(": ")
    kind = type(name.rpartition(".")[2], (Exception,), {"__module__": "builtins"})
    try:
        raise kind(message)
    except kind as failure:
        lines = _formatter.structured_traceback(kind, failure, failure.__traceback__)
    return "\n".join(lines)


_formatter = None


def logged(text):
    lines = plain(text).splitlines()
    return "\n".join(f"2026-03-01 12:00:00,123 ERROR [rank0]: {line}" for line in lines)


def docker(text):
    return "\n".join(f"worker-1  | {line}" for line in plain(text).splitlines())


def crlf(text):
    return plain(text).replace("\n", "\r\n")


def wrapped(text):
    lines = plain(text).splitlines()
    return "\n".join(part for it in lines for part in textwrap.wrap(it, 80) or [""])


def cut(text):
    """As a terminal of 80 columns breaks it, in the middle of words."""
    lines = plain(text).splitlines()
    return "\n".join(it[at : at + 80] for it in lines for at in range(0, max(len(it), 1), 80))


def wrapped_line(text):
    return "\n".join(textwrap.wrap(last_line(text), 72))


def cut_line(text):
    line = last_line(text)
    return "\n".join(line[at : at + 80] for at in range(0, len(line), 80))


def quoted(text):
    """As an issue or a mail quotes it."""
    return "\n".join(f"> {it}" for it in wrapped(text).splitlines())


def boxed(text):
    lines = [part for it in text.splitlines() for part in textwrap.wrap(it, 76) or [""]]
    return "\n".join([f"╭{'─' * 78}╮", *(f"│ {it:<76} │" for it in lines), f"╰{'─' * 78}╯"])


def grouped(text):
    block = "\n".join(f"    | {line}" for line in plain(text).splitlines())
    return (
        "  + Exception Group Traceback (most recent call last):\n"
        "  | ExceptionGroup: two requests stopped (2 sub-exceptions)\n"
        "  +-+---------------- 1 ----------------\n"
        f"{block}\n"
        "    +---------------- 2 ----------------\n"
        f"    | {UNRELATED}\n"
        "    +------------------------------------"
    )


def without_first_frames(text):
    """As a scrollback, or a copy that began too low, leaves it: half a frame stands first."""
    return plain(text)[FRAMES.index("serve.py") :]


def without_its_name(text):
    """Cut off in the middle of the exception's name."""
    return text[text.partition(": ")[0].__len__() // 2 :]


def _what(text):
    """Return what C++ knows: the message without Python's name of the exception."""
    return text.partition(": ")[2]


def libcxx(text):
    kind = "std::invalid_argument"
    return f"libc++abi: terminating due to uncaught exception of type {kind}: {_what(text)}"


def libcxx_runtime(text):
    kind = "std::runtime_error"
    return (
        f"libc++abi: terminating due to uncaught exception of type {kind}: {_what(text)}\n"
        "zsh: abort      ./serve --model m"
    )


def libstdcxx(text):
    head = "terminate called after throwing an instance of 'std::invalid_argument'"
    return f"{head}\n  what():  {_what(text)}\nAborted (core dumped)"


def mlx_c(text):
    return f"MLX error: {_what(text)} at {SOURCE}:123"


def mlx_swift(text):
    return f"MLX/ErrorHandler.swift:343: Fatal error: {_what(text)} at {SOURCE}:2056"


# An error of any package can come in these.
FORMS = (
    plain,
    last_line,
    chained,
    caused,
    pytest_report,
    ansi,
    ipython,
    ipython_colours,
    logged,
    docker,
    crlf,
    wrapped,
    cut,
    wrapped_line,
    cut_line,
    quoted,
    boxed,
    grouped,
    without_first_frames,
    without_its_name,
)
# And in these, what C++ throws.
NATIVE_FORMS = (libcxx, libcxx_runtime, libstdcxx, mlx_c, mlx_swift)
# In these a line may be broken inside a value, where nobody can know whether a blank stood there.
BREAKING = (wrapped, cut, wrapped_line, cut_line, quoted, boxed)
