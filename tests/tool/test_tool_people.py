# SPDX-License-Identifier: Apache-2.0
"""Readable output: complete tables at any width, numbers as parsed, hints, waits, widths."""

import contextlib
import io
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import Tool
from rich.console import Console
from typer.main import get_command

from montcore.cli import main, options
from montcore.compare import curves
from montcore.compare import terminal as compare_terminal
from montcore.compare.budget import OBJECTIVES, check_budgets, parse_budget, recommend
from montcore.compare.entry import Entry
from montcore.compare.point import survey
from montcore.cores import all_cores, get_core
from montcore.cores.core import Core
from montcore.cores.smm import Smm
from montcore.support import terminal, waiting
from montcore.support.errors import RequestError
from montcore.support.words import hint, parse_number
from montcore.synth.target import all_targets
from montcore_lab.papers import page
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.registry import all_papers

P521 = f"{2**521 - 1:#x}"
POINT = Entry(
    "smm", {"npe": "4", "w": "32", "schedule": "fast"}, 256, "osu018", ge=123456.0,
    ge_memory=7890.0, tmin_ns=6.54, tmin_ns_no_wires=5.43, cycles=142, core_cycles=137,
    interval=128, energy_nj=98.7, word_products=128, multipliers=4, ff=812, checked=531,
)  # fmt: skip


RATE = curves.Rate(
    "smm", "npe=8 w=32 schedule=fast", 1, "osu018", "P-256", 98200.0, 98300.0, 5.47, 52481, 101649,
    271000, 52900, 102000,
)  # fmt: skip


def printed(put: Callable[..., None], width: int, *what: object, **how: object) -> str:
    stream = io.StringIO()
    put(Console(file=stream, width=width), *what, **how)
    return stream.getvalue()


@pytest.mark.parametrize("columns", ["20", "60", "100", None])
def test_nothing_is_cut(tool: Tool, monkeypatch: pytest.MonkeyPatch, columns: str | None) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    words = ["mul", "cs", "--field", "p521r1", "--x", f"{2**520:x}", "--y", f"{2**520 - 1:x}"]
    out = tool(*words, "--engine", "model")
    (line,) = [line for line in out.splitlines() if line.startswith("  z ")]
    assert re.fullmatch(r"  z +0x[0-9a-f]{100,} \(\d+ bits\)", line)
    assert P521 in out and "…" not in out
    out = tool("list")
    assert "…" not in out
    for core in all_cores().values():
        texts = [core.title, *(item.text() for item in core.allowed().values())]
        for word in " ".join(texts).split():
            assert word in out, word


@pytest.mark.parametrize("width", [24, 60, 110, 1 << 16])
def test_every_cell_of_a_comparison_is_whole(width: int) -> None:
    failed = replace(POINT, status="failed", message="ABC did not end " * 8)
    choices = recommend([POINT], [], "area")
    left_out = {"karatsuba": "core karatsuba: too wide " * 4}
    out = printed(compare_terminal.print_entries, width, [POINT, failed], choices, wide=True)
    out += printed(compare_terminal.print_choices, width, choices)
    out += printed(compare_terminal.print_left_out, width, left_out)
    assert "…" not in out
    for word in (*POINT.label.split(), "123,456", "7,890", "6.54", "98.7", "531"):
        assert word in out, word
    for text in ("ABC did not end " * 8, "core karatsuba: too wide " * 4):
        assert text.strip() in out, text


@pytest.mark.parametrize("columns", [80, 1 << 16])
def test_tables_leave_out_columns_that_do_not_fit_a_page(columns: int) -> None:
    *table, last = printed(compare_terminal.print_entries, columns, [POINT] * 3, []).splitlines()
    assert max(map(len, table)) <= 80 and len(table) <= 12 and "Tmin" not in last
    assert last.startswith("`compare --wide` also shows: checked; use; no wires")
    for word in ("142", "123,456", "6.54", "schedule=fast"):
        assert sum(word in line for line in table) == 3, word
    *table, last = printed(curves.print_rates, columns, [RATE]).splitlines()
    assert max(map(len, table)) <= 80 and "98.2" in table[5]
    assert "`ec compare --wide` also shows: verify cycles" in last
    assert "101649" in printed(curves.print_rates, columns, [RATE], wide=True)


