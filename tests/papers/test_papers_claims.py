# SPDX-License-Identifier: Apache-2.0
"""The papers' figures: every printed cell is present, and claims in the texts follow from them."""

import dataclasses
from collections.abc import Iterable
from typing import Any

import pytest

from montcore.synth.target import all_targets
from montcore_lab.papers import page
from montcore_lab.papers.base import Paper, Row, Table
from montcore_lab.papers.dsp2007 import published as dsp2007
from montcore_lab.papers.dsp2007.table import exponentiator
from montcore_lab.papers.karatsuba2018 import published as karatsuba2018
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.mx2006 import published as mx2006
from montcore_lab.papers.registry import all_papers
from montcore_lab.papers.riscv2021 import published as riscv2021
from montcore_lab.papers.smm2021 import published as smm2021
from montcore_lab.papers.subject import Figures


def filled(rows: Iterable[Any], *but: str) -> int:
    """Return the number of non-empty cells of rows, excluding some columns."""
    return sum(
        getattr(row, field.name) is not None
        for row in rows
        for field in dataclasses.fields(row)
        if field.name not in but
    )


#: Cells of each printed table except the row headings, counted in the paper, and those in our data.
#: Empty cells and dashes do not count; a cell that spans rows counts for each of them.
TABLES = {
    # 37 cycles, and area, memory and rate of 8 columns.
    "smm-2021, Table 1": (
        61,
        sum(cycles is not None for item in smm2021.COLUMNS for cycles in item.cycles)
        + filled(smm2021.COLUMNS, "npe", "cycles"),
    ),
    # 5 columns of 6, three without DSP blocks.
    "smm-2021, Table 2": (27, filled(smm2021.TABLE_2, "name")),
    "karatsuba-2018, Table 1": (12, sum(map(len, karatsuba2018.TABLE_1.values()))),
    "karatsuba-2018, Table 2": (20, sum(map(len, karatsuba2018.TABLE_2.values()))),
    # 30 rows of 7.
    "karatsuba-2018, Table 3": (210, filled(karatsuba2018.TABLE_3, "target", "depth", "bits")),
    "karatsuba-2018, Table 4": (210, filled(karatsuba2018.TABLE_4, "target", "depth", "bits")),
    # 16 rows of 9, 30 cells empty.
    "karatsuba-2018, Table 5": (114, filled(karatsuba2018.TABLE_5, "name")),
    "karatsuba-2018, power": (2, len(karatsuba2018.POWER_W)),
    "dsp48-2007, Table 1": (12, sum(map(len, dsp2007.TABLE_1.values()))),
    # 14 rows of two operations and two OPMODEs; 6 of them have remarks on both.
    "dsp48-2007, Table 2": (
        68,
        sum(bool(cell) for _, _, *blocks in dsp2007.TABLE_2 for cell in sum(blocks, ())),
    ),
    # 3 resources, used and there, 2 paths, 4 times.
    "dsp48-2007, Table 3": (
        12,
        len((dsp2007.SLICES, dsp2007.BLOCK_RAMS, dsp2007.BLOCKS))
        + len((dsp2007.DEVICE_SLICES, dsp2007.DEVICE_BLOCK_RAMS, dsp2007.DEVICE_BLOCKS))
        + len(dsp2007.CRITICAL_NS)
        + sum(row.milliseconds > 0 for row in dsp2007.ROWS),
    ),
    # 8 rows of 3.
    "dsp48-2007, Table 4": (
        24,
        sum(
            filled([item], "name", "kind", "milliseconds", "area")
            + len(item.milliseconds)
            + len(item.area)
            for item in (*dsp2007.OTHERS, dsp2007.THIS)
        ),
    ),
    "mmm-mx-2006, Table I": (12, filled(mx2006.TABLE_1, "name", "core", "settings", "cited")),
    "mmm-mx-2006, Table II": (6, filled(mx2006.TABLE_2, "name", "core", "settings", "cited")),
    # Tables 1 to 7 are registers, instructions and code.
    "riscv-2021, Table 8": (5, len(riscv2021.CYCLES) + len(riscv2021.EARLIER_CYCLES)),
}


@pytest.mark.parametrize("name", TABLES)
def test_every_printed_cell_is_in_the_data(name: str) -> None:
    printed, found = TABLES[name]
    assert found == printed


def shown(text: str) -> str:
    """Return a figure as printed in papers, without our page's additions."""
    return text.replace(page.DERIVED, "").replace(page.ABOUT, "").replace(",", "")


