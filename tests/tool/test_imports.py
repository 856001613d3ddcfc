# SPDX-License-Identifier: Apache-2.0
"""No circular import, no import from a layer above, and no long source; lines by room.

All imports count: those within functions and those for type checkers only as well.
"""

import ast
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from montcore.support.errors import RequestError
from montcore.support.paths import HW_DIR, REPO_ROOT
from montcore_lab.checkout.files import repository_files
from montcore_lab.size import Size, room_of, sizes

SOURCES = (REPO_ROOT / "src", REPO_ROOT / "riscv", REPO_ROOT / "lab" / "src")
#: Limit of the length of a source.
MOST_LINES = 450
#: Files to be divided when their figures are measured again anyway, with their lines at most.
LONGER = {"hw/smm/rtl/montcore_smm_fast.sv": 480}

Graph = dict[str, set[str]]


def modules(*roots: Path) -> dict[str, Path]:
    """Return the modules and packages below folders by their dotted names."""
    found = {}
    for root in roots:
        for path in root.glob("montcore*/**/*.py"):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(*roots: Path) -> Graph:
    """Return for each module those that it imports, at any place in the file."""
    known = modules(*roots)
    graph: Graph = {}
    for name, path in known.items():
        graph[name] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                graph[name] |= {item.name for item in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{name}: imports are absolute"
                for item in node.names:
                    inner = f"{node.module}.{item.name}"
                    graph[name].add(inner if inner in known else str(node.module))
        graph[name] &= known.keys() - {name}
    return graph


def room(module: str) -> str:
    """Return the room of a module: package and folder, or the package; riscv is one room."""
    parts = module.split(".")
    return parts[0] if parts[0] == "montcore_riscv" else ".".join(parts[:2])


def circle(graph: Graph) -> list[str]:
    """Return the nodes of a cycle, or an empty list."""
    done: set[str] = set()

    def visit(node: str, path: list[str]) -> list[str]:
        if node in path:
            return [*path[path.index(node) :], node]
        if node in done:
            return []
        for other in sorted(graph.get(node, ())):
            if found := visit(other, [*path, node]):
                return found
        done.add(node)
        return []

    return next((found for node in sorted(graph) if (found := visit(node, []))), [])


def order() -> list[str]:
    """Return the rooms from the lowest to the highest, as listed in CONTRIBUTING.md."""
    text = (REPO_ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = re.findall(r"^  (montcore\w*):?([\w <\n]*?)(?=\n  montcore|\n  ```)", text, re.M)
    return [
        f"{package}.{name}" if name else package
        for package, names in listed
        for name in re.findall(r"\w+", names) or [""]
    ]


def test_no_import_circle() -> None:
    assert circle(imports(*SOURCES)) == []


def test_a_name_of_a_class_is_that_of_one_class() -> None:
    """A reader who searches for a name finds one definition."""
    found: dict[str, list[str]] = {}
    for name, path in modules(*SOURCES).items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(name)
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_each_room_imports_from_the_rooms_below_it_only() -> None:
    """The tool comes before the lab: it never imports the lab."""
    rooms = order()
    graph = imports(*SOURCES)
    packages = {"montcore", "montcore_lab"}
    assert set(rooms) == {room(module) for module in graph} - packages
    wrong = [
        f"{module} imports {other}"
        for module, others in graph.items()
        for other in others
        if not {room(module), room(other)} & packages
        if rooms.index(room(other)) > rooms.index(room(module))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "from montcore.b import thing",
        "import montcore.b",
        "def late():\n    from montcore import b",
        "if TYPE_CHECKING:\n    from montcore.b import thing",
    ],
)
def test_a_circle_is_found_wherever_its_import_stands(tmp_path: Path, text: str) -> None:
    package = tmp_path / "montcore"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text(text)
    (package / "b.py").write_text("from montcore.a import late\nthing = 1\n")
    assert circle(imports(tmp_path)) == ["montcore.a", "montcore.b", "montcore.a"]


def test_no_source_has_more_lines_than_a_reader_can_follow() -> None:
    suffixes = {".py", ".sv", ".svh", ".v", ".vhd", ".cpp", ".hpp", ".h", ".c", ".S", ".js", ".css"}
    roots = (*SOURCES, HW_DIR)
    long = {}
    for path in repository_files():
        if path.suffix in suffixes and any(path.is_relative_to(root) for root in roots):
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines > LONGER.get(str(path.relative_to(REPO_ROOT)), MOST_LINES):
                long[str(path.relative_to(REPO_ROOT))] = lines
    assert not long


def test_every_file_has_a_room() -> None:
    assert room_of("src/montcore/synth/asic/flow.py") == "src/montcore/synth"
    assert room_of("lab/src/montcore_lab/papers/page.py") == "lab/src/montcore_lab/papers"
    assert room_of("hw/smm/rtl/montcore_smm.sv") == "hw/smm" and room_of("README.md") == "."


def test_lines_are_counted_by_room_and_kind(tmp_path: Path) -> None:
    text = {"README.md": "a\nb\n", "hw/smm/a.sv": "x\n", "hw/smm/rtl/b.sv": "y\n\n"}
    for name, lines in text.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(lines)
    (tmp_path / "picture.bin").write_bytes(bytes(100))
    with pytest.raises(RequestError, match="git cannot count lines"):
        sizes(top=tmp_path)
    for command in ("init --quiet", "add --all"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True)
    (tmp_path / "untracked.md").write_text("c\n")
    assert sizes(top=tmp_path) == [
        Size(".", 1, Counter({"pages": 2})),
        Size("hw/smm", 2, Counter({"RTL": 3})),
    ]
    with pytest.raises(RequestError, match="git cannot count lines"):
        sizes("no-such-commit", tmp_path)