def test_the_papers_figures_are_tables_on_any_page() -> None:
    paper, figures = all_papers()["smm-2021"], Ledger.load().figures()
    for width in (60, 80):
        out = printed(page.show, width, [paper], figures)
        assert "┃          ┃ design" in out and out.count("┏") >= len(paper.tables)
        assert "`papers --wide` also shows: ns, 256 bits; " in out
    assert "also shows" not in printed(page.show, 1 << 16, [paper], figures, wide=True)


def test_the_list_of_cores_fits_a_page(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert max(map(len, tool("list").splitlines())) <= 80
    assert (
        max(map(len, tool("papers", "--paper", "karatsuba-2018").split("Elements")[1].splitlines()))
        <= 160
    )


def test_without_colour_there_is_no_escape_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    for wish in ("", "1"):
        monkeypatch.setenv("NO_COLOR", wish)
        stream = io.StringIO()
        console = terminal.new_console(file=stream, force_terminal=True)
        terminal.print_table(console, "title", ["heading"], [["cell"]], styles=["bold red"])
        assert ("\x1b" in stream.getvalue()) is not bool(wish)


def test_no_verb_prints_a_colour_without_colour(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As on a terminal, where a bar moves the cursor. Typer reads the environment when it is loaded.
    monkeypatch.setattr("typer.rich_utils.FORCE_TERMINAL", True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    verbs = [[name, "--help"] for name in get_command(main.app).commands]  # type: ignore[attr-defined]
    for wish in ("1", ""):
        monkeypatch.setenv("NO_COLOR", wish)
        monkeypatch.setattr("typer.rich_utils.COLOR_SYSTEM", "auto")
        for words in (["list"], ["recommend", "--bits", "256"], *verbs[:: 1 if wish else 9]):
            said = tool.run(*words)
            assert bool(re.search(r"\x1b\[[\d;]*m", said.out + said.err)) is not bool(wish), words
            assert "<bool>" not in said.out  # a flag takes no value


def test_help_of_a_build_names_every_target(tool: Tool) -> None:
    assert not {name for name in all_targets() if name not in tool("build", "--help")}


def test_pairs_and_rules_fit_a_page() -> None:
    assert len(printed(page.print_rule, 1 << 16, "a title").strip("\n")) <= 100
    out = printed(terminal.print_pairs, 1 << 16, "[title]", {"z": "[0x1]", "longer": None})
    assert out.splitlines() == ["[title]", "  z       [0x1]", "  longer  None"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("197", 0x197), ("0x197", 0x197), ("0d197", 197), ("0D197", 197), (" 0XaB ", 0xAB)],
)
def test_numbers_are_hexadecimal_unless_they_say_decimal(text: str, value: int) -> None:
    assert parse_number("x", text) == value


@pytest.mark.parametrize(
    "text", ["", "0x", "0d", "0dab", "1_1", "-1", "0b1g", "0b11", "0d" + "9" * 5000]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(RequestError, match="decimal"):
        parse_number("x", text)


def test_results_show_how_numbers_were_read(tool: Tool) -> None:
    words = ["mul", "cs", "--modulus", "0d197", "--x", "97", "--y", "0d97", "--engine", "model"]
    out = tool(*words)
    for line in ("0xc5 = 197", "0x97 = 151", "0x61 = 97"):
        assert line in out


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["compar", "--bits", "8"], "compare"),
        (["mul", "cs", "--modulu", "3", "--x", "1", "--y", "1"], "--modulus"),
        (["mul", "karatsub", "--modulus", "7", "--x", "1", "--y", "1"], "karatsuba"),
        (["mul", "smm", "--set", "nep=1", "--modulus", "7", "--x", "1", "--y", "1"], "npe"),
        (["mul", "smm", "--field", "p256r2", "--x", "1", "--y", "1"], "p256"),
        (["synth", "smm", "--bits", "64", "--target", "osu81"], "osu018"),
        (["recommend", "--bits", "64", "--minimise", "latancy"], "latency"),
        (["recommend", "--bits", "64", "--budget", "latency_u<=1"], "latency_us"),
        (["recommend", "--bits", "64", "--cores", "sm"], "smm"),
        (["mul", "cs", "--engine", "modl", "--modulus", "7", "--x", "1", "--y", "1"], "model"),
        (["papers", "--paper", "smm2021"], "smm-2021"),
        (["riscv", "bench", "--cpu", "picorv"], "picorv32"),
    ],
)
def test_a_slip_of_the_pen_gets_a_hint(tool: Tool, words: list[str], meant: str) -> None:
    err = tool.refuses(meant, *words)
    assert re.search(rf"[Dd]id you mean [^?]*{meant}", err), err


