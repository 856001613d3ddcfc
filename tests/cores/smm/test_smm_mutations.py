# SPDX-License-Identifier: Apache-2.0
"""Small faults put into copies of `smm`'s RTL: the directed cases must catch every one of them."""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from mutants import replaced
from products import check, mixed
from test_smm_rtl import rare, subtraction_cases

from montcore.cores.smm import Smm
from montcore.cores.technology import Tech
from montcore.sim import wire
from montcore.sim.build import RtlBuild
from montcore.sim.simulator import Simulator
from montcore.sim.toolchain import BuildError
from montcore.support.errors import CheckFailedError
from montcore.verification.cases import refused_operands


@dataclass(frozen=True)
class Mutation:
    """`old` occurs exactly once in the module's file and becomes `new`."""

    name: str
    file: str
    old: str
    new: str
    tree: bool = False


ARRAY, PE, COMPARE = "smm_fast_array", "smm_fast_pe", "smm_fast_compare"
OUTPUT, SEQUENCER, FAST = "smm_fast_output", "smm_fast_sequencer", "smm_fast"
LOADER, CONFIG, NEWTON, QUEUE = "loader", "config", "smm_newton", "smm_row_queue"

MUTATIONS = [
    Mutation(
        "kappa is dropped", ARRAY, ".kappa_i     (kappa_in)", ".kappa_i     (1'b0)", tree=True
    ),
    Mutation(
        "kappa is not taken from the own word", PE, "{2'b11, ~kappa_o,", "{2'b11, 1'b1,", True
    ),
    Mutation(
        "deferred carry loses its top bit",
        PE,
        "{shift_i ? 3'd0 : carry_i, low_i}",
        "{shift_i ? 3'd0 : {1'b0, carry_i[1:0]}, low_i}",
    ),
    Mutation("carry is lost in a shift", PE, "SumBits'({shift_i ? carry_i : 3'd0})", "SumBits'(0)"),
    Mutation("kappa between rows is lost", ARRAY, "~first_i & edge_kappa_q", "1'b0", tree=True),
    Mutation(
        "high word between rows is lost",
        ARRAY,
        "first_i ? HighConstant | (WordBits + 1)'({plus_two, 1'b0}) : edge_sum_q",
        "HighConstant | (WordBits + 1)'({plus_two, 1'b0})",
    ),
    Mutation(
        "a lane takes its own word in a shift",
        ARRAY,
        "assign above = base[k+1][WordBits-1:0];",
        "assign above = base[k][WordBits-1:0];",
    ),
    Mutation(
        "top word's carry is lost in a shift",
        ARRAY,
        "SumBits'(whole_top[SumBits-1:WordBits])",
        "SumBits'(0)",
    ),
    Mutation(
        "constant of the top word is wrong",
        ARRAY,
        "{{CarryBits{1'b1}}, {WordBits{1'b0}}}",
        "{{(CarryBits - 1) {1'b1}}, {(WordBits + 1) {1'b0}}}",
    ),
    Mutation("F turns one row early", ARRAY, ".length_i(rows_i),", ".length_i(rows_i - 1),"),
    Mutation(
        "a queue in memory is read one row late",
        QUEUE,
        "(AddrBits + 1)'(Depth + 2)",
        "(AddrBits + 1)'(Depth + 1)",
    ),
    Mutation(
        "a queue in memory wraps one row early",
        QUEUE,
        "AddrBits'(Depth - 1)",
        "AddrBits'(Depth - 2)",
    ),
    Mutation(
        "one gap pass too few in one row",
        SEQUENCER,
        "(OneRow || rows_i == 1) ? 2'd3",
        "(rows_i == 1) ? 2'd2",
    ),
    Mutation("no gap in two and three rows", SEQUENCER, "2'd3 : 2'd1", "2'd3 : 2'd0"),
    Mutation("one gap pass too many", SEQUENCER, "2'd3 : 2'd1", "2'd3 : 2'd2"),
    Mutation("the last pass does not wait", SEQUENCER, "pass_q.result & since_q != '0", "1'b0"),
    Mutation(
        "the digit of the pass is not taken again",
        SEQUENCER,
        "since_q[1] | since_q[2]",
        "since_q[1]",
    ),
    Mutation(
        "the slot of the digit is a cycle late",
        SEQUENCER,
        "digit_o = since_q[1]",
        "digit_o = since_q[2]",
    ),
    Mutation(
        "the last digit is not captured",
        SEQUENCER,
        "pass_o.capture = inject",
        "pass_o.capture = 1'b0",
    ),
    Mutation("T turns beside the digit", ARRAY, ".move_i  (!hold_i)", ".move_i  (1'b1)"),
    Mutation("T's newest row takes the digit", ARRAY, "if (!hold_i) tail_q", "tail_q"),
    Mutation("the edge takes the digit", ARRAY, "if (!hold_i) begin", "begin"),
    Mutation(
        "the inverse is not increased", ARRAY, "plus_two = Shared && plus_two_i", "plus_two = 1'b0"
    ),
    Mutation("the inverse is not kept", OUTPUT, "inverse_q <= keep_i", "inverse_q <= 1'b0"),
    Mutation("words of M come a row late", FAST, "leaving ? m_out_row : row_o", "row_o"),
    Mutation("two words overlap", SEQUENCER, "32'(words_i) >= 3", "32'(words_i) >= 2"),
    Mutation(
        "a result in F is not waited for",
        SEQUENCER,
        "else if (tail_q && !gap_started && f_in_use)",
        "else if (1'b0)",
    ),
    *(
        Mutation(
            f"low(T) is not captured: {file}",
            file,
            "assign low_o = (capture_i | digit_i) ? word0_i : low_q;",
            "assign low_o = low_q;",
        )
        for file in ("smm_word_shared", "smm_word_plain")
    ),
    Mutation(
        "2 M is never subtracted", FAST, ".at_least_2_i  (at_least_2)", ".at_least_2_i  (1'b0)"
    ),
    Mutation(
        "M is always subtracted", FAST, ".at_least_1_i  (at_least_1)", ".at_least_1_i  (1'b1)"
    ),
    Mutation(
        "S > M instead of S >= M",
        COMPARE,
        "+ TotalBits'(first_i || chain_q)",
        "+ TotalBits'(!first_i && chain_q)",
        tree=True,
    ),
    Mutation(
        "S > M instead of S >= M, without trees",
        COMPARE,
        ".carry_i(first_i || chain_q)",
        ".carry_i(!first_i && chain_q)",
    ),
    Mutation(
        "carry of the whole words is lost",
        COMPARE,
        ".carry_i(!first_i && whole_q)",
        ".carry_i(1'b0)",
    ),
    Mutation(
        "second carry between slots is lost",
        COMPARE,
        "TotalBits'(!first_i && majority_q)",
        "TotalBits'(0)",
        tree=True,
    ),
    Mutation(
        "carry between slots is lost",
        COMPARE,
        "first_i ? '0 : WordBits'(carry_edge_q)",
        "WordBits'(0)",
    ),
    Mutation("2 M loses a bit between slots", COMPARE, "~first_i & m_below_q", "1'b0"),
    Mutation(
        "2 M loses a bit between words",
        OUTPUT,
        "multiple = {m_word[WordBits-2:0], m_below_q};",
        "multiple = {m_word[WordBits-2:0], 1'b0};",
    ),
    Mutation("borrow between words is lost", OUTPUT, "{over[1], over != 0}", "{over[1], 1'b1}"),
    Mutation(
        "deferred carry is left out of the result",
        OUTPUT,
        "~multiple}),\n          .c_i    ((WordBits + 2)'(carry))",
        "~multiple}),\n          .c_i    ((WordBits + 2)'(carry[1:0]))",
    ),
    Mutation("set-up sum is not increased", OUTPUT, "{setup_i & ~clear_i, 1'b1}", "2'b01"),
    Mutation(
        "2 M loses a bit between words, early", OUTPUT, "m_below_q}, m_word};", "1'b0}, m_word};"
    ),
    Mutation(
        "borrow between words is lost, early", OUTPUT, "borrow_q  <= ~enough", "borrow_q  <= '0"
    ),
    Mutation("carry of S between words is lost", OUTPUT, "over_q    <= over", "over_q    <= 1'b0"),
    Mutation("set-up sum is not increased, early", OUTPUT, "over_q | begins_setup", "over_q"),
    Mutation(
        "carries outlive a result",
        OUTPUT,
        "if (!rst_ni || clear_i || finish) begin\n        over_q",
        "if (1'b0) begin\n        over_q",
    ),
    Mutation(
        "deferred carry of the first word is lost",
        ARRAY,
        "first_carry_o = f_after[0][SumBits-1:WordBits]",
        "first_carry_o = '0",
    ),
    Mutation(
        "the first word comes from before F's last turn",
        QUEUE,
        "after_o = (length_i == 1) ? row_i : rows_q[1]",
        "after_o = (length_i == 1) ? row_i : rows_q[0]",
    ),
    Mutation("F is released before the last beat", OUTPUT, "gone_o = Early ?", "gone_o = 1'b0 ?"),
    Mutation("one Newton step too few", NEWTON, "StepBits'(Steps - 1)", "StepBits'(Steps - 2)"),
    Mutation(
        "operands equal to M pass",
        LOADER,
        "x_data_i == m_word_i && x_below_in",
        "x_data_i == m_word_i",
    ),
    Mutation("range of Y is not checked", LOADER, "!(x_below && y_below)", "!x_below"),
    Mutation("bits above the built width pass", CONFIG, "top_excess | ~in_range", "~in_range"),
]


