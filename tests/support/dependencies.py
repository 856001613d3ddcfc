# SPDX-License-Identifier: Apache-2.0
"""Dependencies of a test: the modules that its file imports, and the files that these read.

`make check` runs the tests that depend on a changed file; a run with `--keep` skips the tests that
have passed with the same dependencies. Both over-approximate: names in strings count as imports,
and a test that is not about certain cores depends on all of hw. Comments and docstrings do not
count in source files that no test reads as text.
"""

import ast
import hashlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from montcore.cores import all_cores
from montcore.cores.row import RowCore
from montcore.hdl.files import repository_files
from montcore.lint.check import Check
from montcore.prove import Proof
from montcore.support import needed
from montcore.support.paths import REPO_ROOT
from montcore.support.remembered import installed_packages
from montcore.support.syntax import code_of

SRC, TESTS, HW = (REPO_ROOT / name for name in ("src", "tests", "hw"))
SUPPORT = TESTS / "support"
#: Dependencies of every test: the pinned tools, the settings, the rules of all tests.
ALWAYS = ("pyproject.toml", "requirements.txt", "tests/conftest.py", "tests/support/needs.py")
#: Programs that tests run; versions are told apart by size and date.
PROGRAMS = ("verilator", *(program.name for program in needed.PROGRAMS))
#: Names that refer to a part of the checkout.
PLACES = {
    "HW_DIR": "hw",
    "rtl_files": "hw",
    "module_files": "hw",
    "systemverilog_files": "hw",
    "VECTORS_DIR": "vectors",
    "SW_DIR": "sw",
}
#: Names that make a test depend on the whole checkout. They count only in tests: the modules that
#: use them are imported by many tests for other reasons.
EVERYTHING = {"REPO_ROOT", "repository_files", "all_checks"}
#: The module that defines these names; it reads no files itself.
DEFINES_PLACES = SRC / "montcore" / "hdl" / "files.py"
#: Folders of tests/ whose tests read no source as text, except files with the suffix `_lint`.
CODE_ROOMS = {"cores", "riscv", "rsa", "sim", "synth"}
#: Strings, which are kept, and comments to the end of the line, except tool directives.
_COMMENT = re.compile(
    rb'("(?:[^"\\\n]|\\.)*")|//(?!\s*(?:verilator|verilog_lint|synopsys|synthesis)\b)[^\n]*'
)
_MODULE = re.compile(r"\bmontcore(?:\.[a-z]\w*)+")


@dataclass(frozen=True)
class Scan:
    """Names found in a Python file: modules, and parts of the checkout as relative paths."""

    modules: frozenset[str]
    places: frozenset[str]


@cache
def modules() -> dict[str, Path]:
    """Return the Python files of the checkout by the names under which they are imported."""
    found = {}
    for path in (SRC / "montcore").rglob("*.py"):
        parts = path.relative_to(SRC).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    for folder in (SUPPORT, SUPPORT / "cocotb"):
        found |= {path.stem: path for path in folder.glob("*.py")}
    return found | {path.stem: path for path in TESTS.rglob("test_*.py")}


