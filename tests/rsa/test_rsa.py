# SPDX-License-Identifier: Apache-2.0
"""RSA by the simulated hardware, judged by the openssl program and by public vectors."""

import os
import random
import stat
from pathlib import Path

import pytest
from command_line import Tool
from cryptography.hazmat.primitives.asymmetric.rsa import rsa_recover_prime_factors
from programs import output_of, program
from rsa_tools import Modelled, Watched, small_exponentiator, small_key
from signature_vectors import read_rsa_signatures

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiator
from montcore.rsa import padding
from montcore.rsa.keys import PrivateKey, PublicKey
from montcore.rsa.operations import BLINDING_BITS, RsaUnit
from montcore.rsa.padding import Padding
from montcore_lab.benches.rsa import power_cycles

nightly = pytest.mark.nightly
#: With the built width of the key: 1024 bits as in rsa_tools.py.
BUILD = ("--core", "dsp", "--set", "alpha=6")
SIGN = ("rsa", "sign", "--core", "dsp", "--in")
BEGIN = "-----BEGIN PRIVATE KEY-----"


def rsa_unit(core: str = "dsp", *settings: str) -> RsaUnit:
    """Return a unit for keys of 2048 bits."""
    chosen = dict(item.split("=") for item in settings)
    design = ExponentiatorDesign(get_core(core).configure(chosen, 2048))
    return RsaUnit(Exponentiator(design), random.Random(7).randbytes)


