# SPDX-License-Identifier: Apache-2.0
"""A flipped register during a signature: no wrong signature is released."""

import hashlib
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ed448, ed25519
from ecc_tools import small_curve, small_engine
from faults import Bit, FaultyEngine, control_bits
from mutants import replaced

from montcore.cores import get_core
from montcore.ecc.curves import Family, get_curve
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import EngineRequest
from montcore.ecc.isa import EngineStatus
from montcore.ecc.keys import EcPrivateKey, EcPublicKey, EdwardsKey
from montcore.ecc.operations import EcUnit, nonces, number_of
from montcore.ecc.program import Operation
from montcore.support.errors import CheckFailedError

nightly = pytest.mark.nightly
ENGINE = "montcore_ecc_bench.u_ecc.u_engine"
PACKETS = "montcore_ecc_packets"


def packets_bits(sources: list[Path]) -> list[Bit]:
    """Return the flags and the state of the port's module."""
    (source,) = (path for path in sources if path.stem == PACKETS)
    return list(control_bits(source, f"{ENGINE}.u_packets"))


def silent(unit: FaultyEngine, bits: list[Bit], times: int) -> list[str]:
    """Return the bits whose flip made the engine release a wrong signature as a good one."""
    curve, item = small_curve(Family.ANY_A, 127), EngineRequest(Operation.SIGN, (100, 77), (99,))
    right = small_engine().single(curve, item)
    wrong = []
    for number, bit in enumerate(bits):
        unit.fault = number
        answers = unit.answers(curve, item, times)
        good = [(one.x, one.y) for one in answers if one.status is EngineStatus.OK]
        if any(pair != (right.x, right.y) for pair in good):
            wrong.append(str(bit))
    return wrong


@nightly  # every run has flips in the look-up, and none of them releases a wrong signature
def test_no_flipped_flag_or_state_of_the_port_releases_a_wrong_number(tmp_path: Path) -> None:
    """Neither starts the program over its own intermediates, nor answers with them."""
    design = small_engine().design
    bits = packets_bits(design.sources())
    assert len(bits) > 12
    unit = FaultyEngine(design, bits, 4974, tmp_path)
    assert silent(unit, bits, 6) == []


MUTANTS = {
    "the start is a state and a flag": (
        "assign start_o = state_q == StStart;",
        "logic started_q;\n"
        "  always_ff @(posedge clk_i) started_q <= rst_ni && !forget_i && state_q == StRun;\n"
        "  assign start_o = state_q == StRun && !started_q;",
        "started_q",
    ),
    "one bit makes an answer of the run": ("StRun      = 4'b1111", "StRun      = 4'b1110", "[3]"),
}


@nightly
@pytest.mark.parametrize("name", MUTANTS)
def test_such_a_flag_is_found(name: str, tmp_path: Path) -> None:
    old, new, found = MUTANTS[name]
    design = small_engine().design
    sources = replaced(tmp_path, design.sources(), PACKETS, (old, new))
    bits = packets_bits(sources)
    unit = FaultyEngine(design, bits, 4974, tmp_path, sources=sources)
    assert any(bit.endswith(found) for bit in silent(unit, bits, 6))


# ---- signatures of the tool --------------------------------------------------------------------

#: An engine for all three schemes, and what chooses an entry of its table: with another entry a
#: scalar product is a wrong point of the curve, with status OK.
WIDE = EngineDesign(get_core("smm").configure({"npe": "8"}, 448))
TABLE = f"{ENGINE}.u_table"
INDEX = [Bit(f"{TABLE}.index_q", index) for index in range(4)]
LOOKS = f"{TABLE}.reading_q && {TABLE}.entry_q == '0"
MESSAGE = b"a message"


def ecdsa(unit: EcUnit) -> tuple[object, object]:
    """Return a signature of the unit, and the right one."""
    curve = get_curve("secp112r1")
    n, d, hashed = curve.n, 0x1234567890ABCDEF, hashlib.sha256(MESSAGE).digest()
    point = curve.multiply(d, curve.base)
    k = next(nonces(d, hashed, n, "sha256"))
    x, _ = curve.multiply(k, curve.base) or (0, 0)
    s = pow(k, -1, n) * (number_of(hashed, n) + x * d) % n
    assert point is not None
    found = unit.sign(EcPrivateKey(EcPublicKey(curve, *point), d), hashed, "sha256")
    return found[:2], (x % n, s)


def edwards(unit: EcUnit, name: str) -> tuple[object, object]:
    """Return a signature of the unit, and the right one."""
    load = ed25519.Ed25519PrivateKey if name == "ed25519" else ed448.Ed448PrivateKey
    seed = bytes(range(32 if name == "ed25519" else 57))
    key = load.from_private_bytes(seed)
    own = EdwardsKey(name, seed, key.public_key().public_bytes_raw())
    return unit.sign_edwards(own, MESSAGE).signature, key.sign(MESSAGE)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> FaultyEngine:
    """An engine that looks up a wrong entry once in each operation with a secret."""
    return FaultyEngine(WIDE, INDEX, 20_000, tmp_path_factory.mktemp("faulty"), LOOKS)


@pytest.mark.parametrize(
    ("scheme", "faults"),
    [
        ("ecdsa", 1),
        ("ed25519", 1),
        *(pytest.param(*each, marks=nightly) for each in (("ecdsa", 60), ("ed25519", 20))),
        pytest.param("ed448", 8, marks=nightly),
    ],
)
def test_no_wrong_signature_is_released(scheme: str, faults: int, faulty: FaultyEngine) -> None:
    withheld = 0
    for number in range(faults):
        faulty.fault = number + 1
        unit = EcUnit(faulty)
        try:
            found, right = ecdsa(unit) if scheme == "ecdsa" else edwards(unit, scheme)
        except CheckFailedError as error:
            withheld += "does not verify" in str(error)
        else:
            assert found == right
    assert withheld > faults // 4
