import importlib.metadata
import importlib.util
import os
import re
import sys

import pytest

from ropeguard.catalogue import RopeguardError, entries, records_folder
from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.comparing import changes
from ropeguard.catalogue.coverage import covered, has_words, texts
from ropeguard.catalogue.cpp_sites import sites_of_cpp
from ropeguard.catalogue.extracting import sites_in
from ropeguard.catalogue.python_sites import sites_of_python
from ropeguard.catalogue.releases import Release, wording_of
from ropeguard.catalogue.sites import Site, gathered, kept, lines, read
from ropeguard.cli import main


CPP = {
    'throw std::invalid_argument("a");': ("ValueError", "a"),
    'throw std::runtime_error("a " "b");': ("RuntimeError", "a b"),
    'throw nb::index_error("a");': ("IndexError", "a"),
    'throw("a");': ("RuntimeError", "a"),
    'throw std::out_of_range(tag + " a " + std::to_string(n) + ".");': ("IndexError", "{} a {}."),
    "throw std::bad_alloc();": ("MemoryError", ""),
    'throw std::runtime_error(std::string("a") + x.str() + "\\n{");': ("RuntimeError", "a{}\n{{"),
    'throw std::runtime_error(fmt::format("a {} b {{c}} {1:d}", x, f(y, "z")));': (
        "RuntimeError",
        "a {} b {{c}} {}",
    ),
    'throw std::runtime_error(R"(a "b")" + std::move(x));': ("RuntimeError", 'a "b"{}'),
    "std::ostringstream m; m << \"a \" << x.shape() << '.' << std::endl; throw E(m.str());": (
        "RuntimeError",
        "a {}.\n",
    ),
    'std::ostringstream m("a"); for (auto& s : x) { m << s << ","; } m << "b"; throw E(m.str());': (
        "RuntimeError",
        "a{}b",
    ),
    'std::string m = "a"; m += " b" + x; throw E(m);': ("RuntimeError", "a b{}"),
    'std::ostringstream m; m << "old"; { std::ostringstream m; m << "a"; throw E(m.str()); }': (
        "RuntimeError",
        "a",
    ),
    'size_t n = 3; n = 4; throw E("a " + n);': ("RuntimeError", "a {}"),
    '#define X throw E("no")\n// throw E("no");\n/* throw E("no"); */ throw E("a");': (
        "RuntimeError",
        "a",
    ),
    'std::ostringstream m;\n#ifdef X\nm << "a";\n#endif\nthrow E(m.str());': ("RuntimeError", "a"),
    'auto f = [](int x) { throw E("a"); };': ("RuntimeError", "a"),
}


@pytest.mark.parametrize(("code", "site"), CPP.items(), ids=range(len(CPP)))
def test_a_throw_is_read(code, site):
    assert [(it.exception, it.template) for it in sites_of_cpp(code, "x.cpp")] == [site]


def test_branches_at_the_beginning_are_messages_of_their_own():
    code = (
        'std::ostringstream m; if (a) { m << "b"; } else { m << "c"; } m << "."; throw E(m.str());'
    )
    assert [it.template for it in sites_of_cpp(code, "x.cpp")] == ["b.", "c."]


@pytest.mark.parametrize(
    "code", ["throw;", "throw e;", 'f("throw E(\\"a\\");");', "throw", 'x = "']
)
def test_what_throws_nothing_new_is_no_site(code):
    assert list(sites_of_cpp(code, "x.cpp")) == []


PYTHON = {
    "raise ValueError('a')": ("ValueError", "a"),
    "raise ValueError(f'a {x!r:>3} {{b}}' ' c')": ("ValueError", "a {} {{b}} c"),
    "raise errors.OddError('a' + str(x) + 'b')": ("OddError", "a{}b"),
    "raise ValueError('%d%% of %s' % (1, x))": ("ValueError", "{}% of {}"),
    "raise ValueError('a {0} {{}} {x.y}'.format(1))": ("ValueError", "a {} {{}} {}"),
    "raise ValueError": ("ValueError", ""),
    "raise ValueError(x, 'a')": ("ValueError", "{}"),
    "assert x": ("AssertionError", ""),
    "assert x, 'a {b}'": ("AssertionError", "a {{b}}"),
    "def f():\n    m = 'a'\n    m += f'{x}'\n    raise ValueError(m)": ("ValueError", "a{}"),
    "m = 'a'\nclass A:\n    def f(self):\n        raise ValueError(m)": ("ValueError", "a"),
    "try:\n    pass\nexcept E as e:\n    raise KeyError(f'{a}{b}') from e": ("KeyError", "{}"),
}


