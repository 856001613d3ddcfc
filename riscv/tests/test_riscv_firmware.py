# SPDX-License-Identifier: Apache-2.0
"""The library in the builds of firmware: CMake, ESP-IDF, Zephyr, PlatformIO."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from needs import require

from montcore_riscv.qemu import QEMU, emulator
from montcore_riscv.toolchain import COMPILER, RISCV_DIR, BuildTarget, library_sources

#: Stands in for the functions of a framework's build: the library is made of what they are given.
STAND_INS = """
cmake_minimum_required(VERSION 3.13)
project(stand_in LANGUAGES C ASM)
add_compile_options(-O2 -ffreestanding)  # a framework has a C library
function(idf_component_register)
  cmake_parse_arguments(given "" "" "SRCS;INCLUDE_DIRS" ${ARGN})
  add_library(component STATIC ${given_SRCS})
  target_include_directories(component PUBLIC ${given_INCLUDE_DIRS})
  set(COMPONENT_LIB component PARENT_SCOPE)
endfunction()
function(zephyr_library_named name)
  add_library(component STATIC)
endfunction()
function(zephyr_include_directories)
  target_include_directories(component PUBLIC ${ARGN})
endfunction()
function(zephyr_library_sources)
  target_sources(component PRIVATE ${ARGN})
endfunction()
function(zephyr_library_compile_definitions)
  if(ARGN)
    target_compile_definitions(component PRIVATE ${ARGN})
  endif()
endfunction()
"""


def run(*words: str | Path) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def cmake(source: Path, build: Path, *options: str) -> None:
    require("cmake", COMPILER)
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={RISCV_DIR / 'rv32.cmake'}"
    run("cmake", "-S", source, "-B", build, toolchain, *options)
    run("cmake", "--build", build, "--parallel", "2")


def members(archive: Path) -> set[str]:
    listed = run(COMPILER.replace("gcc", "ar"), "t", archive).split()
    return {name.removesuffix(".obj").removesuffix(".o") for name in listed}


def names(sources: Sequence[Path]) -> set[str]:
    return {path.name for path in sources}


WHOLE = {
    name
    for name in names(library_sources(BuildTarget(curves=True, rsa=True)))
    if name not in ("random.c", "sha256.c", "sha512.c")
}


def test_from_an_empty_folder_to_a_valid_signature(tmp_path: Path) -> None:
    require(QEMU)
    cmake(RISCV_DIR, tmp_path)
    assert run(emulator(), tmp_path / "sign") == "signature valid\n"
    assert members(tmp_path / "libmontcore_riscv.a") == WHOLE


def test_parts_are_left_out_on_request(tmp_path: Path) -> None:
    source = tmp_path / "firmware"
    source.mkdir()
    (source / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.13)\nproject(firmware LANGUAGES C ASM)\n"
        f"add_subdirectory({RISCV_DIR} montcore)\n"
    )
    cmake(source, tmp_path / "build", "-DMONTCORE_CURVES=OFF", "-DMONTCORE_SMALL=ON")
    found = members(tmp_path / "build" / "montcore" / "libmontcore_riscv.a")
    assert "private.c" in found and "divsteps.c" in found and "ecdsa.c" not in found
    assert found < WHOLE


@pytest.mark.parametrize(
    ("variable", "folder"), [("ESP_PLATFORM", ""), ("CONFIG_MONTCORE_RISCV", "zephyr")]
)
def test_what_a_framework_is_given_is_the_library(
    variable: str, folder: str, tmp_path: Path
) -> None:
    source = tmp_path / "firmware"
    source.mkdir()
    text = f"{STAND_INS}set({variable} 1)\nadd_subdirectory({RISCV_DIR / folder} montcore)\n"
    (source / "CMakeLists.txt").write_text(text)
    cmake(source, tmp_path / "build", "-DMONTCORE_ITERATIVE=ON")
    (archive,) = (tmp_path / "build").glob("**/libcomponent.a")
    assert members(archive) == WHOLE


def test_platformio_takes_the_sources_of_the_library() -> None:
    settings = json.loads((RISCV_DIR / "library.json").read_text())
    rules = settings["build"]["srcFilter"]
    assert rules[0] == "-<*>" and all(rule.startswith("+<") for rule in rules[1:])
    found = set[str]()
    for rule in rules[1:]:
        pattern = rule[2:-1]
        chosen = RISCV_DIR.glob(f"{pattern}*" if pattern.endswith("/") else pattern)
        found |= {path.name for path in chosen if path.suffix in (".c", ".S")}
    assert found == WHOLE
    assert (RISCV_DIR / settings["build"]["includeDir"] / "montcore_riscv.h").is_file()
