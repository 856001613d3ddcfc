# SPDX-License-Identifier: Apache-2.0
"""The verbs of elliptic curves: files that OpenSSL writes and reads, JSON, refusals."""

import json
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from needs import require

from montcore.cli import main as cli
from montcore.compare import curves as rated
from montcore.ecc.synthesis import EngineFlow
from montcore.synth.result import SynthResult

OVER = ["--set", "npe=8", "--json"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any, str]:
    """Return the exit status, the JSON object and what is on stderr."""
    status = cli.run(words)
    out, err = capsys.readouterr()
    assert "Traceback" not in err, err
    return status, json.loads(out) if out else None, err.strip().splitlines()[-1] if err else ""


def openssl(*words: str) -> None:
    subprocess.run([str(shutil.which("openssl")), *words], check=True, capture_output=True)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a message, a key of P-256 and one of Ed25519, written by OpenSSL."""
    require("openssl")
    (tmp_path / "message").write_bytes(b"a message\n")
    curve = ("-pkeyopt", "ec_paramgen_curve:P-256")
    openssl("genpkey", "-algorithm", "EC", *curve, "-out", str(tmp_path / "p256.pem"))
    openssl("genpkey", "-algorithm", "ED25519", "-out", str(tmp_path / "ed.pem"))
    for name in ("p256", "ed"):
        key, public = str(tmp_path / f"{name}.pem"), str(tmp_path / f"{name}.pub")
        openssl("pkey", "-in", key, "-pubout", "-out", public)
    return tmp_path


def test_signatures_go_to_openssl_and_come_from_it(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, public, message = (str(files / name) for name in ("p256.pem", "p256.pub", "message"))
    ours, theirs = str(files / "ours"), str(files / "theirs")
    request = ("ecdsa", "sign", "--key", key, "--in", message, "--out", ours, *OVER)
    status, content, _ = run(capsys, *request)
    assert status == 0
    assert bytes.fromhex(content["signature"]) == Path(ours).read_bytes()
    # The verification, too.
    assert 140_000 < content["cycles"] < 165_000
    openssl("dgst", "-sha256", "-verify", public, "-signature", ours, message)
    openssl("dgst", "-sha256", "-sign", key, "-out", theirs, message)
    verify = ("ecdsa", "verify", "--key", public, "--signature", theirs, *OVER, "--in")
    status, content, _ = run(capsys, *verify, message)
    assert (status, content["valid"]) == (0, True)
    status, content, last = run(capsys, *verify, key)
    assert (status, content["valid"], last) == (1, False, "montcore: the signature is wrong")
    shared = files / "shared"
    shared.touch(mode=0o644)
    words = ("--key", key, "--peer", public, "--out", str(shared))
    status, content, _ = run(capsys, "ecdh", *words, *OVER)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o600
    secret = str(files / "secret")
    openssl("pkeyutl", "-derive", "-inkey", key, "-peerkey", public, "-out", secret)
    assert content["secret"] == Path(secret).read_bytes().hex() == shared.read_bytes().hex()


def test_edwards_signatures_go_to_openssl_and_come_from_it(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, public, message = (str(files / name) for name in ("ed.pem", "ed.pub", "message"))
    ours = str(files / "ours")
    over = (*OVER, "--bits", "256")
    status, _, _ = run(
        capsys, "ed25519", "sign", "--key", key, "--in", message, "--out", ours, *over
    )
    assert status == 0
    raw = ("-pubin", "-inkey", public, "-rawin", "-in", message, "-sigfile", ours)
    openssl("pkeyutl", "-verify", *raw)
    verify = ("ed25519", "verify", "--key", public, "--signature", ours, *over, "--in")
    assert run(capsys, *verify, message)[1]["valid"] is True


def test_points_are_multiplied(capsys: pytest.CaptureFixture[str]) -> None:
    request = ("ec", "mul", "smm", "--curve", "P-256", *OVER, "--scalar")
    status, content, _ = run(capsys, *request, "2")
    assert (status, list(content)) == (0, ["x", "y", "cycles", "products"])
    assert content["x"].startswith("0x7cf27b188d034f7e8a52380304b51ac3")
    double = f"{content['x']},{content['y']}"
    found = run(capsys, *request, "3", "--point", double)[1]["x"]
    assert found.startswith("0xb01a172a76a4602c92d3242cb897dde3")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--scalar", "1", "--point", "1,1"), "the point is not on the curve prime256v1"),
        (("--scalar", "1", "--point", "1"), "--point takes two coordinates, X,Y"),
        (("--scalar", "1", "--point", f"{1 << 256:x},1"), "the coordinates must lie between"),
        (("--scalar", "1", "--bits", "255"), "more than the 255 that were built"),
    ],
)
def test_bad_points_and_scalars_are_one_sentence(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    status, content, last = run(capsys, "ec", "mul", "smm", "--curve", "P-256", *OVER, *words)
    assert (status, content) == (2, None)
    assert sentence in last


def test_bad_keys_and_requests_are_one_sentence(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, public, ed, message = (
        str(files / n) for n in ("p256.pem", "p256.pub", "ed.pem", "message")
    )
    cases = [
        (("ecdsa", "sign", "--key", ed, "--in", message, *OVER), "holds a key of Ed25519"),
        (("ecdsa", "sign", "--key", public, "--in", message, *OVER), "no private key"),
        (("ed25519", "sign", "--key", key, "--in", message, *OVER), "no private key of ed25519"),
        (("x25519", "smm", "--scalar", "00", "--u", "09", *OVER), "has 32 bytes, not 1"),
        (("ec", "mul", "smm", "--curve", "p-257", "--scalar", "1"), "no curve 'p-257'"),
        (("ec", "mul", "smm", "--curve", "x25519", "--scalar", "1"), "see `x25519`"),
    ]
    for words, sentence in cases:
        status, content, last = run(capsys, *words)
        assert (status, content) == (2, None), words
        assert sentence in last, words


@pytest.mark.parametrize(
    "words",
    [
        ("ec", "mul", "--curve", "P-256", "--scalar", "1"),
        ("ecdsa", "sign", "--key", "p256.pem", "--in", "message"),
        ("ecdh", "--key", "p256.pem", "--peer", "p256.pem"),
        ("x25519", "--scalar", 32 * "00", "--u", 32 * "09"),
        ("x448", "--scalar", 56 * "00", "--u", 56 * "09"),
        ("ed25519", "sign", "--key", "ed.pem", "--in", "message"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_every_verb_takes_its_core_as_argument_and_as_option(
    files: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
) -> None:
    monkeypatch.chdir(files)
    for core in (("coral",), ("--core", "coral"), ("coral", "--core", "coral")):
        status, _, last = run(capsys, *words, *core)
        assert status == 2 and "there is no core 'coral'" in last
    status, _, last = run(capsys, *words, "cs", "--core", "rc")
    assert (status, last) == (2, "montcore: CORE is cs, but --core is rc")


def _rated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give engines an area, a period and cycles without synthesis and simulation."""
    areas = {"smm": 97_600.0, "cs4": 32_200.0}

    def synthesise(flow: EngineFlow, target: str, **_: object) -> SynthResult:
        area = areas[flow.design.core.name]
        return SynthResult(target, ge=area, ge_memory=98_304.0, tmin_ns=5.5)

    cycles = {
        "smm": (52_481, 101_649, 102_517, 53_000, 102_000),
        "cs4": (329_351, 712_387, 739_295, 330_000, 713_000),
    }

    def measured(flow: EngineFlow) -> tuple[int, ...]:
        *single, sign, verify = cycles[flow.design.core.name]
        return (*single, sign // flow.design.contexts, verify // flow.design.contexts)

    monkeypatch.setattr(EngineFlow, "synthesise", synthesise)
    monkeypatch.setattr(rated, "_cycles", measured)


def test_engines_are_compared_the_fastest_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _rated(monkeypatch)
    words = [
        "ec",
        "compare",
        "cs4",
        "smm:npe=8",
        "smm:npe=8,contexts=3",
        "--json",
        "-o",
        str(tmp_path / "rates"),
    ]
    assert cli.run(words) == 0
    found = json.loads(capsys.readouterr().out)
    rates = [(row["core"], row["contexts"], row["signatures_per_s"]) for row in found["engines"]]
    assert rates == [("smm", 3, 10292.0), ("smm", 1, 3430.5), ("cs4", 1, 551.0)]
    assert all(Path(file).stat().st_size > 1000 for file in found["files"])


def test_no_cell_of_the_comparison_is_cut(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _rated(monkeypatch)
    monkeypatch.setenv("COLUMNS", "60")
    assert cli.run(["ec", "compare", "cs4", "smm:npe=8"]) == 0
    out = capsys.readouterr().out
    for cell in ("smm npe=8 w=32 schedule=fast", "52481", "101649", "3,431", "551", "97.6"):
        assert cell in out


def test_a_target_without_a_clock_is_refused_before_any_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(EngineFlow, "synthesise", None)
    assert cli.run(["ec", "compare", "cs4", "--target", "xc7"]) == 2
    assert "xc7 is mapped only and gives no clock" in capsys.readouterr().err


def test_wires_are_refused_on_a_target_without_cells(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["ec", "compare", "cs4", "--target", "ecp5", "--wires", "none"]) == 2
    assert "--wires is only for ASIC targets, not for ecp5" in capsys.readouterr().err
