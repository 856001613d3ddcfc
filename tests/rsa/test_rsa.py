# SPDX-License-Identifier: Apache-2.0
"""RSA by the simulated hardware, judged by the openssl program and by public vectors."""

import json
import os
import random
import shutil
import stat
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import rsa_recover_prime_factors
from rsa_tools import small_exponentiator, small_key
from signature_vectors import read_rsa_signatures

from montcore.cli import main as cli
from montcore.cores import all_cores, get_core
from montcore.cores.core import Core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import (
    Exponentiation,
    Exponentiator,
    ModularProduct,
    Policy,
    Power,
)
from montcore.rsa import padding
from montcore.rsa.keys import PrivateKey, PublicKey
from montcore.rsa.operations import RsaUnit
from montcore.rsa.padding import Padding
from montcore.support.errors import CheckFailedError, RequestError

nightly = pytest.mark.nightly
TIMEOUT = 60
#: One build for every key here; 2048 bits are also what test_modexp.py builds.
BUILD = ["--core", "dsp", "--bits", "2048"]


@cache
def exponentiator(
    core: str = "dsp", bits: int = 2048, settings: tuple[str, ...] = ()
) -> Exponentiator:
    found = get_core(core)
    chosen = dict(item.split("=") for item in settings)
    return Exponentiator(ExponentiatorDesign(found.configure(chosen, bits)))


def rsa_unit(core: str = "dsp", bits: int = 2048, settings: tuple[str, ...] = ()) -> RsaUnit:
    return RsaUnit(exponentiator(core, bits, settings), random.Random(7).randbytes)