Builds = dict[tuple[int, int], RtlBuild]


def directed_suite(rtl_of: Builds) -> None:
    """Run the directed cases; raises on the first wrong answer.

    The builds have 5, 3, 2 and 1 rows, and every smaller number at run time; and 9, with queues in
    memories.
    """
    for (bits, npe), rtl in rtl_of.items():
        rng = random.Random(npe)
        config = Smm(bits=bits, npe=npe, w=4)
        sim = Simulator(config, rtl=rtl, seed=1)
        try:
            sim.prepare()
        except BuildError as error:
            pytest.fail(f"a mutant that does not compile proves nothing: {error}")
        lengths = range(2, bits + 1) if bits < 20 else (3, 8, 20, 30, 35)
        products = mixed(config, config.w, lengths, rng, 12)
        for found in subtraction_cases(4, 4).values():
            products += found
        products += rare(config)
        check(sim, config, products)
        refused = refused_operands(config, None, rng)
        outcomes = sim.run([case.product for case in refused])
        for case, outcome in zip(refused, outcomes, strict=True):
            assert outcome.error == case.error, f"{case}: {outcome}"
        too_long = (1 << bits) | 1
        (answer,) = sim.script([wire.Configure(too_long, config.words(bits + 1))])
        assert answer.status == 3, f"{too_long:#x}: {answer}"


