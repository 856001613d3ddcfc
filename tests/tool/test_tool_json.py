# SPDX-License-Identifier: Apache-2.0
"""`--json` is one object on stdout for every verb and option, also where a command fails."""

import json
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
import typer.main
from command_line import Tool
from fixture_core import FixtureCore
from measurements import made_up, measured_by

from montcore.bundle import BundleResult
from montcore.bundle.runner import BenchOutcome
from montcore.cli import main as cli
from montcore.compare import measure as measure_module
from montcore.compare.entry import Entry
from montcore.compare.point import Point, plan
from montcore.cores import registered
from montcore.cores.core import Core
from montcore.synth.result import SynthResult
from montcore.synth.store import ResultStore

SMM = ["smm", "--set", "npe=2", "--set", "w=16"]
PRODUCT = ["--modulus", "fffb", "--bits", "64", "--x", "1234", "--y", "0d5"]


def quick(point: Point) -> Entry:
    """Return a made-up measurement of a point; the area grows with `npe`."""
    figures = {"ff": 900, "dsp": 4, "bram": 0, "cycles": 40, "core_cycles": 36, "interval": 32}
    lut = 1000 + int(dict(point.settings).get("npe", 1)) * 100
    return made_up(point, **figures, lut=lut, checked=100)


@pytest.fixture
def measured(own_results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Points of smm at 64 bits on xc7 that are in the result store."""
    measured_by(quick, monkeypatch)
    for point in plan(64, cores=["smm"], targets=["xc7"]):
        measure_module.keep(point, quick(point), ResultStore())


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(core: Core, output: Path, **_: Any) -> BundleResult:
        bench = BenchOutcome("icarus", 3, 0, 40, 36, 32, "3 passed, 0 failed")
        return BundleResult(output, "smm_l64", "xc7", bench, None, ("README.md",))

    monkeypatch.setattr("montcore.bundle.build", build)


COMPARE = ["--bits", "64", "--cores", "smm", "--targets", "xc7"]

#: Verbs and options, except those of rsa and of curves, whose JSON is tested elsewhere.
GOOD: list[Any] = [
    ["list"],
    ["mul", *SMM, *PRODUCT],
    ["mul", *SMM, *PRODUCT, "--engine", "model"],
    ["mul", *SMM, *PRODUCT, "--engine", "model", "--domain", "plain"],
    ["mul", *SMM, *PRODUCT, "--engine", "model", "--length", "16"],
    ["modexp", "smm", "--modulus", "f1", "--base", "3", "--exponent", "0d5", "--bits", "16"],
    ["verify", *SMM, "--bits", "32", "--random", "20", "--engine", "model"],
    ["verify", "cs", "--bits", "4", "--exhaustive", "--engine", "model"],
    ["synth", *SMM, "--bits", "64", "--target", "xc7"],
    ["build", *SMM, "--bits", "64", "-o", "bundle"],
    ["build", "rc", "--bits", "16", "--synth", "-o", "bundle"],
    ["compare", *COMPARE, "-o", "report"],
    pytest.param(
        ["compare", *COMPARE, "-o", "report", "--full", "--retry", "--workers", "1"],
        marks=pytest.mark.nightly,  # it measures as the one above
    ),
    ["recommend", *COMPARE],
    ["recommend", *COMPARE, "--minimise", "area", "--budget", "lut<=5000"],
    ["recommend", *COMPARE, "--build", "bundle"],
    ["papers"],
    ["papers", "--paper", "smm-2021"],
    ["peers"],
]
#: Commands that end with status 1 but still print an object.
BAD: list[list[str]] = [
    ["mul", "fixture", "--set", "bug=2", "--modulus", "fffd", "--x", "a5", "--y", "3"],
    ["verify", "fixture", "--set", "bug=1", "--bits", "16", "--seed", "4"],
    ["recommend", *COMPARE, "--budget", "lut<=1"],
    ["recommend", *COMPARE, "--budget", "lut<=1", "--build", "bundle"],
    ["compare", *COMPARE, "--budget", "lut<=1", "-o", "report"],
]


@pytest.mark.usefixtures("measured", "bundled")
@pytest.mark.parametrize("words", GOOD, ids=" ".join)
def test_every_verb_prints_one_object(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    done = SynthResult("xc7", lut=1, ff=1, dsp=0, bram=0, cycles=1, core_cycles=1, interval=1)
    monkeypatch.setattr("montcore.synth.flow.synthesise", lambda *_, **__: done)
    monkeypatch.chdir(tmp_path)
    found = tool.json(*words)
    assert "error" not in found
    if words[-2:] == ["--build", "bundle"]:
        assert tmp_path / found["build"]["path"] == tmp_path / "bundle"


@pytest.mark.usefixtures("measured", "bundled")
@pytest.mark.parametrize("words", BAD, ids=" ".join)
def test_a_failure_prints_one_object_too(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with registered(FixtureCore):
        found = tool.json(*words, status=1)
    assert found and (words[0] != "mul" or found.keys() == {"error"})
    assert not (tmp_path / "bundle").exists()


def test_doctor_and_bench_print_one_object(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    from montcore_riscv.bench import Bench

    monkeypatch.setattr("montcore.cli.doctor.collect", lambda: [])
    monkeypatch.setattr("montcore_riscv.bench.bench", lambda *_, **__: Bench((), (), (), {}))
    for words in (["doctor"], ["riscv", "bench", "--bits", "64"]):
        assert tool.json(*words)


def test_papers_measure_prints_one_object(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(_: Any, lacking: list[Any], done: Any, __: int) -> int:
        done(lacking[0], "ABC was killed")
        return 1

    monkeypatch.setattr("montcore_lab.papers.run.measure", measure)
    monkeypatch.setattr("montcore_lab.pages.figures.write", lambda _: None)
    words = ["papers", "--measure", "--again", "--paper", "smm-2021", "--only", "npe=2"]
    assert tool.json(*words, status=1)


FILES = ["--key", "key.pem", "--in", "message"]
#: Verbs of curves, without their hardware and files.
CURVES: dict[str, list[str]] = {
    "ec mul": ["cs", "--curve", "p-256", "--scalar", "1"],
    "ecdsa sign": FILES,
    "ecdsa verify": [*FILES, "--signature", "message"],
    "ecdh": ["--key", "key.pem", "--peer", "key.pem"],
    "x25519": ["cs", "--scalar", "00", "--u", "09"],
    "x448": ["cs", "--scalar", "00", "--u", "09"],
    "ed25519 sign": FILES,
    "ed25519 verify": [*FILES, "--signature", "message"],
    "ed448 sign": FILES,
    "ed448 verify": [*FILES, "--signature", "message"],
}


@pytest.mark.parametrize("verb", CURVES)
def test_verbs_of_curves_print_one_object(
    tool: Tool, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    """Results are tested with the engine; a wrong signature is an object too, with status 1."""
    product = SimpleNamespace(point=None, cycles=3, products=2)
    monkeypatch.setattr("montcore.ecc.operations.EcUnit.multiply", lambda *_: product)
    for name in ("sign", "verify", "agree", "ladder", "sign_edwards", "verify_edwards"):
        content = {"valid": False, "cycles": 3} if "verify" in name else {"cycles": 3}
        monkeypatch.setattr(f"montcore.ecc.commands.{name}", lambda *_, found=content: found)
    found = tool.json(*verb.split(), *CURVES[verb], status=int("verify" in verb))
    assert found["cycles"] == 3


def test_no_verb_is_forgotten() -> None:
    command: Any = typer.main.get_command(cli.app)
    tested = {words[0] for words in (*GOOD, *BAD) if isinstance(words, list)} | {
        verb.split()[0] for verb in CURVES
    }
    tested |= {"doctor", "library", "maintain", "riscv", "rsa"}
    tested.add("serve")  # it prints no result: it is the server
    assert set(command.commands) == tested


def test_unexpected_error_is_one_sentence_with_a_log(
    capsys: pytest.CaptureFixture[str], own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Mock(side_effect=ZeroDivisionError("one by zero"))
    monkeypatch.setattr("montcore.verification.multiply.multiply", broken)
    status = cli.run(["mul", *SMM, *PRODUCT, "--json"])
    out, err = capsys.readouterr()
    assert status == 1 and err.count("\n") == 1 and "one by zero" in json.loads(out)["error"]
    (log,) = own_cache.glob("crash-*.log")
    assert str(log) in err and "ZeroDivisionError" in log.read_text()


@pytest.mark.parametrize("form", ["--scalar {}", "--scalar={}"])
def test_a_log_is_its_owners_alone_and_holds_no_secret(
    capsys: pytest.CaptureFixture[str], own_cache: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    secret = "0x" + "5ec2e7" * 10
    broken = Mock(side_effect=ZeroDivisionError(f"{secret} by zero"))
    monkeypatch.setattr("montcore.ecc.commands.ladder", broken)
    words = form.format(secret).split()
    assert cli.run(["x25519", "smm", *words, "--u", "09"]) == 1
    (log,) = own_cache.glob("crash-*.log")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert "x25519 smm --scalar" in log.read_text() and "... by zero" in log.read_text()
    assert secret not in log.read_text() + capsys.readouterr().err