def openssl(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("openssl")
    assert program is not None, "the openssl program is missing"
    return subprocess.run(
        [program, *arguments], cwd=folder, capture_output=True, text=True, timeout=TIMEOUT
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with keys of 1024 and 2048 bits and a message."""
    path = tmp_path_factory.mktemp("rsa")
    for bits in (1024, 2048):
        assert openssl(path, "genrsa", "-out", f"key{bits}.pem", str(bits)).returncode == 0
        key = ("rsa", "-in", f"key{bits}.pem", "-pubout", "-out", f"public{bits}.pem")
        assert openssl(path, *key).returncode == 0
    (path / "message").write_bytes(b"a message\n" * 50)
    return path


def run_json(capsys: pytest.CaptureFixture[str], arguments: Sequence[str]) -> dict[str, Any]:
    assert cli.run([*arguments, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert isinstance(content, dict)
    return content


@pytest.mark.parametrize(("bits", "scheme"), [(1024, "pkcs1"), (1024, "pss"), (2048, "pkcs1")])
def test_openssl_accepts_our_signatures(
    folder: Path, capsys: pytest.CaptureFixture[str], bits: int, scheme: str
) -> None:
    files = ["--key", str(folder / f"key{bits}.pem"), "--in", str(folder / "message")]
    out = folder / f"signature-{bits}-{scheme}"
    request = ["rsa", "sign", *files, *BUILD, "--scheme", scheme, "--out", str(out)]
    content = run_json(capsys, request)
    assert content["operation"] == "sign" and content["cycles"] > 0
    options = ["-sigopt", f"rsa_padding_mode:{'pss' if scheme == 'pss' else 'pkcs1'}"]
    judge = ["dgst", "-sha256", *options, "-verify", f"public{bits}.pem", "-signature", str(out)]
    assert openssl(folder, *judge, "message").stdout.strip() == "Verified OK"
    (folder / "other").write_bytes(b"another message")
    assert openssl(folder, *judge, "other").returncode != 0


@pytest.mark.parametrize("scheme", ["pkcs1", "pss"])
def test_signatures_of_openssl_are_accepted_and_forged_ones_are_not(
    folder: Path, capsys: pytest.CaptureFixture[str], scheme: str
) -> None:
    mode = ["-sigopt", f"rsa_padding_mode:{scheme}"]
    sign = ["dgst", "-sha384", *mode, "-sign", "key1024.pem", "-out", f"theirs-{scheme}", "message"]
    assert openssl(folder, *sign).returncode == 0
    request = ["rsa", "verify", "--key", str(folder / "public1024.pem"), *BUILD, "--hash", "sha384"]
    request += ["--scheme", scheme, "--signature", str(folder / f"theirs-{scheme}"), "--in"]
    assert run_json(capsys, [*request, str(folder / "message")])["valid"] is True
    (folder / "other").write_bytes(b"another message")
    assert cli.run([*request, str(folder / "other"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["valid"] is False


def test_decrypts_what_openssl_encrypted(folder: Path) -> None:
    (folder / "secret").write_bytes(b"forty-two")
    encrypt = ["pkeyutl", "-encrypt", "-pubin", "-inkey", "public1024.pem", "-in", "secret"]
    assert openssl(folder, *encrypt, "-out", "cipher").returncode == 0
    request = ["rsa", "decrypt", "--key", str(folder / "key1024.pem"), *BUILD, "--in"]
    assert cli.run([*request, str(folder / "cipher"), "--out", str(folder / "plain")]) == 0
    assert (folder / "plain").read_bytes() == b"forty-two"
    assert stat.S_IMODE((folder / "plain").stat().st_mode) == 0o600
    cipher = bytearray((folder / "cipher").read_bytes())
    cipher[60] ^= 1
    (folder / "broken").write_bytes(bytes(cipher))
    # The kind of fault is not revealed: the output is a message of random bytes, the same each
    # time.
    outputs = []
    for name in ("once", "again"):
        assert cli.run([*request, str(folder / "broken"), "--out", str(folder / name)]) == 0
        outputs.append((folder / name).read_bytes())
    assert outputs[0] == outputs[1] != b"forty-two"


def other_cores() -> list[Any]:
    """Return the other cores that can be built for 1024 bits with a bus wide enough."""
    found = []
    for core in all_cores().values():
        try:
            point = core.points(1024)[0]
        except (RequestError, ValueError, IndexError):
            continue
        if core.name != "dsp" and point.bus_width >= 16:
            found.append(pytest.param(point, id=core.name))
    return found


@nightly
@pytest.mark.parametrize("core", other_cores())
def test_other_cores_sign_with_a_short_key(core: Core, vectors_dir: Path) -> None:
    unit = RsaUnit(Exponentiator(ExponentiatorDesign(core)), random.Random(7).randbytes)
    key, hash_name, message, signature = generated(vectors_dir, 1024)[0]
    assert unit.sign(key, message, Padding("pkcs1", hash_name)) == signature


def generated(folder: Path, bits: int) -> list[tuple[PrivateKey, str, bytes, bytes]]:
    """Return key, hash, message and signature of each record of a set with private keys."""
    records = []
    for vector in read_rsa_signatures(folder / f"wycheproof-rsa-{bits}.txt"):
        assert vector.key.d is not None
        n, e, d = vector.key.n, vector.key.e, vector.key.d
        key = PrivateKey(n, e, d, *rsa_recover_prime_factors(n, e, d))
        records.append((key, vector.hash, vector.message, vector.signature))
    return records


@pytest.mark.parametrize(("bits", "count"), [(1024, 2), (2048, 1)])
@pytest.mark.one_in(2)
def test_sample_of_public_private_operations(bits: int, count: int, vectors_dir: Path) -> None:
    for key, hash_name, message, signature in generated(vectors_dir, bits)[-count:]:
        for crt in (True, False):
            unit = rsa_unit()
            assert unit.sign(key, message, Padding("pkcs1", hash_name), crt=crt) == signature


@nightly
@pytest.mark.parametrize(
    ("core", "settings"), [("dsp", ()), ("smm", ("npe=8", "w=32"))], ids=["dsp", "smm"]
)
@pytest.mark.parametrize("bits", [1024, 2048])
def test_all_public_private_operations(
    core: str, settings: tuple[str, ...], bits: int, vectors_dir: Path
) -> None:
    records = generated(vectors_dir, bits)
    assert len(records) > 30
    for key, hash_name, message, signature in records:
        unit = rsa_unit(core, 2048, settings)
        assert unit.sign(key, message, Padding("pkcs1", hash_name)) == signature


def check_verification(folder: Path, every: int) -> None:
    seen = set()
    vectors = read_rsa_signatures(folder / "wycheproof-rsa-verify-2048.txt")
    for number, vector in enumerate(vectors, start=1):
        if number % every and number > 4:
            continue
        key = PublicKey(vector.key.n, vector.key.e)
        valid = rsa_unit().verify(key, vector.message, vector.signature, Padding("pkcs1", "sha256"))
        if vector.verdict != "acceptable":
            assert valid == (vector.verdict == "valid"), vector.id
        seen.add(vector.verdict)
    assert {"valid", "invalid"} <= seen


def test_sample_of_public_verifications(vectors_dir: Path) -> None:
    check_verification(vectors_dir, 9)


@nightly
def test_all_public_verifications(vectors_dir: Path) -> None:
    check_verification(vectors_dir, 1)


class Faulty(Exponentiator):
    """An exponentiator that flips a bit of one of the two halves, as a fault attack does."""

    def power(self, power: Power, policy: Policy = Policy.CONSTANT) -> Exponentiation:
        outcome = super().power(power, policy)
        if policy is Policy.CONSTANT and outcome.result is not None:
            return Exponentiation(outcome.result ^ 4, 0, outcome.cycles, outcome.setup_cycles, 0)
        return outcome


def test_faulty_result_is_withheld(vectors_dir: Path) -> None:
    """One faulty half of a CRT signature would reveal the factors of n."""
    key, hash_name, message, signature = generated(vectors_dir, 1024)[0]
    unit = RsaUnit(Faulty(exponentiator().design), os.urandom)
    with pytest.raises(CheckFailedError, match="withheld") as error:
        unit.sign(key, message, Padding("pkcs1", hash_name))
    assert signature.hex()[:16] not in str(error.value)


def test_every_product_of_a_private_operation_is_made_by_the_hardware(vectors_dir: Path) -> None:
    """Blinding, recombination, unblinding: a fault in any of them is found before release."""
    key, hash_name, message, signature = generated(vectors_dir, 1024)[0]
    wanted = int.from_bytes(signature, "big")

    class Counted(Exponentiator):
        def __init__(self, wrong: int) -> None:
            super().__init__(exponentiator().design)
            self.wrong, self.seen = wrong, list[ModularProduct]()

        def product(self, product: ModularProduct) -> Exponentiation:
            self.seen.append(product)
            found = super().product(product)
            if len(self.seen) != self.wrong or found.result is None:
                return found
            return replace(found, result=found.result ^ 2)

    good = Counted(0)
    unit = RsaUnit(good, random.Random(7).randbytes)
    assert unit.sign(key, message, Padding("pkcs1", hash_name)) == signature
    assert [product.modulus for product in good.seen] == [key.n] * 3
    assert good.seen[-1].x * good.seen[-1].y % key.n == wanted
    for wrong in (2, 3):
        unit = RsaUnit(Counted(wrong), random.Random(7).randbytes)
        with pytest.raises(CheckFailedError, match="withheld"):
            unit.sign(key, message, Padding("pkcs1", hash_name))


def test_blinding_changes_what_the_hardware_sees_and_not_the_result(vectors_dir: Path) -> None:
    key, hash_name, message, signature = generated(vectors_dir, 1024)[0]
    seen: list[Power] = []

    class Watched(Exponentiator):
        def power(self, power: Power, policy: Policy = Policy.CONSTANT) -> Exponentiation:
            seen.append(power)
            return super().power(power, policy)

    for seed in (1, 2):
        unit = RsaUnit(Watched(exponentiator().design), random.Random(seed).randbytes)
        assert unit.sign(key, message, Padding("pkcs1", hash_name)) == signature
    secret = [power for power in seen if power.exponent != key.e]
    assert len(secret) == 4
    assert len({power.exponent for power in secret}) == len({power.base for power in secret}) == 4


@pytest.mark.parametrize(("blind", "limit"), [(True, 690_000), (False, 650_000)])
@pytest.mark.one_in(2)
@pytest.mark.nightly  # the signatures above are of 1024 bits
def test_crt_of_2048_bits_takes_less_than_700000_cycles(
    vectors_dir: Path, blind: bool, limit: int
) -> None:
    """Two powers of 1024 bits with set-up, in cycles of clk1x: half of the block clock's."""
    records = generated(vectors_dir, 2048)
    # One key of the file has factors of very different lengths on purpose.
    key, hash_name, message, _ = next(
        record for record in records if record[0].p.bit_length() == record[0].q.bit_length()
    )
    value = int.from_bytes(padding.pkcs1_encode(message, key.size, hash_name), "big")
    unit = rsa_unit()
    assert unit.private(key, value, blind=blind) == pow(value, key.d, key.n)
    steps = unit.steps
    powers = steps["power modulo p"] + steps["power modulo q"]
    assert powers / 2 < limit
    # Blinding, recombination and check, with the two set-ups of n.
    assert unit.cycles - powers < 0.12 * powers
    # A product of the hardware recombines the halves; the modulus n is set up again for this.
    assert 0 < steps["recombination"] / 2 < 40_000


@nightly
@pytest.mark.parametrize("bits", [3072, 4096])
def test_openssl_accepts_signatures_of_long_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], bits: int
) -> None:
    (tmp_path / "message").write_bytes(b"a message\n" * 50)
    assert openssl(tmp_path, "genrsa", "-out", "key.pem", str(bits)).returncode == 0
    assert openssl(tmp_path, "rsa", "-in", "key.pem", "-pubout", "-out", "public").returncode == 0
    files = ["--key", str(tmp_path / "key.pem"), "--in", str(tmp_path / "message")]
    built = ["--core", "dsp", "--bits", str(bits), "--out", str(tmp_path / "signature")]
    steps = run_json(capsys, ["rsa", "sign", *files, *built])["steps"]
    judge = ["dgst", "-sha256", "-verify", "public", "-signature", "signature", "message"]
    assert openssl(tmp_path, *judge).stdout.strip() == "Verified OK"
    powers = steps["power modulo p"] + steps["power modulo q"]
    assert sum(steps.values()) - powers < 0.12 * powers
    with capsys.disabled():
        print(f"\n{bits} bits: {powers // 2} cycles of clk1x for the powers, steps {steps}")


