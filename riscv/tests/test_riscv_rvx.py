# SPDX-License-Identifier: Apache-2.0
"""The instructions of riscv/rtl: the units alone, and on both host cores."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from needs import needs
from riscv_tools import machine

from montcore_lab.lint.dialects import copies_for_icarus_11
from montcore_riscv.bench import cycles_of
from montcore_riscv.calls import Call, MemoryLayout, product_call, random_operand
from montcore_riscv.extensions import EXTENSIONS, cycles
from montcore_riscv.toolchain import RISCV_DIR

HOSTS = ["vexriscv-rvx", "picorv32-rvx"]
RTL = RISCV_DIR / "rtl"
MASK = 0xFFFFFFFF
WORDS = (0, 1, MASK, 0x80000000)

#: Most cycles for 256, 512 and 1024 bits on VexRiscv.
BOUNDS = {"mac": (659, 2_203, 7_979), "wide": (500, 1_700, 6_000)}


def products(function: str, arena: int, count: int) -> Iterator[Call]:
    random = Random(11)
    for number in range(count):
        n = number % 6 + 1
        yield product_call(function, arena, n, random_operand(random, n), random_operand(random, n))


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("extension", EXTENSIONS, ids=lambda extension: str(extension.name))
@pytest.mark.one_in(6)
def test_products_with_the_instructions_are_right(host: str, extension: object) -> None:
    routine = getattr(extension, "routine", "")
    under = machine(host)
    ones = (1 << 512) - 1
    calls = [*products(routine, under.arena, 60), product_call(routine, under.arena, 8, ones, ones)]
    assert len(cycles_of(under, calls)) == 61


@pytest.mark.parametrize("extension", EXTENSIONS, ids=lambda extension: str(extension.name))
def test_no_limbs_write_nothing(extension: object) -> None:
    under = machine("vexriscv-rvx")
    layout = MemoryLayout(under.arena)
    at = [layout.number(0x1234, 1) for _ in range(3)]
    memory = layout.memory()
    routine = getattr(extension, "routine", "")
    cycles_of(under, [Call(routine, (*at, 0), memory, 0, len(memory), memory)])


@pytest.mark.parametrize("name", BOUNDS)
def test_our_instructions_stay_within_their_cycles(name: str) -> None:
    (extension,) = (item for item in EXTENSIONS if item.name == name)
    found = cycles(machine("vexriscv-rvx"), extension, (256, 512, 1024))
    assert all(count <= bound for count, bound in zip(found, BOUNDS[name], strict=True)), found


@pytest.mark.parametrize("name", ["mac", "wide"])
@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.nightly)])
def test_cycles_do_not_depend_on_operands(name: str, count: int) -> None:
    (extension,) = (item for item in EXTENSIONS if item.name == name)
    under = machine("vexriscv-rvx")
    random = Random(12)
    pairs = [(random_operand(random, 4), random_operand(random, 4)) for _ in range(count)]
    calls = [product_call(extension.routine, under.arena, 4, a, b) for a, b in pairs]
    assert len(set(cycles_of(under, calls))) == 1


# ---- the units behind montcore_rvx_cfu, against their contracts ---------------------------------


class Units:
    """What the instructions do, in Python."""

    def __init__(self, wide: bool) -> None:
        self.wide = wide
        self.upper = self.factor = self.product = self.carry = self.sum = 0

    def step(self, function: int, a: int, b: int) -> int:
        group, op = function >> 3, function & 7
        if group == 0:
            if op & 1:
                return self.upper
            self.upper = a * b >> 32
            return a * b & MASK
        if group == 1:
            if op == 0:
                self.factor = b << 32 | a
                return -1  # the lowest word of any earlier product
            if op == 1:
                self.product = self.factor * (b << 32 | a)
                return self.product & MASK
            return self.product >> 32 * (op - 1) & MASK
        if group == 2:
            total = a + b + (self.carry if op & 1 else 0)
            self.carry = total >> 32
            return total & MASK
        if group == 3:
            bits = 160 if self.wide else 96
            if op == 1:
                word, self.sum = self.sum & MASK, self.sum >> 32
                return word
            if op == 2:
                self.sum = 0
            elif op == 0 or self.wide:
                weight = {0: 0, 3: 32, 4: 64}[op]
                self.sum = (self.sum + (a * b << weight)) % (1 << bits)
            return 0
        return 0


BENCH = """`timescale 1ns / 1ns
module tb;
  logic clk = 1'b0, rst_n = 1'b0, zeroize = 1'b0, cmd_valid = 1'b0, rsp_ready = 1'b0;
  logic cmd_ready, rsp_valid;
  logic [9:0] cmd_function = 10'd0;
  logic [31:0] cmd_a = 32'd0, cmd_b = 32'd0, rsp_result;
  logic [76:0] stimulus[0:%(count)d-1];
  integer sent = 0, answered = 0, cycle = 0;
  montcore_rvx_cfu #(.Units(4'b1111), .Wide(%(wide)d)) dut (
    .clk_i(clk), .rst_ni(rst_n), .zeroize_i(zeroize), .cmd_valid_i(cmd_valid),
    .cmd_ready_o(cmd_ready), .cmd_function_i(cmd_function), .cmd_a_i(cmd_a), .cmd_b_i(cmd_b),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_result_o(rsp_result));
  always #5 clk = !clk;
  initial begin
    $readmemh("stimulus.hex", stimulus);
    zeroize = 1'b1;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    zeroize = 1'b0;
    while (answered < %(count)d && cycle < 100000) begin
      // Idle gaps and back-pressure come with the stimulus.
      cmd_valid = sent < %(count)d && (stimulus[sent][74] == 1'b0 || cycle %% 3 == 0);
      if (sent < %(count)d) {cmd_function, cmd_a, cmd_b} = stimulus[sent][73:0];
      rsp_ready = stimulus[answered][75] == 1'b0 || cycle %% 4 == 1;
      #1;
      if (rsp_valid && rsp_ready) begin
        $display("%%h", rsp_result);
        answered = answered + 1;
      end
      if (cmd_valid && cmd_ready) sent = sent + 1;
      cycle = cycle + 1;
      @(negedge clk);
    end
    zeroize = 1'b1;
    cmd_valid = 1'b0;
    @(negedge clk);
    $display("cleared %%b", ~|{dut.g_mul64.u_mul64.a_q, dut.g_mul64.u_mul64.b_q,
        dut.g_mul64.u_mul64.product_q, dut.g_block.u_block.x0_q, dut.g_block.u_block.x1_q,
        dut.g_block.u_block.y0_q, dut.g_block.u_block.y1_q, dut.g_block.u_block.product_q,
        dut.g_block.u_block.partial_q, dut.g_adc.u_adc.sum_q, dut.g_mac.u_mac.a_q,
        dut.g_mac.u_mac.b_q, dut.g_mac.u_mac.product_q, dut.g_mac.u_mac.sum_q,
        dut.g_mac.u_mac.result_q});
    $finish;
  end
endmodule
"""


def stimulus(wide: bool) -> list[tuple[int, int, int, int]]:
    """Return instructions (function, a, b) with their handshake habits, edge operands often."""
    random = Random(13)
    groups = [[0, 1], [8], [16, 17], [24, 24, 24, 25, 26] + ([27, 28] if wide else []), [0x3F8]]
    found = [(26, 0, 0, 0), (16, 0, 0, 0), (0, 1, 1, 0), (8, 1, 0, 0), (9, 1, 0, 0)]
    for _ in range(3000):
        group = random.choice(groups)
        a, b = (
            random.choice(WORDS) if random.getrandbits(1) else random.getrandbits(32)
            for _ in range(2)
        )
        habits = random.randrange(4)
        if group == [8]:  # a block: both factors, then its words
            found += [(8, a, b, habits), (9, b ^ MASK, a, habits)]
            found += [(op, 0, 0, habits) for op in random.sample([10, 11, 12], 3)]
        else:
            found.append((random.choice(group), a, b, habits))
    return found


@needs("iverilog")
@pytest.mark.parametrize("wide", [False, True])
def test_the_units_do_what_their_contracts_say(wide: bool, tmp_path: Path) -> None:
    given = stimulus(wide)
    (tmp_path / "stimulus.hex").write_text(
        "".join(f"{h << 74 | f << 64 | a << 32 | b:020x}\n" for f, a, b, h in given)
    )
    (tmp_path / "tb.sv").write_text(BENCH % {"count": len(given), "wide": int(wide)})
    copies = copies_for_icarus_11(sorted(RTL.glob("*.sv")), tmp_path)
    program = str(tmp_path / "tb.vvp")
    sources = [str(path) for path in (*copies, tmp_path / "tb.sv")]
    subprocess.run(
        ["iverilog", "-g2012", "-s", "tb", "-o", program, *sources], check=True, timeout=60
    )
    done = subprocess.run(
        ["vvp", program], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True
    )
    *answers, cleared = [line for line in done.stdout.splitlines() if line]
    assert cleared == "cleared 1"
    assert len(answers) == len(given)
    units = Units(wide)
    for (function, a, b, _), answer in zip(given, answers, strict=True):
        expected = units.step(function, a, b)
        assert expected < 0 or int(answer, 16) == expected, (hex(function), hex(a), hex(b))