@pytest.mark.parametrize(("code", "site"), PYTHON.items(), ids=range(len(PYTHON)))
def test_a_raise_is_read(code, site):
    assert [(it.exception, it.template) for it in sites_of_python(code, "x.py")] == [site]


@pytest.mark.parametrize("code", ["raise", "raise e", "raise e.with_traceback(None)", "if", "\0"])
def test_what_raises_nothing_new_is_no_site(code):
    assert list(sites_of_python(code, "x.py")) == []


@pytest.fixture(name="tree")
def _tree(tmp_path):
    """A source tree of MLX in small."""
    files = {
        "mlx/ops.cpp": 'throw std::domain_error("[stack] All arrays must have the same shape");',
        "mlx/backend/metal/x.cpp": 'throw E("b");throw E("b");',
        "mlx/distributed/ring/ring.cpp": 'throw E("c");',
        "mlx/distributed/ring/no_ring.cpp": 'throw E("d");',
        "mlx/notes.md": 'throw E("no");',
        "python/src/a.cpp": "",
        "python/mlx/nn/x.py": "raise ValueError('e')",
        "tests/x.cpp": 'throw E("no");',
    }
    for name, text in files.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "tree"


def test_a_source_tree_is_read(tree):
    sites = gathered(sites_in(str(tree), "mlx"))
    assert [(it.file, it.template, it.count, bool(it.unreachable)) for it in sites] == [
        ("mlx/backend/metal/x.cpp", "b", 2, True),
        ("mlx/distributed/ring/no_ring.cpp", "d", 1, False),
        ("mlx/distributed/ring/ring.cpp", "c", 1, True),
        ("mlx/ops.cpp", "[stack] All arrays must have the same shape", 1, False),
        ("python/mlx/nn/x.py", "e", 1, False),
    ]


def test_an_installed_package_has_the_names_of_its_repository(tree):
    package = tree / "python" / "mlx"
    assert [it.file for it in sites_in(str(package), "mlx")] == ["python/mlx/nn/x.py"]
    with pytest.raises(RopeguardError, match="no source file of mlx-lm"):
        list(sites_in(str(tree), "mlx-lm"))


def test_a_list_is_written_and_read(tree, tmp_path, capsys):
    out = str(tmp_path / "sites.jsonl")
    assert main(["catalogue", "sites", str(tree), "--out", out]) == 0
    sites = read(out)
    assert sites == gathered(sites_in(str(tree), "mlx"))
    last = '{"file":"python/mlx/nn/x.py","template":"e","exception":"ValueError"}\n'
    assert lines(sites).endswith(last)
    marked = [Site(*it.key, it.count, "because") for it in sites]
    (tmp_path / "old.jsonl").write_text(lines(marked))
    assert main(["catalogue", "sites", str(tree), "--reasons", str(tmp_path / "old.jsonl")]) == 0
    assert capsys.readouterr().out == lines(marked)


@pytest.mark.parametrize("text", ["x", '{"file": "a"}', "[]", '{"file":"a","more":1}'])
def test_a_list_that_is_none_is_refused(text, tmp_path):
    (tmp_path / "sites.jsonl").write_text(text + "\n")
    with pytest.raises(RopeguardError, match=r"line 1 is no raise site.* \[RG2349\]"):
        read(str(tmp_path / "sites.jsonl"))


