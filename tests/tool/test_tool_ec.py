# SPDX-License-Identifier: Apache-2.0
"""The verbs of elliptic curves: files that OpenSSL writes and reads, JSON, refusals."""

import json
import stat
from pathlib import Path

import pytest
from command_line import Tool
from needs import require
from programs import output_of

from montcore.compare import curves as rated
from montcore.ecc.synthesis import EngineFlow
from montcore.synth.result import SynthResult

OVER = ["--set", "npe=8"]


def openssl(*words: str) -> None:
    output_of("openssl", *words)


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


def test_signatures_go_to_openssl_and_come_from_it(files: Path, tool: Tool) -> None:
    key, public, message = (str(files / name) for name in ("p256.pem", "p256.pub", "message"))
    ours, theirs = str(files / "ours"), str(files / "theirs")
    request = ("ecdsa", "sign", "--key", key, "--in", message, "--out", ours, *OVER)
    content = tool.json(*request)
    assert bytes.fromhex(content["signature"]) == Path(ours).read_bytes()
    # The verification, too.
    assert 140_000 < content["cycles"] < 165_000
    openssl("dgst", "-sha256", "-verify", public, "-signature", ours, message)
    openssl("dgst", "-sha256", "-sign", key, "-out", theirs, message)
    verify = ("ecdsa", "verify", "--key", public, "--signature", theirs, *OVER, "--in")
    assert tool.json(*verify, message)["valid"] is True
    status, out, err = tool.run(*verify, key, "--json")
    assert (status, json.loads(out)["valid"]) == (1, False)
    assert err.endswith("montcore: the signature is wrong\n")
    shared = files / "shared"
    shared.touch(mode=0o644)
    words = ("--key", key, "--peer", public, "--out", str(shared))
    content = tool.json("ecdh", *words, *OVER)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o600
    secret = str(files / "secret")
    openssl("pkeyutl", "-derive", "-inkey", key, "-peerkey", public, "-out", secret)
    assert content["secret"] == Path(secret).read_bytes().hex() == shared.read_bytes().hex()


def test_edwards_signatures_go_to_openssl_and_come_from_it(files: Path, tool: Tool) -> None:
    key, public, message = (str(files / name) for name in ("ed.pem", "ed.pub", "message"))
    ours = str(files / "ours")
    over = (*OVER, "--bits", "256")
    tool("ed25519", "sign", "--key", key, "--in", message, "--out", ours, *over)
    raw = ("-pubin", "-inkey", public, "-rawin", "-in", message, "-sigfile", ours)
    openssl("pkeyutl", "-verify", *raw)
    verify = ("ed25519", "verify", "--key", public, "--signature", ours, *over, "--in")
    assert tool.json(*verify, message)["valid"] is True


def test_points_are_multiplied(tool: Tool) -> None:
    request = ("ec", "mul", "smm", "--curve", "P-256", *OVER, "--scalar")
    content = tool.json(*request, "2")
    assert list(content) == ["x", "y", "cycles", "products"]
    assert content["x"].startswith("0x7cf27b188d034f7e8a52380304b51ac3")
    double = f"{content['x']},{content['y']}"
    found = tool.json(*request, "3", "--point", double)["x"]
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
    tool: Tool, words: tuple[str, ...], sentence: str
) -> None:
    tool.refuses(sentence, "ec", "mul", "smm", "--curve", "P-256", *OVER, *words)


def test_bad_keys_and_requests_are_one_sentence(files: Path, tool: Tool) -> None:
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
        tool.refuses(sentence, *words)


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
    files: Path, tool: Tool, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(files)
    for core in (("coral",), ("--core", "coral"), ("coral", "--core", "coral")):
        tool.refuses("there is no core 'coral'", *words, *core)
    tool.refuses("CORE is cs, but --core is rc\n", *words, "cs", "--core", "rc")


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
    monkeypatch: pytest.MonkeyPatch, tool: Tool, tmp_path: Path
) -> None:
    _rated(monkeypatch)
    engines = ("cs4", "smm:npe=8", "smm:npe=8,contexts=3")
    found = tool.json("ec", "compare", *engines, "-o", tmp_path / "rates")
    rates = [(row["core"], row["contexts"], row["signatures_per_s"]) for row in found["engines"]]
    assert rates == [("smm", 3, 10292.0), ("smm", 1, 3430.5), ("cs4", 1, 551.0)]
    assert all(Path(file).stat().st_size > 1000 for file in found["files"])


def test_no_cell_of_the_comparison_is_cut(monkeypatch: pytest.MonkeyPatch, tool: Tool) -> None:
    _rated(monkeypatch)
    monkeypatch.setenv("COLUMNS", "60")
    out = tool("ec", "compare", "cs4", "smm:npe=8")
    for cell in ("smm npe=8 w=32 schedule=fast", "52481", "101649", "3,431", "551", "97.6"):
        assert cell in out


def test_a_target_without_a_clock_is_refused_before_any_work(
    monkeypatch: pytest.MonkeyPatch, tool: Tool
) -> None:
    monkeypatch.setattr(EngineFlow, "synthesise", None)
    words = ("ec", "compare", "cs4", "--target")
    tool.refuses("xc7 is mapped only and gives no clock", *words, "xc7")
    tool.refuses(
        "--wires is only for ASIC targets, not for ecp5", *words, "ecp5", "--wires", "none"
    )