@pytest.mark.parametrize("blind", [True, False])
def test_two_exponentiators_need_the_time_of_the_longer_power(blind: bool) -> None:
    key = small_key()
    value = 0x123456789
    tallies = []
    for rows in (1, 2):
        unit = RsaUnit(small_exponentiator(256), os.urandom, rows=rows)
        assert unit.private(key, value, blind=blind) == pow(value, key.d, key.n)
        tallies.append(unit.steps)
    one, both = tallies
    assert both["powers modulo p and q"] == max(one["power modulo p"], one["power modulo q"])
    assert "power modulo p" not in both


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("missing.pem", None, "cannot be read"),
        (
            "broken.pem",
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
            "holds no",
        ),
        ("empty.pem", "", "holds no"),
    ],
)
def test_bad_keys_are_refused_in_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, content: str | None, words: str
) -> None:
    if content is not None:
        (folder / name).write_text(content)
    refused(folder, capsys, name, words)


def test_encrypted_and_foreign_keys_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = ["rsa", "-in", "key1024.pem", "-aes128", "-passout", "pass:x", "-out", "locked.pem"]
    assert openssl(folder, *made).returncode == 0
    locked = ["--passphrase-file", str(folder / "message")]
    refused(folder, capsys, "locked.pem", "cannot be decrypted with this passphrase", *locked)
    made = ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "ec.pem"]
    assert openssl(folder, *made).returncode == 0
    refused(folder, capsys, "ec.pem", "another kind than RSA")


def test_key_longer_than_the_build_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused(folder, capsys, "key1024.pem", "more than the 512 that were built", "--bits", "512")


def refused(
    folder: Path, capsys: pytest.CaptureFixture[str], key: str, words: str, *options: str
) -> None:
    files = ["--key", str(folder / key), "--in", str(folder / "message")]
    assert cli.run(["rsa", "sign", *files, "--core", "dsp", *options]) == 2
    out, err = capsys.readouterr()
    assert out == "" and words in err
    assert len(err.strip().splitlines()) == 1
