# SPDX-License-Identifier: Apache-2.0
"""`build` takes at most a minute: if a bundle's own test would take longer, it is scaled down."""

import re
from pathlib import Path

import pytest
from command_line import Tool

from montcore.bundle import runner
from montcore.bundle.vectors import BenchCase, CaseKind, CaseTables, make_tables
from montcore.cores import all_cores, get_core
from montcore.model.fields import get_field


def _products(tables: CaseTables) -> list[BenchCase]:
    return [case for case in tables.cases if case.kind is CaseKind.PRODUCT and not case.status]


@pytest.mark.parametrize("name", all_cores())
def test_a_light_test_has_every_kind_of_case(name: str) -> None:
    core, field = get_core(name), get_field("p256r1")
    tables = make_tables(core.configure({}, 256), field.p, 2021)
    light = tables.light()
    assert light.op_bits == tables.op_bits
    # Only successful products are left out, and the order is kept.
    cases = iter(tables.cases)
    assert all(case in cases for case in light.cases)
    for case in tables.cases:
        if case.kind is not CaseKind.PRODUCT or case.status:
            assert case in light.cases
    assert {case.note for case in light.cases} == {case.note for case in tables.cases}
    assert 4 * len(_products(light)) < len(_products(tables))
    # The interval is measured over products that follow each other.
    run = longest = 0
    for case in light.cases:
        run = run + 1 if case.kind is CaseKind.PRODUCT and not case.status else 0
        longest = max(longest, run)
    assert longest >= 5


def test_the_time_limit_of_a_test_is_kept(tmp_path: Path) -> None:
    (tmp_path / "run_test.sh").write_text("sleep 60\n")
    with pytest.raises(runner.TooSlowError, match=r"did not end within 0\.2 s"):
        runner.run_bundle_test(tmp_path, "icarus", seconds=0.2)


@pytest.mark.nightly  # every run has the two tests above
def test_a_slow_test_is_scaled_down_and_says_so(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("build", "smm", "--bits", "32", "-o")
    whole = tool(*words, tmp_path / "whole")
    monkeypatch.setattr(runner, "PATIENCE_S", 0.0)
    light = tool(*words, tmp_path / "light")
    assert "scaled down" in light and "scaled down" not in whole
    assert re.search(r"\d+ cases were left out", light)
    assert "left out" in (tmp_path / "light" / "README.md").read_text()
    # The measurements do not depend on scaling, and the bundle has all cases.
    for word in ("cycles", "core_cycles", "interval"):
        (found,) = {
            line.split()[1] for line in (whole + light).splitlines() if line.split()[:1] == [word]
        }
        assert int(found) > 0
    for name in ("stimulus.hex", "expected.hex"):
        one, other = ((tmp_path / kind / "test" / name) for kind in ("whole", "light"))
        assert one.read_text() == other.read_text()