def test_the_newest_list_is_used(tmp_path):
    (tmp_path / "sites").mkdir()
    with pytest.raises(RopeguardError, match=r"\[RG2749\]"):
        kept("mlx", str(tmp_path))
    for name in ("mlx-0.9.9", "mlx-0.32.4", "mlx-lm-0.40.0"):
        (tmp_path / "sites" / f"{name}.jsonl").write_text("")
    assert kept("mlx", str(tmp_path)).endswith("mlx-0.32.4.jsonl")
    assert kept("mlx-lm", str(tmp_path)).endswith("mlx-lm-0.40.0.jsonl")


PACKAGES = {"mlx": "mlx", "mlx-lm": "mlx_lm"}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_kept_lists_are_as_they_would_be_written(package):
    path = kept(package, records_folder())
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    assert text == lines(sorted(read(path)))
    assert len({it.key for it in read(path)}) == len(read(path))


@pytest.mark.parametrize(("package", "module"), PACKAGES.items())
def test_the_kept_lists_are_those_of_the_release(package, module):
    path = kept(package, records_folder())
    release = os.path.basename(path)[len(package) + 1 : -6]
    spec = importlib.util.find_spec(module)
    if spec is None or importlib.metadata.version(package) != release:
        pytest.skip(f"{package} {release} is not installed")
    sites = read(path)
    installed = gathered(sites_in(spec.submodule_search_locations[0], package))
    of_python = [(*it.key, it.count) for it in sites if it.file.endswith(".py")]
    assert of_python == [(*it.key, it.count) for it in installed]
    wording = wording_of(Release(package, release, sys.executable))
    for site in sites:
        if not site.unreachable and not site.file.endswith(".py"):
            literals = re.split(r"(?<!\{)\{\}(?!\})", site.template)
            assert all(wording.has(it.replace("{{", "{").replace("}}", "}")) for it in literals), (
                site
            )


def _covered(template):
    site = Site("mlx/ops.cpp", template, "ValueError")
    return next(covered([site], entries(), ours().matcher()))


@pytest.mark.parametrize(
    ("template", "slug"),
    [
        ("[reshape] Cannot reshape array of size {} into shape {}.", "reshape-size-differs"),
        (
            "{} Last dimension of first input with shape {} must match second to last dimension",
            None,
        ),
        ("[rope] offset must be an integer but got type {}.", "rope-offset-unsuitable"),
        ("There is no Stream({}, {}) in current thread.", "stream-of-another-thread"),
        ("[load] Failed to open {}", "load-file-missing"),
        (
            "{} Arrays must have type float32 or float64. Received array with type {}.",
            "linalg-dtype-unsupported",
        ),
        ("[reshape] Something else {}", ""),
        ("{} is not quite what {} is", ""),
        ("{}", ""),
        ("", ""),
    ],
)
def test_a_message_with_holes_leads_to_its_record(template, slug):
    row = _covered(template)
    slugs = {entry["code"]: entry["slug"] for entry in entries()}
    if slug is None:
        assert slugs[row.code] in ("matmul-inner-sizes-differ", "linear-input-features-differ")
    else:
        assert slugs.get(row.code, "") == slug
    assert row.is_executed == (row.code is not None)


def test_a_record_without_versions_or_with_a_device_is_not_executed():
    site = Site("x.cpp", "[stack] All arrays must have the same shape", "ValueError")
    known = [entry for entry in entries() if entry["slug"] == "stack-shapes-differ"]
    for change, executed in (({}, True), ({"versions": []}, False), ({"device": "metal"}, False)):
        rows = covered([site], [known[0] | change], ours().matcher())
        assert [row.is_executed for row in rows] == [executed]


def test_holes_are_filled_by_what_stands_before_them():
    filled = next(texts("with shape {} and dtype {} along axis {} of '{}' {{x}}", ()))
    assert filled == "with shape (2,3) and dtype float32 along axis 3 of 'name' {x}"
    assert "[tag] a" in set(texts("{} a", ["[tag]"]))


def test_messages_without_words_are_told_apart():
    assert [has_words(Site("x", it, "E")) for it in ("", "{}", "{}: {}", "a{}", "{} bad")] == [
        False,
        False,
        False,
        False,
        True,
    ]