def builds(folder: Path, mutation: Mutation | None, tree: bool) -> Builds:
    """Return the builds of the suite, with a mutation in a copy of one file."""
    sources = Smm.sources()
    if mutation is not None:
        change = mutation.old, mutation.new
        sources = replaced(folder, sources, f"montcore_{mutation.file}", change)
    found = {}
    for bits, npe in ((19, 1), (19, 2), (19, 3), (19, 5), (35, 1)):
        config = Smm(bits=bits, npe=npe, w=4)
        parameters = {**config.sv_parameters(), "Tech": int(Tech.ASIC if tree else Tech.GENERIC)}
        found[bits, npe] = RtlBuild(Smm.main_top(), tuple(sources), parameters)
    return found


@pytest.mark.nightly
@pytest.mark.parametrize("tree", [False, True], ids=["inferred", "tree"])
def test_the_directed_cases_accept_the_core(tmp_path: Path, tree: bool) -> None:
    directed_suite(builds(tmp_path, None, tree))


@pytest.fixture(scope="module")
def mutant_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Temporary folder in which mutants are built."""
    return tmp_path_factory.mktemp("mutants")


@pytest.mark.nightly
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_the_directed_cases_catch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mutant_cache: Path, mutation: Mutation
) -> None:
    mutants = builds(tmp_path, mutation, mutation.tree)
    monkeypatch.setenv("MONTCORE_CACHE", str(mutant_cache))
    with pytest.raises((AssertionError, CheckFailedError)):
        directed_suite(mutants)