def openssl(folder: Path, *words: str) -> str:
    return output_of("openssl", *words, cwd=folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with keys of 1024 and 2048 bits and a message."""
    path = tmp_path_factory.mktemp("rsa")
    for bits in (1024, 2048):
        openssl(path, "genrsa", "-out", f"key{bits}.pem", str(bits))
        openssl(path, "rsa", "-in", f"key{bits}.pem", "-pubout", "-out", f"public{bits}.pem")
    (path / "message").write_bytes(b"a message\n" * 50)
    return path


@nightly  # test_rsa_padding.py has both paddings, and test_rsa_keys.py the command, in every run
@pytest.mark.parametrize(("bits", "scheme"), [(1024, "pss"), (1024, "pkcs1"), (2048, "pkcs1")])
def test_openssl_accepts_our_signatures(folder: Path, tool: Tool, bits: int, scheme: str) -> None:
    files = ("--key", folder / f"key{bits}.pem", "--in", folder / "message")
    out = folder / f"signature-{bits}-{scheme}"
    content = tool.json("rsa", "sign", *files, *BUILD, "--scheme", scheme, "--out", out)
    assert content["operation"] == "sign" and content["cycles"] > 0
    options = ("-sigopt", f"rsa_padding_mode:{scheme}")
    judge = ("dgst", "-sha256", *options, "-verify", f"public{bits}.pem", "-signature", str(out))
    assert openssl(folder, *judge, "message") == "Verified OK\n"
    (folder / "other").write_bytes(b"another message")
    assert program("openssl", *judge, "other", cwd=folder).returncode != 0


@pytest.mark.parametrize("scheme", ["pkcs1", "pss"])
def test_signatures_of_openssl_are_accepted_and_forged_ones_are_not(
    folder: Path, tool: Tool, scheme: str
) -> None:
    mode, out = ("-sigopt", f"rsa_padding_mode:{scheme}"), f"theirs-{scheme}"
    openssl(folder, "dgst", "-sha384", *mode, "-sign", "key1024.pem", "-out", out, "message")
    files = ("--key", folder / "public1024.pem", "--signature", folder / out)
    request = ("rsa", "verify", *files, *BUILD, "--hash", "sha384", "--scheme", scheme, "--in")
    assert tool.json(*request, folder / "message")["valid"] is True
    (folder / "other").write_bytes(b"another message")
    assert tool.json(*request, folder / "other", status=1)["valid"] is False


def test_decrypts_what_openssl_encrypted(folder: Path, tool: Tool) -> None:
    (folder / "secret").write_bytes(b"forty-two")
    encrypt = ("pkeyutl", "-encrypt", "-pubin", "-inkey", "public1024.pem", "-in", "secret")
    openssl(folder, *encrypt, "-out", "cipher")
    request = ("rsa", "decrypt", "--key", folder / "key1024.pem", *BUILD, "--in")
    tool(*request, folder / "cipher", "--out", folder / "plain")
    assert (folder / "plain").read_bytes() == b"forty-two"
    assert stat.S_IMODE((folder / "plain").stat().st_mode) == 0o600
    cipher = bytearray((folder / "cipher").read_bytes())
    cipher[60] ^= 1
    (folder / "broken").write_bytes(bytes(cipher))
    # The kind of fault is not revealed: the output is a message of random bytes, the same each
    # time.
    outputs = []
    for name in ("once", "again"):
        tool(*request, folder / "broken", "--out", folder / name)
        outputs.append((folder / name).read_bytes())
    assert outputs[0] == outputs[1] != b"forty-two"


def generated(folder: Path, bits: int) -> list[tuple[PrivateKey, str, bytes, bytes]]:
    """Return key, hash, message and signature of each record of a set with private keys."""
    records = []
    for vector in read_rsa_signatures(folder / f"wycheproof-rsa-{bits}.txt"):
        assert vector.key.d is not None
        n, e, d = vector.key.n, vector.key.e, vector.key.d
        key = PrivateKey(n, e, d, *rsa_recover_prime_factors(n, e, d))
        records.append((key, vector.hash, vector.message, vector.signature))
    return records


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
    unit = rsa_unit(core, *settings)
    for key, hash_name, message, signature in records:
        assert unit.sign(key, message, Padding("pkcs1", hash_name)) == signature


@pytest.mark.parametrize("hardware", [False, pytest.param(True, marks=nightly)])
def test_public_verifications(vectors_dir: Path, hardware: bool) -> None:
    unit = rsa_unit() if hardware else RsaUnit(Modelled(2048), bytes)
    seen = set()
    for vector in read_rsa_signatures(vectors_dir / "wycheproof-rsa-verify-2048.txt"):
        key = PublicKey(vector.key.n, vector.key.e)
        valid = unit.verify(key, vector.message, vector.signature, Padding("pkcs1", "sha256"))
        if vector.verdict != "acceptable":
            assert valid == (vector.verdict == "valid"), vector.id
        seen.add(vector.verdict)
    assert {"valid", "invalid"} <= seen


def test_blinding_changes_what_the_hardware_sees_and_not_the_result(vectors_dir: Path) -> None:
    """And the hardware makes every product: of blinding, recombination and unblinding."""
    key, hash_name, message, signature = generated(vectors_dir, 1024)[0]
    hardware = Watched(small_exponentiator(1024))
    for seed in (1, 2):
        unit = RsaUnit(hardware, random.Random(seed).randbytes)
        assert unit.sign(key, message, Padding("pkcs1", hash_name)) == signature
    *others, last = hardware.products
    assert [product.modulus for product in (*others, last)] == [key.n] * 6
    assert last.x * last.y % key.n == int.from_bytes(signature, "big")
    secret = hardware.secrets(key.e)
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
def test_openssl_accepts_signatures_of_long_keys(tmp_path: Path, tool: Tool, bits: int) -> None:
    (tmp_path / "message").write_bytes(b"a message\n" * 50)
    openssl(tmp_path, "genrsa", "-out", "key.pem", str(bits))
    openssl(tmp_path, "rsa", "-in", "key.pem", "-pubout", "-out", "public")
    files = ("--key", tmp_path / "key.pem", "--in", tmp_path / "message")
    built = ("--core", "dsp", "--bits", str(bits), "--out", tmp_path / "signature")
    steps = tool.json("rsa", "sign", *files, *built)["steps"]
    judge = ("dgst", "-sha256", "-verify", "public", "-signature", "signature", "message")
    assert openssl(tmp_path, *judge) == "Verified OK\n"
    powers = steps["power modulo p"] + steps["power modulo q"]
    assert sum(steps.values()) - powers < 0.12 * powers


@pytest.mark.parametrize("blind", [True, False])
@pytest.mark.one_in(2)
def test_two_exponentiators_need_the_time_of_the_longer_power(blind: bool) -> None:
    key = small_key()
    value = 0x123456789
    tallies = []
    for rows in (1, 2):
        unit = RsaUnit(small_exponentiator(1024), os.urandom, rows=rows)
        assert unit.private(key, value, blind=blind) == pow(value, key.d, key.n)
        tallies.append(unit.steps)
    one, both = tallies
    assert both["powers modulo p and q"] == max(one["power modulo p"], one["power modulo q"])
    assert "power modulo p" not in both


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("missing.pem", None, "cannot be read"),
        ("broken.pem", f"{BEGIN}\nAAAA\n{BEGIN.replace('BEGIN', 'END')}\n", "holds no"),
        ("empty.pem", "", "holds no"),
    ],
)
def test_bad_keys_are_refused_in_one_sentence(
    folder: Path, tool: Tool, name: str, content: str | None, words: str
) -> None:
    if content is not None:
        (folder / name).write_text(content)
    tool.refuses(words, *SIGN, folder / "message", "--key", folder / name)


def test_encrypted_foreign_and_long_keys_are_refused(folder: Path, tool: Tool) -> None:
    made = ("-aes128", "-passout", "pass:x", "-out", "locked.pem")
    openssl(folder, "rsa", "-in", "key1024.pem", *made)
    sign = (*SIGN, folder / "message", "--key")
    locked = ("--passphrase-file", folder / "message")
    told = "cannot be decrypted with this passphrase"
    tool.refuses(told, *sign, folder / "locked.pem", *locked)
    curve = ("-pkeyopt", "ec_paramgen_curve:P-256")
    openssl(folder, "genpkey", "-algorithm", "EC", *curve, "-out", "ec.pem")
    tool.refuses("a key of EC, not one of RSA", *sign, folder / "ec.pem")
    long = (*sign, folder / "key1024.pem", "--bits", "512")
    tool.refuses("more than the 512 that were built", *long)


#: The build that test_rsa.py uses too.
REQUEST = ("maintain", "measure", "rsa", "--set", "core=dsp", "--set", "alpha=6", "--size")


def test_blinded_exponents_cost_the_squares_and_products_of_their_bits() -> None:
    hardware, key = small_exponentiator(1024), small_key()
    with_blinding, without = (
        power_cycles(hardware, key, 1, crt=True, blind=blind) for blind in (True, False)
    )
    share = BLINDING_BITS / (key.n.bit_length() // 2)
    assert 0.5 * share < with_blinding / without - 1 < share
    two_rows = power_cycles(hardware, key, 2, crt=True, blind=True)
    assert two_rows == pytest.approx(with_blinding / 2, rel=0.05)


def test_the_verb_prints_all_steps(tool: Tool) -> None:
    """The sums are those of the steps; in a series n is loaded already."""
    out = tool(*REQUEST, "1024", "--steps")
    rows = [line.split("│")[1:4] for line in out.splitlines() if "│" in line]
    figures = {name.strip(): [cell.strip() for cell in cells] for name, *cells in rows}
    counts = {
        name: [int(cell.replace(",", "") or 0) for cell in cells]
        for name, cells in figures.items()
        if name != "relative to the powers"
    }
    last = list(counts).index("all but the powers")
    steps = list(counts.values())[:last]
    powers = [name for name in counts if name.startswith("power")]
    assert len(steps) == 7 and len(powers) == 2
    for column in range(2):
        whole, secret = sum(each[column] for each in steps), sum(counts[p][column] for p in powers)
        assert counts["all"][column] == whole
        assert counts["all but the powers"][column] == whole - secret
        share = float(figures["relative to the powers"][column].split()[0])
        assert share == pytest.approx(100 * (whole - secret) / secret, abs=0.06)
    assert counts["blinding"][0] > counts["blinding"][1]
    assert tool.run(*REQUEST, "100").status == 2


@pytest.mark.nightly  # every run has the other table, and the figures in the test before it
def test_the_verb_prints_both_methods(tool: Tool) -> None:
    out = tool(*REQUEST, "1024")
    assert "CRT" in out and "one power" in out
