# SPDX-License-Identifier: Apache-2.0
"""Other open multipliers in our flow, with one of our own as an example."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import Tool

from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import REPO_ROOT
from montcore.synth.options import FLOPS, MACRO, NONE, Options
from montcore_lab.pages import peers as page
from montcore_lab.papers.ledger import Ledger
from montcore_lab.peers import known, measure, published
from montcore_lab.peers.measure import AS_IS, SYNCHRONOUS, PeerResult
from montcore_lab.peers.peer import Peer

RTL = Path(__file__).parents[1] / "support" / "rtl"
TOY = Peer(
    name="toy",
    title="bit-serial",
    home="example.org/toy",
    licence="Apache-2.0",
    files=("toy_peer.v",),
    top="toy_peer",
    clock="clk",
    adapter=str(RTL / "montcore_peer.toy.sv"),
    parameters=lambda bits: {"WIDTH": bits},
    r_bits=lambda bits: bits,
    refuses=lambda bits: None if bits >= 8 else "it is too narrow",
    span="from the start pulse to the result",
    lacks="Nothing is checked.",
)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Peer:
    monkeypatch.setitem(known.PEERS, "toy", TOY)
    return TOY


@pytest.mark.nightly
def test_a_peer_is_multiplied_on_and_measured(toy: Peer, tool: Tool, tmp_path: Path) -> None:
    words = ("peers", "toy", "--source", RTL, "--bits", "8", "--products", "20")
    found = tool.json(*words, "--work", tmp_path / "work", "--reset", SYNCHRONOUS)
    assert (found["products"], found["wrong"], found["reduced"]) == (20, 0, True)
    # The highest bit of the sum is shifted out: a constant.
    assert found["cycles"] == 9 and found["ff"] == 9 + 8 + 16
    assert found["commit"] is None  # a part of this checkout, not one of its own
    assert found["kge_us"] == round(found["ge"] * found["tmin_ns"] * 9 / 1e6, 2)


@pytest.mark.nightly
def test_a_flip_flop_with_a_reset_of_its_own_is_larger(toy: Peer) -> None:
    gates = {}
    for reset in (AS_IS, SYNCHRONOUS):
        options = Options(wires=NONE, memory=FLOPS)
        found = measure.measure(toy, RTL, 8, options, reset=reset, products=4)
        assert found.reset == reset
        gates[reset] = found.ge
    assert gates[AS_IS] > gates[SYNCHRONOUS] + 50


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("old", "new", "wrong", "reduced"),
    [
        ("with_b[0] ? n : 0", "with_b[0] ? n + 2 : 0", True, None),
        ("(sum >= n) ? sum - n : sum", "sum + n", False, False),
    ],
)
def test_wrong_products_are_counted(
    tmp_path: Path, old: str, new: str, wrong: bool, reduced: bool | None
) -> None:
    text = (RTL / "toy_peer.v").read_text()
    assert text.count(old) == 1
    mutant = tmp_path / "toy_peer.v"
    mutant.write_text(text.replace(old, new))
    found = measure.simulate(TOY, [mutant], 16, 30, tmp_path)
    assert (found["wrong"] > 0) == wrong
    assert reduced is None or found["reduced"] == reduced


@pytest.mark.nightly
def test_a_peer_that_never_ends_is_an_error(tmp_path: Path) -> None:
    text = (RTL / "toy_peer.v").read_text()
    mutant = tmp_path / "toy_peer.v"
    mutant.write_text(text.replace("left <= left - 1", "left <= left"))
    with pytest.raises(CheckFailedError, match="no product after"):
        measure.simulate(TOY, [mutant], 8, 1, tmp_path)


def test_requests_that_cannot_be_met_are_refused(toy: Peer, tool: Tool, tmp_path: Path) -> None:
    for words, told in (
        (["nobody"], "there is no peer 'nobody'; there are caliptra-r16,"),
        (["toy"], "--source takes a checkout of example.org/toy"),
        (["toy", "--source", str(tmp_path)], "is no checkout of example.org/toy: toy_peer.v is"),
        (["toy", "--source", str(RTL), "--reset", "none"], "--reset takes as-is or synchronous"),
    ):
        tool.refuses(told, "peers", *words, "--bits", "16")
    with pytest.raises(RequestError, match="for 4 bits: it is too narrow"):
        measure.measure(toy, RTL, 4, Options())


RESULT = PeerResult(
    *(
        "secworks",
        256,
        SYNCHRONOUS,
        "0123456789abcdef",
        "0b8a3553b328",
        50,
        0,
        True,
        9238,
        "a span",
    ),
    *(98, 1626.6, 12288.0, 2.1877, 2.1877, NONE, MACRO, page.TARGET),
)


def test_a_figure_that_is_kept_replaces_the_older_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(page, "DATA", tmp_path / "peers.json")
    monkeypatch.setattr("montcore_lab.papers.ledger.PATH", tmp_path / "figures.json")
    monkeypatch.setattr(page, "PAGE", tmp_path / "peers.md")
    page.keep(replace(RESULT, cycles=7))
    page.keep(replace(RESULT, reset=AS_IS, wrong=2))
    page.keep(RESULT)
    text = (tmp_path / "peers.md").read_text()
    row = "| 98 | 1.6 + 12.3 | 2.19 | 9238 | 281.2 |"
    alike, _, as_is = text.partition("## Resets as in the original sources")
    assert alike.count(row) == 1 and as_is.count(row) == 1 and "| 2.19 | 7 |" not in text
    assert "50 products compared" in text and "commit 0123456789, files 0b8a3553b328" in text
    assert page.command(RESULT) in text
    other = replace(RESULT, library="other")
    page.keep(other)
    text = (tmp_path / "peers.md").read_text()
    before, _, after = text.partition("## On the library other")
    assert before.count(row) == 1 and after.count(row) == 2
    assert "--library other.toml --keep" in page.command(other)


def test_ways_of_measuring_ours_are_commands_of_their_own() -> None:
    every = page.subjects()
    assert len({item.command for item in every}) == len(every) == 17


def test_each_command_on_the_page_is_one_that_the_tool_takes() -> None:
    for row in page.load():
        words = row["command"].split()
        assert words[:2] == ["montcore", "peers"] and words[2] in known.PEERS
        result = PeerResult(**{key: row[key] for key in PeerResult.__dataclass_fields__})
        assert page.command(result) == row["command"] and result.kge_us == row["kge_us"]
        assert row["wrong"] == 0


def test_published_cycles_name_tables_of_ours_that_exist() -> None:
    text = page.page([], Ledger.load())
    for item in published.OTBN:
        assert f"| {item.ours} | {item.cycles:,} |" in text
        (path,) = re.findall(r"\]\((.*?)\)", item.ours)
        sheet = (REPO_ROOT / "docs" / path).read_text(encoding="utf-8")
        if "hw/ecc" in path:
            curve, column = item.ours.split(", ")[1:]
            (header,) = re.findall(r"^\| core \| curve \|.*ladder.*$", sheet, re.M)
            assert f"| {column} |" in header and f"| smm npe=8 L=256 | {curve} |" in sheet
        else:
            row = r"\| montcore \| modexp over dsp, constant( †)? \| 2048 \|"
            assert re.search(row, sheet)


def test_published_times_are_cycles_at_the_published_clock() -> None:
    text = page.page([], Ledger.load())
    for form, dsp, lut, ff, cycles, interval, clock, us in published.FIOS:
        row = f"| FIOS, {form} | {dsp} | {lut} | {ff} | {cycles} | {interval} |  | {clock} | "
        assert f"{row}{cycles / clock:.3f} |" in text and us == round(cycles / clock, 3)


def test_peers_are_listed(tool: Tool) -> None:
    names = [row["name"] for row in tool.json("peers")["peers"]]
    assert names == ["caliptra-r16", "caliptra-r32", "fios", "mod_sim_exp", "modmulcs", "secworks"]


def test_resets_of_every_style_are_made_synchronous(tmp_path: Path) -> None:
    source = tmp_path / "styles.v"
    source.write_text(
        "always @(posedge clk or negedge reset_n) begin\n"
        "always_ff @ (posedge clk, posedge rst)\nalways @(posedge clk)\nalways @(a or b)\n"
    )
    text = source.read_text()
    measure._reset([source], AS_IS)
    assert source.read_text() == text
    measure._reset([source], SYNCHRONOUS)
    assert source.read_text() == (
        "always @(posedge clk) begin\nalways_ff @(posedge clk)\n"
        "always @(posedge clk)\nalways @(a or b)\n"
    )


def test_selected_assignments_of_vhdl_keep_their_last_choice() -> None:
    text = 'with sel select\n  y(0) <= a when "11",\n b when "10",\n \'0\' when others;'
    found = " ".join(measure._SELECT.sub(measure._conditional, text).split())
    assert found == 'y(0) <= a when sel = "11" else b when sel = "10" else \'0\';'


def test_the_checkout_stays_as_it_is_where_copies_are_edited(tmp_path: Path) -> None:
    edited = replace(TOY, edits=(("left - 1", "left - 2"),))
    (copy,) = measure._copied(edited, [RTL / "toy_peer.v"], tmp_path)
    assert "left <= left - 2" in copy.read_text()
    assert "left <= left - 1" in (RTL / "toy_peer.v").read_text()


def test_vhdl_without_ghdl_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    vhdl = replace(TOY, generics=lambda bits: {"n": f"{bits}"})
    with pytest.raises(RequestError, match="GHDL"):
        measure._converted(vhdl, [RTL / "toy_peer.v"], 16, tmp_path)
