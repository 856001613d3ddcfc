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


@pytest.mark.parametrize(
    ("settings", "bits"),
    [
        ({"alpha": "1", "clocking": "double"}, 96),
        ({"alpha": "5"}, 256),
        pytest.param({"alpha": "10", "clocking": "double"}, 256, marks=nightly),
        pytest.param({"alpha": "2", "clocking": "double"}, 300, marks=nightly),
    ],
)
@pytest.mark.one_in(4)
def test_registers_of_the_fpga_style_add_no_cycle(settings: dict[str, str], bits: int) -> None:
    design = ExponentiatorDesign(get_core("dsp").configure(settings, bits))
    items = requests(bits, range(2, bits + 1, 13))
    for policy in Policy:
        plain = Exponentiator(design).run(items, policy)
        found = Exponentiator(design, rtl=on_fpga(design)).run(items, policy)
        for item, one, other in zip(items, plain, found, strict=True):
            assert one.result == other.result == wanted(item), f"{policy.name}: {item}: {other}"
            assert (one.cycles, one.setup_cycles) == (other.cycles, other.setup_cycles), item


@pytest.mark.parametrize("style", ["fpga", pytest.param("plain", marks=nightly)])
@pytest.mark.parametrize(("core", "bits"), [("dsp", 256), ("smm", 96), ("karatsuba", 64)])
@pytest.mark.one_in(6)
def test_no_word_that_is_read_in_the_cycle_of_its_write_is_used(
    tmp_path: Path, core: str, bits: int, style: str
) -> None:
    design = ExponentiatorDesign(get_core(core).configure({}, bits))
    build = design.build() if style == "plain" else on_fpga(design)
    memory = tmp_path / "montcore_block_ram.sv"
    (source,) = (path for path in build.sources if path.name == memory.name)
    text = source.read_text()
    assert text.count(READ) == 2
    memory.write_text(text.replace(READ, READ_ANY))
    sources = tuple(memory if path == source else path for path in build.sources)
    items = requests(bits, range(2, bits + 1, 11))
    for policy in Policy:
        found = Exponentiator(design, rtl=replace(build, sources=sources)).run(items, policy)
        for item, outcome in zip(items, found, strict=True):
            assert outcome.result == wanted(item), f"{policy.name}: {item}: {outcome}"