@pytest.mark.parametrize("paper", all_papers().values(), ids=lambda paper: paper.name)
def test_every_figure_of_a_paper_is_on_the_page_and_no_other_without_a_mark(paper: Paper) -> None:
    for table in paper.tables:
        for row in (row for row in table.rows if row.subject is None):
            cells = page.row_cells(table, row, row.values({}) or {}, ())[-len(table.columns) :]
            for column, cell in zip(table.columns, cells, strict=True):
                assert (page.DERIVED in cell) == bool(cell and not row.printed(column.figure))
                if cell and row.printed(column.figure):
                    name = {"lut4": "lut", "lut6": "lut"}.get(column.figure, column.figure)
                    value = row.figures[name]
                    assert value is not None
                    rounding = 0.5 if "." not in cell else 0.5 * 10 ** -len(cell.split(".")[1])
                    assert float(shown(cell)) == pytest.approx(value, abs=rounding)


def test_tables_of_four_and_six_inputs_never_share_a_column() -> None:
    measured = Ledger.load().figures()
    for table in (table for paper in all_papers().values() for table in paper.tables):
        figures = {column.figure for column in table.columns}
        assert not figures & {"lut", "klut_us"}, table.title
        for row in table.rows:
            values = row.values(measured) or {}
            target = all_targets().get(row.target)
            if target is not None and values.get("lut") is not None:
                inputs = target.technology.lut_inputs
                assert f"lut{inputs}" in figures and f"lut{10 - inputs}" not in values
    row = Row("paper", "x", "Virtex-4", {"lut": 8, "core_cycles": 5, "mhz": 100.0})
    found = row.values({})
    assert found is not None and found["lut4"] == 8 and "klut6_us" not in found


def test_the_areas_of_five_and_six_elements_are_exchanged_in_print() -> None:
    """Only then are 4, 5 and 8 elements the most efficient, and the area grows monotonically."""
    areas = {item.npe: item.kge for item in smm2021.COLUMNS}
    exchanged = {**areas, 5: areas[6], 6: areas[5]}

    def best(kge: dict[int, float]) -> set[int]:
        rate = {item.npe: item.millions_per_second / kge[item.npe] for item in smm2021.COLUMNS}
        return set(sorted(rate, key=lambda npe: -rate[npe])[:3])

    assert best(areas) == {4, 6, 8} and best(exchanged) == {4, 5, 8}
    assert sorted(exchanged.values()) == list(exchanged.values()) != list(areas.values())
    assert areas[8] / areas[1] == pytest.approx(3.6, abs=0.05)


def test_what_the_smm_paper_compares_follows_from_its_table() -> None:
    ours, khan, javeed, _, zhang = smm2021.TABLE_2
    assert ours.ns == pytest.approx(28 * 1000 / ours.mhz, abs=0.5)
    assert ours.ns / khan.ns == pytest.approx(1.28, abs=0.005)
    assert khan.dsp is not None and ours.dsp is not None
    assert 1 - ours.lut / khan.lut == pytest.approx(0.5, abs=0.02)
    assert 1 - ours.dsp / khan.dsp == pytest.approx(0.65, abs=0.01)
    assert ours.ns / javeed.ns == pytest.approx(0.5, abs=0.02)
    assert (round(zhang.lut / ours.lut, -1), round(zhang.ns / ours.ns, 1)) == (10, 1.4)
    # [13] is karatsuba-2018.
    theirs = karatsuba2018.row("xc5v", 1, 256)
    assert theirs is not None
    assert (theirs.dsp, theirs.mhz, round(theirs.ns)) == (khan.dsp, khan.mhz, khan.ns)


def of_ours(table: Table) -> dict[str, Figures]:
    """Return the figures of our rows of a table by their names and targets."""
    measured = Ledger.load().figures()
    rows = (row for row in table.rows if row.subject is not None)
    return {f"{row.what} {row.target}".strip(): row.values(measured) or {} for row in rows}


def test_the_most_efficient_of_ours_have_2_4_or_8_elements() -> None:
    found = of_ours(all_papers()["smm-2021"].tables[0])
    for schedule in ("schedule=fast", "schedule=paper"):
        rates = {npe: found[f"npe={npe} {schedule}"]["per_s_per_ge"] or 0 for npe in range(1, 9)}
        assert set(sorted(rates, key=lambda npe: -rates[npe])[:3]) == {2, 4, 8}


def test_the_longest_path_as_drawn_is_below_9_ns_with_2_and_with_8_elements() -> None:
    found = of_ours(all_papers()["smm-2021"].tables[0])
    two, eight = (
        found[f"npe={npe} schedule=paper element=paper"]["tmin_ns"] or 0 for npe in (2, 8)
    )
    assert two == pytest.approx(8.4, abs=0.05) and eight == pytest.approx(8.2, abs=0.05)


def test_smm_of_ours_beside_karatsuba_of_ours_on_virtex_5() -> None:
    smm = of_ours(all_papers()["smm-2021"].tables[1])["npe=8 schedule=paper element=paper xc5v"]
    other = ours("karatsuba-2018", "depth=1 --set schedule=paper --bits 256 --target xc5v")
    assert (smm["lut6"], smm["dsp"], smm["core_cycles"]) == (3425, 35, 28)
    assert (other["lut"], other["dsp"]) == (5357, 120)


