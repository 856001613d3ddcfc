# SPDX-License-Identifier: Apache-2.0
"""Small faults put into copies of `smm`'s RTL: the directed cases must catch every one of them."""

import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
class ArrayMutation:
    """What is marked in `site`, a text that occurs once in the module's file, becomes `new`."""

    file: str
    name: str
    site: str
    new: str
    tree: bool = False


LOW = "low(T) is not captured", "low_o = «(capture_i | digit_i) ? word0_i : low_q»;", "low_q"
#: Mutations by the module's file: name, `site`, `new`, and whether it takes trees.
CASES: dict[str, list[tuple[Any, ...]]] = {
    "smm_fast_array": [
        ("kappa is dropped", ".kappa_i     («kappa_in»)", "1'b0", True),
        ("kappa between rows is lost", "«~first_i & edge_kappa_q»", "1'b0", True),
        (
            "high word between rows is lost",
            "«first_i ? HighConstant | (WordBits + 1)'({plus_two, 1'b0}) : edge_sum_q»",
            "HighConstant | (WordBits + 1)'({plus_two, 1'b0})",
        ),
        ("a lane takes its own word in a shift", "assign above = base[«k+1»][WordBits-1:0];", "k"),
        ("top word's carry is lost in a shift", "SumBits'(«whole_top[SumBits-1:WordBits]»)", "0"),
        (
            "constant of the top word is wrong",
            "{«{CarryBits{1'b1}}, {WordBits{1'b0}}»}",
            "{(CarryBits - 1) {1'b1}}, {(WordBits + 1) {1'b0}}",
        ),
        ("F turns one row early", ".length_i(«rows_i»),", "rows_i - 1"),
        ("T turns beside the digit", ".move_i  («!hold_i»)", "1'b1"),
        ("T's newest row takes the digit", "«if (!hold_i) tail_q»", "tail_q"),
        ("the edge takes the digit", "«if (!hold_i) begin»", "begin"),
        ("the inverse is not increased", "plus_two = «Shared && plus_two_i»", "1'b0"),
        (
            "deferred carry of the first word is lost",
            "first_carry_o = «f_after[0][SumBits-1:WordBits]»",
            "'0",
        ),
    ],
    "smm_fast_pe": [
        ("kappa is not taken from the own word", "{2'b11, «~kappa_o»,", "1'b1", True),
        (
            "deferred carry loses its top bit",
            "{shift_i ? 3'd0 : «carry_i», low_i}",
            "{1'b0, carry_i[1:0]}",
        ),
        ("carry is lost in a shift", "SumBits'(«{shift_i ? carry_i : 3'd0}»)", "0"),
    ],
    "smm_row_queue": [
        ("a queue in memory is read one row late", "(AddrBits + 1)'(Depth + «2»)", "1"),
        ("a queue in memory wraps one row early", "AddrBits'(Depth - «1»)", "2"),
        (
            "the first word comes from before F's last turn",
            "after_o = (length_i == 1) ? row_i : rows_q[«1»]",
            "0",
        ),
    ],
    "smm_fast_sequencer": [
        (
            "one gap pass too few in one row",
            "«(OneRow || rows_i == 1) ? 2'd3»",
            "(rows_i == 1) ? 2'd2",
        ),
        ("no gap in two and three rows", "2'd3 : «2'd1»", "2'd0"),
        ("one gap pass too many", "2'd3 : «2'd1»", "2'd2"),
        ("the last pass does not wait", "«pass_q.result & since_q != '0»", "1'b0"),
        ("the digit of the pass is not taken again", "since_q[1]« | since_q[2]»", ""),
        ("the slot of the digit is a cycle late", "digit_o = since_q[«1»]", "2"),
        ("the last digit is not captured", "pass_o.capture = «inject»", "1'b0"),
        ("two words overlap", "32'(words_i) >= «3»", "2"),
        (
            "a result in F is not waited for",
            "else if («tail_q && !gap_started && f_in_use»)",
            "1'b0",
        ),
    ],
    "smm_fast_output": [
        ("the inverse is not kept", "inverse_q <= «keep_i»", "1'b0"),
        (
            "2 M loses a bit between words",
            "multiple = {m_word[WordBits-2:0], «m_below_q»};",
            "1'b0",
        ),
        ("borrow between words is lost", "{over[1], «over != 0»}", "1'b1"),
        (
            "deferred carry is left out of the result",
            "~multiple}),\n          .c_i    ((WordBits + 2)'(«carry»))",
            "carry[1:0]",
        ),
        ("set-up sum is not increased", "«{setup_i & ~clear_i, 1'b1}»", "2'b01"),
        ("2 M loses a bit between words, early", "«m_below_q»}, m_word};", "1'b0"),
        ("borrow between words is lost, early", "borrow_q  <= «~enough»", "'0"),
        ("carry of S between words is lost", "over_q    <= «over»", "1'b0"),
        ("set-up sum is not increased, early", "«over_q | begins_setup»", "over_q"),
        (
            "carries outlive a result",
            "if («!rst_ni || clear_i || finish») begin\n        over_q",
            "1'b0",
        ),
        ("F is released before the last beat", "gone_o = «Early» ?", "1'b0"),
    ],
    "smm_fast": [
        ("words of M come a row late", "«leaving ? m_out_row : row_o»", "row_o"),
        ("2 M is never subtracted", ".at_least_2_i  («at_least_2»)", "1'b0"),
        ("M is always subtracted", ".at_least_1_i  («at_least_1»)", "1'b1"),
    ],
    **{word: [LOW] for word in ("smm_word_shared", "smm_word_plain")},
    "smm_fast_compare": [
        ("S > M instead of S >= M", "+ TotalBits'(«first_i ||» chain_q)", "!first_i &&", True),
        ("S > M instead of S >= M, without trees", ".carry_i(«first_i ||» chain_q)", "!first_i &&"),
        ("carry of the whole words is lost", ".carry_i(«!first_i && whole_q»)", "1'b0"),
        ("second carry between slots is lost", "TotalBits'(«!first_i && majority_q»)", "0", True),
        ("carry between slots is lost", "«first_i ? '0 : WordBits'(carry_edge_q)»", "WordBits'(0)"),
        ("2 M loses a bit between slots", "«~first_i & m_below_q»", "1'b0"),
    ],
    "smm_newton": [("one Newton step too few", "StepBits'(Steps - «1»)", "2")],
    "loader": [
        ("operands equal to M pass", "x_data_i == «m_word_i && x_below_in»", "m_word_i"),
        ("range of Y is not checked", "!«(x_below && y_below)»", "x_below"),
    ],
    "config": [("bits above the built width pass", "«top_excess | »~in_range", "")],
}
MUTATIONS = [ArrayMutation(file, *case) for file, cases in CASES.items() for case in cases]


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


def builds(folder: Path, mutation: ArrayMutation | None, tree: bool) -> Builds:
    """Return the builds of the suite, with a mutation in a copy of one file."""
    sources = Smm.sources()
    if mutation is not None:
        before, old, after = re.split("[«»]", mutation.site)
        change = f"{before}{old}{after}", f"{before}{mutation.new}{after}"
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
@pytest.mark.parametrize(
    "mutation", MUTATIONS, ids=lambda mutation: f"{mutation.file}: {mutation.name}"
)
def test_the_directed_cases_catch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mutant_cache: Path, mutation: ArrayMutation
) -> None:
    mutants = builds(tmp_path, mutation, mutation.tree)
    monkeypatch.setenv("MONTCORE_CACHE", str(mutant_cache))
    with pytest.raises((AssertionError, CheckFailedError)):
        directed_suite(mutants)