@cache
def scan(path: Path) -> Scan:
    """Read one Python file."""
    ours = path.is_relative_to(SRC)
    named: set[str] = set()
    places: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    from_root: set[ast.AST] = set()  # REPO_ROOT in `REPO_ROOT / "docs"`, which names the part
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            named.update(item.name for item in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            named.add(node.module)
            named.update(f"{node.module}.{item.name}" for item in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            named.update(_MODULE.findall(node.value))
            if not ours:
                named.add(node.value)
            if (node.value == "montcore" and not ours) or "-m montcore " in node.value:
                named.add("montcore.__main__")
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            root, part = node.left, node.right
            text = part.value if isinstance(part, ast.Constant) else None
            if isinstance(root, ast.Name) and root.id == "REPO_ROOT" and isinstance(text, str):
                from_root.add(root)
                places.add(text)
        elif isinstance(node, ast.Name) and path != DEFINES_PLACES:
            if node.id in PLACES:
                places.add(PLACES[node.id])
            elif node.id in EVERYTHING and not ours and node not in from_root:
                places.add(".")
        if "iter_modules" in (getattr(node, "attr", ""), getattr(node, "id", "")):
            # A registry imports every module of its package.
            package = ".".join(path.relative_to(SRC).parent.parts) if ours else ""
            named.update(name for name in modules() if ours and name.startswith(f"{package}."))
    return Scan(frozenset(named), frozenset(places))


@cache
def imports(path: Path) -> dict[str, tuple[Path, ...]]:
    """Return the modules of the checkout that a Python file names, with the files they bring.

    An imported module brings the packages around it.
    """
    found = {}
    for name in scan(path).modules - {"dependencies"}:
        parts = name.split(".")
        heads = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
        if files_of := tuple(modules()[head] for head in heads if head in modules()):
            found[name] = files_of
    return found


@cache
def reached(start: Path, cores: frozenset[str]) -> frozenset[Path]:
    """Return a Python file and all files that it imports, directly or indirectly.

    Args:
        start: the file.
        cores: the cores that it is about; the registry's imports of others are ignored. Empty: all.
    """
    registry = modules()["montcore.cores.registry"]
    others = {f"montcore.cores.{name}" for name in all_cores() if cores and name not in cores}
    found: set[Path] = set()
    ahead = [start]
    while ahead:
        path = ahead.pop()
        if path in found:
            continue
        found.add(path)
        ignored = others if path == registry else ()
        for name, brought in imports(path).items():
            if name not in ignored:
                ahead += brought
    return frozenset(found)


@cache
def below(place: str) -> frozenset[Path]:
    """Return the files of a part of the checkout."""
    root = REPO_ROOT / place
    return frozenset(path for path in repository_files() if path.is_relative_to(root))


@cache
def hardware(core: str) -> frozenset[Path]:
    """Return the files of hw for one core: the registry's list, its own folder and hw/common."""
    chosen = all_cores()[core]
    own = below(str(chosen.folder.relative_to(REPO_ROOT)))
    return own | frozenset(chosen.sources()) | below("hw/common")


@cache
def files(start: Path, cores: frozenset[str], only: Path | None = None) -> frozenset[Path]:
    """Return the files that the tests of a file depend on.

    Args:
        start: the file with the tests.
        cores: the cores that they are about, empty if all.
        only: the one file of hw that they read.
    """
    python = reached(start, cores)
    found = set(python) | {REPO_ROOT / name for name in ALWAYS}
    # Templates, C++ and scripts are in the folder of the module that reads them.
    folders = {path.parent for path in python if path.is_relative_to(SRC)}
    found |= {path for path in below("src") if path.suffix != ".py" and _package(path) in folders}
    found |= below("tests/support/rtl")
    for place in {place for path in python for place in scan(path).places}:
        if place == "hw" and only is not None:
            found.add(only)
        elif place == "hw" and cores:
            found = found.union(*(hardware(core) for core in cores))
        elif place != "." or not (cores or only):
            found |= below(place)
    return frozenset(found)


@cache
def _package(path: Path) -> Path:
    """Return the folder of the package that a file of src belongs to."""
    home = path.parent
    while home.is_relative_to(SRC) and not (home / "__init__.py").exists():
        home = home.parent
    return home


def core_names(value: Any) -> set[str]:
    """Return the cores that a test parameter refers to."""
    if isinstance(value, Check):
        words = value.subject.removeprefix("style: ").split()
        return {name for name, core in all_cores().items() if core.top == words[0]}
    if isinstance(value, Proof):
        value = value.file.parent.parent.name
    for _ in range(3):  # a row object has a core, which has a name
        if isinstance(value, str):
            return {value} & set(all_cores())
        value = getattr(value, "core", None) or getattr(value, "name", None)
    return set()


def about(item: pytest.Item) -> tuple[frozenset[str], Path | None]:
    """Return the cores that a test is about, empty if it is about all, and its one file of hw."""
    path = item.path
    if not path.is_relative_to(TESTS / "cores") and path.stem != "test_sim_protocol":
        return frozenset(), None
    values = list(item.callspec.params.values()) if hasattr(item, "callspec") else []
    for value in values:
        if isinstance(value, Check) and (REPO_ROOT / value.subject).is_file():
            return frozenset(), REPO_ROOT / value.subject
    found = set().union(*map(core_names, values))
    room = path.parent.name
    if not found and room == "rows":
        found = {name for name, core in all_cores().items() if isinstance(core, RowCore)}
    elif not found:
        found = {room} & set(all_cores())
    return frozenset(found), None


def dependencies(item: pytest.Item) -> frozenset[Path]:
    """Return the files that a test depends on."""
    read_pages = reads_texts(item) or names_pages(item.path)
    return (files if read_pages else files_but_pages)(item.path, *about(item))


@cache
def files_but_pages(start: Path, cores: frozenset[str], only: Path | None) -> frozenset[Path]:
    """Return `files` without the pages for readers."""
    return frozenset(path for path in files(start, cores, only) if not is_page(path))


@cache
def names_pages(test: Path) -> bool:
    """Tell whether a file of tests names a page, so that its tests may read pages."""
    return re.search(r"README|\.md\b|\bdocs\b", test.read_text(encoding="utf-8")) is not None


@cache
def is_page(path: Path) -> bool:
    """Tell whether a file is a page, a figure or a table for readers."""
    return path.suffix == ".md" or path.is_relative_to(REPO_ROOT / "docs")


def concerns(item: pytest.Item, core: str) -> bool:
    """Tell whether a test concerns a core: its behaviour, or one of its files."""
    cores, only = about(item)
    return core in cores or (only is not None and only in hardware(core))


def reads_texts(item: pytest.Item) -> bool:
    """Tell whether a test reads sources as text: wording, layout, help, pages, package contents."""
    by_room = item.path.is_relative_to(TESTS) and item.path.relative_to(TESTS).parts[0]
    return by_room not in CODE_ROOMS or item.path.stem.endswith("_lint")


def code(path: Path) -> bytes:
    """Return the code of a Python or SystemVerilog file, without comments and docstrings.

    Tool directives in SystemVerilog comments are kept. Other files are returned unchanged.
    """
    content = path.read_bytes()
    if path.suffix == ".py":
        return code_of(content).encode()
    if path.suffix in {".sv", ".svh", ".v"}:
        return b" ".join(_COMMENT.sub(rb"\1", content).split())
    return content


@cache
def _content(path: Path, exact: bool = True) -> str:
    if not path.is_file():
        return ""
    return hashlib.sha256(path.read_bytes() if exact else code(path)).hexdigest()


@cache
def _digest(found: frozenset[Path], exact: bool = True) -> str:
    digest = hashlib.sha256(f"{sys.version}\n{installed_packages()}\n".encode())
    for program in PROGRAMS:
        place = shutil.which(program)
        state = Path(place).stat() if place else None
        digest.update(f"{program} {state and (state.st_size, state.st_mtime_ns)}\n".encode())
    for name, path in sorted((str(path), path) for path in found):
        digest.update(f"{name} {_content(path, exact)}\n".replace(f"{REPO_ROOT}/", "").encode())
    return digest.hexdigest()[:24]


def digest(item: pytest.Item) -> str:
    """Return a digest of a test's dependencies."""
    return _digest(dependencies(item), reads_texts(item))


def changed_files() -> frozenset[Path]:
    """Return the files that differ from the branch `main`, or on `main` from the last commit."""

    def git(*words: str) -> list[str]:
        done = subprocess.run(
            ["git", *words], cwd=REPO_ROOT, capture_output=True, text=True, timeout=60, check=False
        )
        return done.stdout.split("\0" if "-z" in words else None)

    base = (git("merge-base", "main", "HEAD") or ["HEAD"])[0]
    names = git("diff", "--name-only", "-z", base)
    names += git("ls-files", "--others", "--exclude-standard", "-z")
    return frozenset(REPO_ROOT / name for name in names if name)
