# SPDX-License-Identifier: Apache-2.0
"""A recommendation names what it minimised, and quotes that figure."""

import re
from dataclasses import replace

import pytest
from command_line import Tool
from test_compare import LARGE, SLOW, SMALL, blocks

from montcore.compare.budget import OBJECTIVES, cost, formula_words, recommend


@pytest.mark.parametrize(
    ("objective", "quoted", "other"),
    [
        ("area-time", "area x interval_us = {0:.4g} kGE us", "{1:.4g} kGE us"),
        ("latency", "latency_us = {0:.4g} us", "{1:.4g} us"),
        ("throughput", "interval_us = {0:.4g} us", "{1:.4g} us"),
        ("area", "area = {0:.4g} kGE", "{1:.4g} kGE"),
        ("energy", "energy_nj = {0:.4g} nJ a product", "{1:.4g} nJ a product"),
    ],
)
def test_the_sentence_quotes_the_figure_that_was_minimised_for_both(
    objective: str, quoted: str, other: str
) -> None:
    rival = replace(SLOW, core="cs4", params={"w": "32"})
    points = [SMALL, LARGE, rival]
    known = SMALL.figures()
    formula = next(f for f in OBJECTIVES[objective] if all(known[name] is not None for name in f))
    (choice,) = recommend(points, [], objective)
    both = sorted((cost(point, formula) or 0.0, point.core) for point in points)
    own = cost(choice.entry, formula) or 0.0
    foreign = min(value for value, core in both if core != choice.entry.core)
    scale = 1e3 if "area" in formula else 1
    best = "highest" if objective == "throughput" else "least"
    assert f"has the {best} {objective} of the 3 points" in choice.words
    assert quoted.format(own / scale) in choice.words
    assert f"{foreign / own:.3g} times as much, " + other.format(0, foreign / scale) in choice.words


def test_memories_as_flip_flops_lead_where_they_are_measured() -> None:
    costly = replace(SMALL, core="cs4", params={}, ge_flops=9e6, tmin_flops_ns=SMALL.tmin_ns)
    cheap = replace(LARGE, ge_flops=1e3, tmin_flops_ns=LARGE.tmin_ns)
    (choice,) = recommend([costly, cheap, SLOW], [], "area-time")
    assert choice.entry is cheap and "kge_us_flops_sustained = " in choice.words


def test_equal_costs_are_called_equal() -> None:
    twin = replace(SMALL, core="cs4", params={"w": "32"}, ge=(SMALL.ge or 0) + 1)
    (choice,) = recommend([twin, SMALL, LARGE], [], "latency")
    assert choice.entry is LARGE
    (choice,) = recommend([twin, SMALL], [], "latency")
    assert choice.entry is SMALL
    assert " (the same as 1 other with no less area), latency_us = " in choice.words
    assert "The best other core, cs4 w=32, has the same latency_us." in choice.words
    none = [blocks("cs", 1, 900, 0, 128), blocks("smm", 1, 1800, 7, 128)]
    (choice,) = recommend(none, [], "dsp")
    assert "dsp = 0 DSP blocks" in choice.words and "needs 7 DSP blocks." in choice.words


def test_one_formula_ranks_all_points_of_a_target() -> None:
    """A point without a clock has cycles only, which are no microseconds."""
    without = replace(LARGE, core="cs4", params={}, tmin_ns=None, cycles=1, interval=1)
    for objective in ("latency", "throughput", "area-time"):
        (choice,) = recommend([SMALL, without], [], objective)
        assert choice.entry is SMALL


def test_the_help_of_minimise_names_every_formula(tool: Tool) -> None:
    for verb in ("compare", "recommend"):
        text = " ".join(re.sub("[│╭╮╰╯─]", " ", tool(verb, "--help")).split())
        for name, (formula, *_) in OBJECTIVES.items():
            assert f"{name}: {formula_words(formula)}" in text or formula == (name,), name
            # Where another comes first for standard cells alone, the usual one is named too.
            assert name != "area-time" or "else area x interval_us" in text