def of_table_5(name: str, bits: int = 256) -> karatsuba2018.KaratsubaDesign:
    """Return a row of Table 5 of karatsuba-2018."""
    (found,) = (
        item
        for item in karatsuba2018.TABLE_5
        if item.name.startswith(name) and item.bits in (bits, 258)
    )
    return found


def test_what_the_karatsuba_paper_compares_follows_from_its_table() -> None:
    ours = of_table_5("FP")
    assert ours.ns is not None and ours.dsp is not None
    for name, times in (("[19]", 3.5), ("[10]", 3.7), ("[27]", 3.9), ("[28]", 2.2), ("[20]", 2.0)):
        other = of_table_5(name).ns
        assert other is not None and round(other / ours.ns, 1) == times
    for name, blocks in (("[14]", 2.1), ("[18]", 2.1), ("[15]", 1.5)):
        dsp = of_table_5(name).dsp
        assert dsp is not None and round(dsp / ours.dsp, 1) == blocks


def test_the_karatsuba_papers_least_hardware_is_not_the_least_of_its_table() -> None:
    ours, rows = of_table_5("FP"), [row for row in karatsuba2018.TABLE_5 if row.bits == 256]
    assert ours.dsp is not None and ours.klut is not None and ours.ns is not None
    assert {row.name[:4] for row in rows if row.dsp and row.dsp < ours.dsp} == {"[24]", "[26]"}
    assert {row.name[:4] for row in rows if row.ns and row.ns < ours.ns} == {"[24]", "[26]"}
    fewer = {row.name[:4] for row in rows if row.klut and row.klut < ours.klut}
    assert fewer >= {"[10]", "[27]", "[28]"}
    products = [row.klut_us for row in rows if row.klut_us]
    assert min(products) == ours.klut_us


def test_cycles_of_a_scalar_multiplication_are_those_of_its_products() -> None:
    products = karatsuba2018.SCALAR_PRODUCTS
    assert products * 29 == karatsuba2018.SCALAR_CYCLES
    assert products * 50 == karatsuba2018.SCALAR_CYCLES_CITED


def test_published_times_are_cycles_times_period_but_for_one_slip() -> None:
    rows = (*karatsuba2018.TABLE_3, *karatsuba2018.TABLE_4)
    # In each table every target, depth and size once.
    assert len({(row.target, row.depth, row.bits, row.cycles) for row in rows}) == len(rows) == 60
    slips = [row for row in rows if abs(row.cycles * row.period_ns - row.ns) > 0.02]
    assert [(row.target, row.depth, row.bits, row.ns) for row in slips] == [("xc7", 2, 192, 111.5)]
    assert all(row.period_ns == pytest.approx(1e3 / row.mhz, abs=0.02) for row in rows)


def test_the_exponentiator_is_below_what_the_least_virtex_4_has() -> None:
    """Before placement: tables and flip-flops of an XC4VFX12, two of each in a slice."""
    found = Ledger.load().figures()[exponentiator("double", "xc4v").command]
    tables, blocks = 2 * dsp2007.DEVICE_SLICES, dsp2007.DEVICE_BLOCKS
    limits = {"lut": tables, "ff": tables, "dsp": blocks, "bram": dsp2007.DEVICE_BLOCK_RAMS}
    for name, limit in limits.items():
        value = found[name]
        assert value is not None and 0 < value <= limit, name


def test_the_papers_clocks_are_those_of_its_critical_paths() -> None:
    assert all(path < 1000 / mhz for mhz, path in dsp2007.CRITICAL_NS.items())


def test_gains_of_the_riscv_paper_follow_from_its_table() -> None:
    gains = {
        bits: 1 - riscv2021.CYCLES[bits] / cycles
        for bits, cycles in riscv2021.EARLIER_CYCLES.items()
    }
    assert {bits: round(100 * gain) for bits, gain in gains.items()} == {256: 19, 512: 8}


def ours(paper: str, *only: str) -> Figures:
    """Return the figures of the one subject of a paper whose command has these texts in it."""
    commands = {subject.command for subject in all_papers()[paper].subjects()}
    (command,) = (item for item in commands if all(text in item for text in only))
    return Ledger.load().figures()[command]


def riscv_cycles(cpu: str, routine: str) -> list[float]:
    """Return the measured cycles of a routine at 256, 512 and 1024 bits."""
    figures = ours("riscv-2021", f"'{routine} ", cpu)
    return [figures[f"cycles_{bits}"] or 0 for bits in riscv2021.CYCLES]