def test_no_hint_where_nothing_is_near() -> None:
    assert hint("zebra", all_cores()) == ""


def test_short_help_and_version(tool: Tool) -> None:
    for words in (["-h"], ["mul", "-h"], ["riscv", "bench", "-h"]):
        assert "Usage" in tool(*words)
    assert re.fullmatch(r"montcore \d+\.\d+\.\d+\n", tool("--version"))


def test_shell_completion_knows_verbs_and_cores(tool: Tool) -> None:
    assert "--install-completion" in tool("-h")
    assert options.complete_core("kar") == ["karatsuba"]
    assert options.complete_field("p52") == ["p521r1"]
    assert options.complete_target("xc7") == ["xc7"]


# ---- widths ----------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [2, 3, 17, 64, 1024, 1025, 2048, 3072, 4096])
@pytest.mark.parametrize("full", [False, True])
def test_every_width_has_a_plan_and_names_who_is_left_out(bits: int, full: bool) -> None:
    found = survey(bits, targets=["xc7"], full=full)
    planned = {point.core for point in found.points}
    assert planned | set(found.left_out) == set(all_cores())
    assert set(found.left_out) == ({"karatsuba"} if bits > 1024 else set())
    for point in found.points:
        point.configured()
    if found.left_out:
        assert "1024" in found.left_out["karatsuba"]


@pytest.mark.parametrize("bits", [-1, 0, 1, 4097, 99_999, 10**30])
def test_a_width_that_no_core_has_is_refused(tool: Tool, bits: int, tmp_path: Path) -> None:
    for words in (["recommend"], ["compare", "-o", tmp_path / "out"]):
        tool.refuses("", *words, "--bits", str(bits), "--targets", "xc7")
    with pytest.raises(RequestError, match="no core can be built"):
        survey(bits, targets=["xc7"])


def test_a_core_that_was_named_and_lacks_the_width_is_named() -> None:
    with pytest.raises(RequestError, match=r"karatsuba.*between 2 and 1024"):
        survey(2048, cores=["karatsuba"], targets=["xc7"])


@pytest.mark.parametrize("name", all_cores())
@pytest.mark.parametrize("bits", [2, 3, 8, 31, 33, 64, 65, 127, 521, 1024])
@pytest.mark.one_in(3)
def test_defaults_fit_every_width(tool: Tool, name: str, bits: int) -> None:
    m = (1 << bits) - 1
    words = ["mul", name, "--modulus", f"{m:x}", "--x", f"{m - 1:x}", "--y", "2"]
    status, out, err = tool.run(*words, "--engine", "model")
    assert (status, err) == (0, "") and f"L={bits}" in out


def test_defaults_follow_the_width_unless_they_are_set() -> None:
    chosen = {2: 1, 64: 2, 65: 3, 128: 4, 4096: 4}
    assert {bits: Smm.configure({}, bits).npe for bits in chosen} == chosen
    assert Smm.configure({"w": "8"}, 16).npe == 2
    with pytest.raises(RequestError, match="npe must lie between 1 and"):
        Smm.configure({"npe": "4"}, 64)


def configured_with_some_others(core: type[Core], parameter: str, value: str) -> bool:
    """Return if a core takes a value with its defaults, or else with one other parameter chosen.

    The narrowest words, for example, do not fit every radix.
    """
    others = [
        {name: choice}
        for name, limits in core.allowed().items()
        if name != parameter
        for choice in limits.values
    ]
    for chosen in [{}, *others]:
        with contextlib.suppress(RequestError):
            core.configure({**chosen, parameter: value}, 512)
            return True
    return False


