# SPDX-License-Identifier: Apache-2.0
"""A multiplier alone behind registers: every core elaborates; the driver of a bundle."""

import random
import re
import shutil
from pathlib import Path

import pytest
from bundle_files import VARIANTS, made, top_of
from needs import require
from programs import output_of

from montcore.cores import all_cores, get_core
from montcore.cores.core import Core
from montcore.hdl.modules import read_design
from montcore.model.spec import montgomery_product
from montcore.sim.toolchain import verilator_root
from montcore.soc.design import AcceleratorDesign
from montcore.support.errors import RequestError
from montcore_lab.clients import run


@pytest.mark.parametrize("core", all_cores().values(), ids=lambda core: core.name)
def test_every_core_by_itself_elaborates_from_its_narrowest_to_its_widest(core: type[Core]) -> None:
    designs = [core.configure({}, bits) for bits in core.widths()]
    designs += [style for bits in (24, 48, 256) for style in core.styles(bits)]
    for style in designs:
        design = AcceleratorDesign(None, multiplier=style)
        words = [f"-G{key}={value}" for key, value in design.parameters().items()]
        words += [f"-D{define}=1" for define in design.defines]
        slang = read_design(["--top", "montcore_pka", *words, *map(str, design.sources())])
        assert slang is not None
        found = slang.createCompilation().getAllDiagnostics()
        wrong = [item for item in found if item.isError()]
        del found, slang  # in this order: see read_design
        assert not wrong, style.label()


def test_a_multiplier_by_itself_has_no_other_unit() -> None:
    core = get_core("rc").configure({}, 44)
    with pytest.raises(RequestError, match="no other unit"):
        AcceleratorDesign(core, multiplier=core)


#: Driver requests: products in and out of the domain, z replacing an operand, refusals, no modulus
#: after zeroize.
DRIVER = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "{top}.h"
#include "montcore_multiplier.h"
#ifdef __cplusplus
extern "C"
#endif
int asked(const montcore_pka_port *port, char **words);
static void number(const char *text, uint32_t *limbs, unsigned count) {{
  unsigned i;
  for (i = 0; i < count; i++) {{
    char word[9] = {{0}};
    memcpy(word, text + 8 * (count - 1 - i), 8);
    limbs[i] = (uint32_t)strtoul(word, NULL, 16);
  }}
}}
static void print(const uint32_t *limbs, unsigned count) {{
  while (count-- > 0) printf("%08x", limbs[count]);
  printf("\\n");
}}
int asked(const montcore_pka_port *port, char **words) {{
  enum {{ BITS = {bits}, LIMBS = (BITS + 31) / 32 }};
  montcore_pka pka;
  uint32_t m[LIMBS], x[LIMBS], y[LIMBS], z[LIMBS], r2[LIMBS];
  unsigned r_bits, i;
  int bad;
  number(words[1], m, LIMBS);
  number(words[2], x, LIMBS);
  number(words[3], y, LIMBS);
  bad = montcore_pka_open(&pka, port) != MONTCORE_PKA_OK;
  bad |= montcore_multiplier_product(&pka, x, y, z) != MONTCORE_PKA_NO_MODULUS;
  bad |= montcore_multiplier_r_bits(&pka, &{top}_build) != 0;
  bad |= montcore_pka_load(&pka, m, BITS) != MONTCORE_PKA_OK;
  r_bits = montcore_multiplier_r_bits(&pka, &{top}_build);
  montcore_r_squared(m, BITS, r_bits, r2);
  bad |= montcore_multiplier_modmul(&pka, r2, x, y, z) != MONTCORE_PKA_OK;
  print(z, LIMBS);
  memcpy(z, y, sizeof z);
  bad |= montcore_multiplier_modmul(&pka, r2, x, z, z) != MONTCORE_PKA_OK;
  print(z, LIMBS);
  printf("%u\\n", r_bits);
  memcpy(z, x, sizeof z);
  bad |= montcore_multiplier_product(&pka, z, y, z) != MONTCORE_PKA_OK;
  print(z, LIMBS);
  bad |= montcore_multiplier_product(&pka, m, y, z) != MONTCORE_PKA_OPERAND_RANGE;
  for (i = 0; i < LIMBS; i++) bad |= z[i] != 0;
  bad |= montcore_multiplier_product(&pka, NULL, y, z) != MONTCORE_PKA_BAD_CALL;
  bad |= montcore_pka_zeroize(&pka) != MONTCORE_PKA_OK;
  bad |= montcore_multiplier_product(&pka, x, y, z) != MONTCORE_PKA_NO_MODULUS;
  printf("%d\\n", bad);
  return 0;
}}
"""
#: The device, in a separate file because namespace montcore clashes with a type of
#: montcore_driver.h.
DEVICE = """
#include "V{top}.h"
#include "montcore_pka_verilated.hpp"
extern "C" int asked(const montcore_pka_port *port, char **words);
int main(int, char **words) {{
  using Device = montcore::VerilatedPka<V{top}>;
  Device device;
  const montcore_pka_port port = {{&device, Device::port_read, Device::port_write,
                                  Device::port_pause, nullptr, 100000}};
  return asked(&port, words);
}}
"""


@pytest.mark.nightly
def test_driver_of_a_bundle_multiplies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundle's driver against the bundle's RTL, following the bundle's page."""
    require("gcc")
    bundle = made(VARIANTS[0], tmp_path / "made", monkeypatch)
    top, bits = top_of(bundle), 160
    (tmp_path / "main.cpp").write_text(DEVICE.format(top=top))
    (tmp_path / "asked.c").write_text(DRIVER.format(top=top, bits=bits))
    sources = [str(bundle / name) for name in (bundle / "files.f").read_text().split()]
    # Verilator compiles them as C++; the ports of a host, `uio` and `socket`, are C alone.
    files = (bundle / "driver").glob("*.c")
    drivers = [str(path) for path in files if not re.search("uio|socket", path.name)]
    root = verilator_root()
    monkeypatch.setenv("VERILATOR_ROOT", str(root))
    words = ["--cc", "--exe", "--build", "-Wno-fatal", "--top-module", top, "--Mdir", "model"]
    words += ["-CFLAGS", f"-I{bundle}/driver", *sources, *drivers]
    output_of(root / "bin" / "verilator", *words, "main.cpp", "asked.c", cwd=tmp_path)
    rng = random.Random(5)
    m = rng.getrandbits(bits) | 1 << (bits - 1) | 1
    x, y = rng.randrange(m), rng.randrange(m)
    numbers = [f"{value:0{bits // 4}x}" for value in (m, x, y)]
    said = run([tmp_path / "model" / f"V{top}", *numbers]).decode().split()
    first, second, r_bits, third, bad = said
    assert int(first, 16) == int(second, 16) == x * y % m
    assert int(third, 16) == montgomery_product(x, y, m, int(r_bits))
    assert bad == "0"
    shutil.rmtree(tmp_path / "model")