def test_coverage_is_counted_by_file(tree, tmp_path, capsys):
    out = str(tmp_path / "sites.jsonl")
    main(["catalogue", "sites", str(tree), "--out", out])
    assert main(["catalogue", "coverage", "--sites", out]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["file", "sites", "reachable", "worded", "recorded", "executed", "device"]
    assert rows[1] == ["mlx/backend/metal/x.cpp", "2", "0", "0", "0", "0", "0"]
    assert ["mlx/ops.cpp", "1", "1", "1", "1", "1", "0"] in rows
    assert rows[-1] == ["total", "6", "3", "1", "1", "1", "0"]


def test_the_kept_list_is_counted_and_what_is_missing_listed(capsys):
    assert main(["catalogue", "coverage"]) == 0
    total = [int(cell) for cell in capsys.readouterr().out.splitlines()[-1].split()[1:]]
    assert main(["catalogue", "coverage", "--missing"]) == 0
    missing = capsys.readouterr().out.splitlines()
    assert total[0] > total[1] >= total[2] >= total[3] >= total[4] > 100
    assert len(missing) == len(set(missing)) <= total[2] - total[3]
    assert all(": " in line for line in missing)


OLD = [
    Site("a.cpp", "[stack] All arrays must have the same shape", "ValueError"),
    Site("a.cpp", "[stack] All arrays must have the same shape and dtype", "ValueError"),
    Site("a.cpp", "this is gone", "ValueError"),
    Site("a.cpp", "[gather] Cannot calculate this.", "ValueError"),
    Site("a.cpp", "[reshape] Cannot reshape array of size {} into shape {}.", "ValueError"),
    Site("b.cpp", "stays the same", "ValueError"),
    Site("b.cpp", "has another exception", "ValueError"),
]
NEW = [
    Site(
        "a.cpp", "[gather] Cannot calculate this. Use stop_gradient, which is longer.", "ValueError"
    ),
    Site("a.cpp", "[stack] All arrays must have the same shapes", "ValueError"),
    Site("a.cpp", "[reshape] Cannot reshape an array of size {} to shape {}.", "ValueError"),
    Site("b.cpp", "stays the same", "ValueError"),
    Site("b.cpp", "has another exception", "IndexError"),
    Site("c.cpp", "[stack] All arrays must have the same shape and dtype", "ValueError"),
    Site("c.cpp", "nothing like it", "ValueError"),
]


def test_what_became_of_each_message_is_told():
    def code_of(site):
        return _covered(site.template).code

    found = [(it.kind, it.old, it.new, it.matters) for it in changes(OLD, NEW, code_of)]
    assert sorted(found, key=str) == sorted(
        [
            ("reworded", OLD[0], NEW[1], False),
            ("moved", OLD[1], NEW[5], False),
            ("gone", OLD[2], None, False),
            ("reworded", OLD[3], NEW[0], False),
            ("reworded", OLD[4], NEW[2], True),
            ("exception", OLD[6], NEW[4], False),
            ("new", None, NEW[6], False),
        ],
        key=str,
    )


def test_the_comparison_fails_where_a_record_is_hit(tmp_path, capsys):
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    old.write_text(lines(OLD))
    new.write_text(lines(NEW))
    assert main(["catalogue", "compare", str(old), str(old)]) == 0
    assert capsys.readouterr().out == "0 differences, 0 of them in recorded messages\n"
    assert main(["catalogue", "compare", str(old), str(new)]) == 1
    out = capsys.readouterr().out
    assert "! reworded  a.cpp  ValueError: [reshape] Cannot reshape array of size {}" in out
    assert out.endswith("7 differences, 1 of them in recorded messages\n")


def test_trees_are_compared_too(tree, tmp_path, capsys):
    (tmp_path / "old.jsonl").write_text(lines(gathered(sites_in(str(tree), "mlx"))))
    (tree / "mlx" / "ops.cpp").write_text("")
    assert main(["catalogue", "compare", str(tmp_path / "old.jsonl"), str(tree)]) == 1
    assert capsys.readouterr().out.startswith("! gone      mlx/ops.cpp  ValueError: [stack]")
