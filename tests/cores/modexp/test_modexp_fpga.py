# SPDX-License-Identifier: Apache-2.0
"""The exponentiator in the style of an FPGA: the same results and cycles, and its memories."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from montcore.cores import get_core
from montcore.cores.technology import Technology
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiator, ModularProduct, Policy, Power
from montcore.sim.build import RtlBuild

nightly = pytest.mark.nightly

#: A family with tables that can be memories; its multipliers are inferred.
FPGA = Technology(lut_ram=True, lut_inputs=4)

READ = "rdata_q <= rows_q[raddr_i];"
#: With Apart, another word where the row is read in the cycle of its write.
READ_ANY = "rdata_q <= rows_q[raddr_i] ^ {Width{Apart && we_i && waddr_i == raddr_i}};"


def on_fpga(design: ExponentiatorDesign) -> RtlBuild:
    """Return the build of a design in the style of an FPGA."""
    return replace(
        design.build(), sources=tuple(design.sources(FPGA)), parameters=design.parameters(FPGA)
    )


def requests(bits: int, lengths: range) -> list[Power | ModularProduct]:
    """Return powers and products modulo odd numbers of all these lengths."""
    rng = random.Random(bits)
    found: list[Power | ModularProduct] = []
    for length in lengths:
        m = rng.getrandbits(length) | 1 << (length - 1) | 1
        found += [Power(x, rng.getrandbits(20) | 1, m) for x in (m - 1, rng.randrange(m))]
        found.append(ModularProduct(rng.randrange(m), m - 1, m))
    return found


def wanted(item: Power | ModularProduct) -> int:
    if isinstance(item, Power):
        return pow(item.base, item.exponent, item.modulus)
    return item.x * item.y % item.modulus


@pytest.mark.parametrize("style", ["fpga", pytest.param("plain", marks=nightly)])
@pytest.mark.parametrize(
    ("core", "bits", "settings"),
    [
        ("dsp", 192, {"alpha": "5"}),  # the build of test_modexp.py
        *(("dsp", 256, {}), ("smm", 96, {}), ("karatsuba", 64, {}), ("dsp", 256, {"alpha": "5"})),
        *(("dsp", n, {"alpha": "2", "clocking": "double"}) for n in (96, 256, 300)),
    ],
)
@pytest.mark.one_in(16)
def test_no_word_that_is_read_in_the_cycle_of_its_write_is_used(
    tmp_path: Path, core: str, bits: int, settings: dict[str, str], style: str
) -> None:
    """Nor do the registers of the style add a cycle."""
    design = ExponentiatorDesign(get_core(core).configure(settings, bits))
    build = design.build() if style == "plain" else on_fpga(design)
    memory = tmp_path / "montcore_block_ram.sv"
    (source,) = (path for path in build.sources if path.name == memory.name)
    text = source.read_text()
    assert text.count(READ) == 2
    memory.write_text(text.replace(READ, READ_ANY))
    sources = tuple(memory if path == source else path for path in build.sources)
    items = requests(bits, range(2, bits + 1, 38 if style == "fpga" else 11))
    for policy in Policy:
        plain = Exponentiator(design).run(items, policy)
        found = Exponentiator(design, rtl=replace(build, sources=sources)).run(items, policy)
        for item, one, outcome in zip(items, plain, found, strict=True):
            assert outcome.result == wanted(item), f"{policy.name}: {item}: {outcome}"
            assert (outcome.cycles, outcome.setup_cycles) == (one.cycles, one.setup_cycles), item
