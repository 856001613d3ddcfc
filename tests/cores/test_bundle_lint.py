# SPDX-License-Identifier: Apache-2.0
"""The text of a bundle is clean for every tool that its user may have, in every style."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from needs import require

from montcore.bundle.assemble import CoreBundle
from montcore.bundle.sources import DEFAULT_TARGET
from montcore.cli.doctor import SYSTEM_VERILATOR, system_verilator
from montcore.cores import all_cores
from montcore.cores.core import Core
from montcore_lab.lint import elaborations, rtl
from montcore_lab.lint.complaints import complaints
from montcore_lab.lint.elaborations import Elaboration

BITS = 40
TARGETS = (DEFAULT_TARGET, "asic")


def styles() -> list[Any]:
    """Return each core with each of its styles that can be a bundle."""
    return [
        pytest.param(point, id=f"{core.name} {point.label()}")
        for core in all_cores().values()
        for point in core.styles(BITS)
        if not point.fast_clock
    ]


def system_lint(top: str, files: list[Path], *settings: str) -> list[str]:
    """Return the output of the system's own Verilator, or skip the test."""
    require(SYSTEM_VERILATOR)
    program = system_verilator()
    assert program
    flags = ("--lint-only", "-Wall", "--top-module", top)
    return complaints([program, *flags, *settings, *files], about=files)


TOOLS: dict[str, Callable[[str, list[Path]], list[str]]] = {
    "pinned Verilator": lambda top, files: rtl.verilator(top, files, {}),
    "Verilator of the system": system_lint,
    "Icarus Verilog": lambda top, files: rtl.icarus(top, files, {}),
    "Verible": lambda _, files: [text for path in files for text in rtl.verible_lint(path)],
}


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("core", styles())
@pytest.mark.one_in(20)
def test_a_bundle_is_clean(
    core: Core, target: str, tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if tool == "Icarus Verilog":
        require("iverilog")
    monkeypatch.delenv("VERILATOR_ROOT", raising=False)
    bundle = CoreBundle(core, None, target)
    files = [tmp_path / file for file in bundle.write_rtl(tmp_path)]
    assert TOOLS[tool](bundle.name, files) == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize("target", TARGETS)
def test_every_bundle_is_clean_for_slang(target: str, tmp_path: Path) -> None:
    """All of them in one process: the library takes longer to load than a bundle to read."""
    designs = []
    for number, parameter in enumerate(styles()):
        (core,) = parameter.values
        folder = tmp_path / str(number)
        folder.mkdir()
        bundle = CoreBundle(core, None, target)
        files = bundle.write_rtl(folder)
        designs.append(Elaboration(bundle.name, tuple(folder / file for file in files)))
    assert rtl.slang_designs(designs) == []


@pytest.mark.parametrize("tool", ["Verilator of the system", "Verible"])
@pytest.mark.parametrize("core", all_cores())
@pytest.mark.one_in(9)
def test_the_exponentiator_over_a_core_is_clean(
    core: str, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the tools that the source checks do not run on it; those elaborate it with others."""
    monkeypatch.delenv("VERILATOR_ROOT", raising=False)
    for design in elaborations.of_modexp():
        if not design.origin.startswith(f"over {core} "):
            continue
        generated = [path for path in design.sources if path.stem == "montcore_modexp_multiplier"]
        # A pair has no generated file.
        assert len(generated) == (0 if design.top == "montcore_modexp_pair" else 1)
        if tool == "Verible":
            assert [item for path in generated for item in rtl.verible_lint(path)] == []
        else:
            settings = [f"-G{key}={value}" for key, value in design.parameters.items()]
            settings += [f"-D{name}=1" for name in design.defines]
            assert system_lint(design.top, list(design.sources), *settings) == []