#: Cycles by rows over those by columns: the least and the most of the three lengths, in percent.
ROWS_OVER_COLUMNS = {
    "on rocket-e31": (96, 99),
    "on rocket-fast": (82, 85),
    "on vexriscv'": (76, 81),
    "on cv32e40p": (89, 89),
    "on picorv32'": (86, 88),
}


@pytest.mark.parametrize("cpu", ROWS_OVER_COLUMNS)
def test_rows_against_columns_like_with_like(cpu: str) -> None:
    rows, columns = riscv_cycles(cpu, "mc_mul_rows"), riscv_cycles(cpu, "mc_mul_columns")
    ratios = [round(100 * a / b) for a, b in zip(rows, columns, strict=True)]
    assert (min(ratios), max(ratios)) == ROWS_OVER_COLUMNS[cpu]
    words = riscv_cycles(cpu, "mc_mul_products")
    assert all(a < c > b for a, b, c in zip(rows, columns, words, strict=True))


@pytest.mark.parametrize("cpu", ROWS_OVER_COLUMNS)
def test_a_redundant_representation_takes_more_cycles(cpu: str) -> None:
    reduced, words = riscv_cycles(cpu, "mc_mul_reduced"), riscv_cycles(cpu, "mc_mul_products")
    assert all(1.095 < a / b < 1.525 for a, b in zip(reduced, words, strict=True))


def test_registers_of_dfp_on_virtex_6_are_2_6_times_the_papers() -> None:
    found = ours("karatsuba-2018", "--set depth=2 --set schedule=paper --bits 256 --target xc6v")
    row = karatsuba2018.row("xc6v", 2, 256)
    assert row is not None
    for name, stated, ratio in (
        ("ff", row.ff, 2.59),
        ("lut", row.lut, 0.86),
        ("dsp", row.dsp, 0.96),
    ):
        assert (found[name] or 0) / stated == pytest.approx(ratio, abs=0.006)


#: Cycles of 1,280 dependent products, and of one such chain with as many in flight as fit.
CHAINS = {
    "karatsuba schedule=paper'": (karatsuba2018.SCALAR_CYCLES, 3, 37_121),
    "karatsuba schedule=fast": (25_600, 12, 2_564),
    "karatsuba schedule=lean": (26_880, 9, 3_845),
}


@pytest.mark.parametrize("core", CHAINS)
def test_a_chain_of_products_takes_what_the_paper_counts_or_less(core: str) -> None:
    found = ours("karatsuba-2018", f"on {core}")
    cycles, chains, each = CHAINS[core]
    assert (found["chain_cycles"], found["chains"]) == (cycles, chains)
    assert round(found["cycles_a_chain"] or 0) == each


#: Cycles of a product in a power of 1024 bits by the core's port, over the core's interval.
ABOVE = {"mx": 3.4, "op": 6.8, "cs": 6.8, "cs4": 13.4, "dsp": 21.8}


@pytest.mark.parametrize("core", ABOVE)
def test_what_results_that_go_back_by_the_port_cost(core: str) -> None:
    found = ours("mmm-mx-2006", f"over {core}, by its port")
    assert found["above"] == pytest.approx(ABOVE[core], abs=0.05)
    assert found["products"] == 1257


def test_results_that_go_back_as_they_are_save_cycles_over_dsp() -> None:
    lazy, port = (ours("mmm-mx-2006", f"over dsp, {how}") for how in ("lazy", "by its port"))
    assert (lazy["per_product"], port["per_product"]) == (512, 638)


def test_results_that_go_back_in_carry_save_form_save_cycles_over_mx() -> None:
    lazy, port = (ours("mmm-mx-2006", f"over mx, {how}") for how in ("lazy", "by its port"))
    assert (lazy["per_product"], port["per_product"], lazy["interval"]) == (2056, 2121, 2052)


def of_op_and_mx(shape: str, bits: int, block: int, name: str) -> float:
    """Return how many times a figure of the row or array alone of mx that of op is."""
    op, mx = (
        ours("mmm-mx-2006", f"{shape} of {core} bits={bits} block={block} ")[name] or 0
        for core in ("op", "mx")
    )
    return op / mx


@pytest.mark.parametrize(
    ("bits", "block", "ratio"), [(256, 32, 1.61), (256, 256, 1.59), (1024, 1024, 1.76)]
)
def test_clock_of_mx_over_op_in_blocks_and_as_one_block(
    bits: int, block: int, ratio: float
) -> None:
    assert of_op_and_mx("row", bits, block, "tmin_ns") == pytest.approx(ratio, abs=0.005)


def test_the_arrays_alone_have_similar_clocks() -> None:
    assert of_op_and_mx("array", 64, 64, "tmin_ns") == pytest.approx(1.19, abs=0.005)
    assert of_op_and_mx("array", 64, 64, "ge") == pytest.approx(0.887, abs=0.005)