@pytest.mark.parametrize("name", all_cores())
def test_what_list_allows_is_what_the_core_takes(name: str) -> None:
    core = get_core(name)
    low, high = core.widths()
    core.configure({}, low)
    core.configure({}, high)
    if high < 4096:
        with pytest.raises(RequestError):
            core.configure({}, high + 1)
    for parameter, limits in core.allowed().items():
        values = [str(value) for value in limits.values or (limits.low, limits.high)]
        for value in values:
            if value.isdigit() or limits.values:
                assert configured_with_some_others(core, parameter, value)
        if not limits.values:
            with pytest.raises(RequestError):
                core.configure({parameter: str(limits.low - 1)}, 512)
        with pytest.raises(RequestError):
            core.configure({parameter: "100000"}, 512)


# ---- budgets ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "text", "good"),
    [
        ("xc7", "ge<=60000", False),
        ("xc7", "latency_us<=1", False),
        ("xc7", "interval<=100", True),
        ("xc7", "dsp<=4", True),
        ("osu018", "lut<=5", False),
        ("osu018", "energy_nj<=5", True),
        ("osu018", "kge_us<=5", True),
        ("ecp5", "fmax_mhz>=100", True),
        ("ecp5", "ge<=100", False),
    ],
)
def test_a_budget_on_a_figure_that_a_target_lacks_is_refused(
    tool: Tool, target: str, text: str, good: bool
) -> None:
    if good:
        check_budgets([parse_budget(text)], [target])
        return
    words = ["recommend", "--bits", "64", "--targets", target, "--budget", text]
    figure = re.split("[<>]", text)[0]
    tool.refuses(f"{target} has no figure '{figure}'", *words)


def test_every_target_can_be_bounded() -> None:
    assert all(objective in OBJECTIVES for objective in ("latency", "area"))
    for target in all_targets():
        check_budgets([parse_budget("cycles<=100"), parse_budget("area<=9")], [target])


# ---- waits -----------------------------------------------------------------------------------


def test_a_long_wait_says_what_it_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, own_cache: Path
) -> None:
    once = "compiling the simulator, once"
    monkeypatch.setattr(waiting, "PATIENCE_S", 0.3)
    waiting.switch_on()
    try:
        with waiting.waiting("outer") as outer:
            with waiting.waiting(once):
                time.sleep(0.9)
            outer.step("outer: second step")
            time.sleep(0.9)
        with waiting.waiting("a short one"):
            time.sleep(0.05)
    finally:
        waiting.switch_off()
    out, err = capsys.readouterr()
    assert out == ""
    lines = (f"montcore: {what} (time not known)\n" for what in (once, "outer: second step"))
    assert err == "".join(lines)
    # What was done once, inside, is no part of what the outer one takes each time.
    assert all(0.9 <= waiting.remembered(what, 0.0) < 1.7 for what in (once, "outer"))
    assert waiting.remembered("a short one", 0.0) == 0.0


def test_a_wait_without_an_end_in_sight_is_repeated(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, own_cache: Path
) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_S", 0.0)
    monkeypatch.setattr(waiting, "REPEAT_S", 0.0)
    waiting.remember("one long step", 99.0)
    waiting.switch_on()
    with waiting.waiting("one long step"):
        time.sleep(0.7)
    waiting.switch_off()
    said = "montcore: one long step (2 min the last time)"
    assert capsys.readouterr().err.startswith(f"{said}\n{said}, 0 s so far\n")


def test_a_wait_says_what_is_left_or_that_it_takes_longer() -> None:
    wait = waiting.Wait("work", waiting.Lasts("9 s the last time", 9))
    wait.began -= 8
    assert wait.words() == "work (9 s the last time)"
    wait.began -= 4
    assert wait.words() == "work (9 s the last time; today it takes longer)"
    wait.move(3, 9)
    assert wait.words() == "work: 3 of 9 (at this pace 24 s left)"


def test_without_a_display_nothing_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_S", 0.0)
    waiting.switch_off()
    with waiting.waiting("outer"):
        time.sleep(0.5)
    assert capsys.readouterr() == ("", "")
