# SPDX-License-Identifier: Apache-2.0
"""The paddings of RSA, judged by the `cryptography` package both ways."""

import hashlib
import os
import random
from dataclasses import replace

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding as theirs
from rsa_tools import Modelled, key_pair, numbers_of, small_exponentiator, small_key

from montcore.rsa import padding
from montcore.rsa.operations import RsaUnit
from montcore.rsa.padding import Padding
from montcore.support.errors import CheckFailedError, RequestError

HASHES: dict[str, hashes.HashAlgorithm] = {
    name: getattr(hashes, name.upper())()
    for name in ("sha1", "sha224", "sha256", "sha384", "sha512")
}
BITS = 1088
MESSAGE = b"a message"


def unit() -> RsaUnit:
    return RsaUnit(Modelled(BITS), os.urandom)


def oaep(hash_name: str, mask_hash: str, label: bytes) -> theirs.OAEP:
    return theirs.OAEP(theirs.MGF1(HASHES[mask_hash]), HASHES[hash_name], label or None)


#: 1024 bits leave no room for OAEP with sha512.
OAEP_CASES = [
    ("sha1", "", b""),
    ("sha224", "sha1", b"x"),
    ("sha256", "", b"a label"),
    ("sha256", "sha512", b""),
    ("sha384", "", b"a label"),
]


@pytest.mark.parametrize(("hash_name", "mask_hash", "label"), OAEP_CASES)
def test_oaep_is_that_of_openssl_both_ways(hash_name: str, mask_hash: str, label: bytes) -> None:
    pair = key_pair()
    key, how = numbers_of(pair), Padding("oaep", hash_name, mask_hash, label)
    other = oaep(hash_name, mask_hash or hash_name, label)
    room = key.size - 2 * HASHES[hash_name].digest_size - 2
    for message in (b"", b"\x00", b"\x01" * (room - 1), os.urandom(room)):
        assert pair.decrypt(unit().encrypt(key, message, how), other) == message
        assert unit().decrypt(key, pair.public_key().encrypt(message, other), how) == message
    with pytest.raises(RequestError, match=f"at most {room}$"):
        unit().encrypt(key, bytes(room + 1), how)


def masked(content: bytes, seed: bytes) -> bytes:
    """Apply the mask of MGF1 with sha256, which is its own inverse."""
    counters = range(len(content) // 32 + 1)
    mask = b"".join(hashlib.sha256(seed + n.to_bytes(4, "big")).digest() for n in counters)
    return bytes(a ^ b for a, b in zip(content, mask, strict=False))


def test_oaep_has_one_sentence_for_whatever_is_wrong() -> None:
    key = numbers_of(key_pair())
    how = Padding("oaep", label=b"label")
    good = padding.oaep_pad(MESSAGE, key.size, how, os.urandom)
    assert padding.oaep_unpad(good, how) == MESSAGE
    seed, block = good[1:33], good[33:]
    seed = masked(seed, block)

    def packed(content: bytes, first: int = 0) -> bytes:
        hidden = masked(content, seed)
        return bytes([first]) + masked(seed, hidden) + hidden

    opened = masked(block, seed)
    assert packed(opened) == good
    mark = opened.index(1, 32)
    wrong = [packed(opened, first=1), bytes(key.size), good[:-1] + bytes([good[-1] ^ 1])]
    for at, value in ((0, opened[0] ^ 1), (31, opened[31] ^ 1), (mark, 2), (40, 3)):
        changed = bytearray(opened)
        changed[at] = value
        wrong.append(packed(bytes(changed)))
    wrong.append(packed(opened[:32] + bytes(len(opened) - 32)))  # no mark at all
    sentences = set()
    for encoded in wrong:
        with pytest.raises(CheckFailedError) as error:
            padding.oaep_unpad(encoded, how)
        sentences.add(str(error.value))
    with pytest.raises(CheckFailedError) as error:
        padding.oaep_unpad(good, replace(how, label=b"other"))
    assert {str(error.value)} == sentences


@pytest.mark.parametrize("hash_name", HASHES)
@pytest.mark.parametrize("mask_hash", ["", "sha1"])
def test_pss_is_that_of_openssl_both_ways(hash_name: str, mask_hash: str) -> None:
    pair = key_pair()
    key, algorithm = numbers_of(pair), HASHES[hash_name]
    other = theirs.PSS(theirs.MGF1(HASHES[mask_hash or hash_name]), theirs.PSS.AUTO)
    if 2 * algorithm.digest_size + 2 > key.size:
        with pytest.raises(RequestError, match="too short for sha512 with PSS"):
            unit().sign(key, MESSAGE, Padding("pss", hash_name, mask_hash))
    else:
        signature = unit().sign(key, MESSAGE, Padding("pss", hash_name, mask_hash))
        pair.public_key().verify(signature, MESSAGE, other, algorithm)
        with pytest.raises(InvalidSignature):
            pair.public_key().verify(signature, MESSAGE + b".", other, algorithm)
    for salt in (0, 7, key.size - algorithm.digest_size - 2):
        scheme = theirs.PSS(theirs.MGF1(HASHES[mask_hash or hash_name]), salt)
        signature = pair.sign(MESSAGE, scheme, algorithm)
        for message, valid in ((MESSAGE, True), (MESSAGE + b".", False)):
            found = unit().verify(key, message, signature, Padding("pss", hash_name, mask_hash))
            assert found is valid


@pytest.mark.parametrize("hash_name", HASHES)
def test_pkcs1_signatures_are_those_of_openssl(hash_name: str) -> None:
    pair = key_pair()
    signature = pair.sign(MESSAGE, theirs.PKCS1v15(), HASHES[hash_name])
    assert unit().sign(numbers_of(pair), MESSAGE, Padding("pkcs1", hash_name)) == signature


def test_pkcs1_encryption_is_that_of_openssl_both_ways() -> None:
    pair, other = key_pair(), theirs.PKCS1v15()
    key = numbers_of(pair)
    for message in (b"", b"\x00\x00", os.urandom(key.size - 11)):
        for _ in range(8):
            assert pair.decrypt(unit().encrypt(key, message, Padding()), other) == message
            assert unit().decrypt(key, pair.public_key().encrypt(message, other)) == message
    with pytest.raises(
        RequestError, match="118 bytes; with this key and scheme it has at most 117"
    ):
        unit().encrypt(key, bytes(118), Padding())


@pytest.mark.parametrize("bits", [1024, 1032, 1536])
def test_bad_pkcs1_paddings_give_the_message_that_openssl_gives(bits: int) -> None:
    """Implicit rejection: the same synthetic message for the same key and ciphertext."""
    pair = key_pair(bits)
    key = numbers_of(pair)
    size = key.size
    rng = random.Random(bits)
    fill = bytes(rng.randrange(1, 256) for _ in range(size))
    encoded = [
        bytes(size),
        b"\x00\x02" + fill[:7] + b"\x00" + fill[10:],  # a separator too early
        b"\x00\x02" + fill[:8] + b"\x00" + fill[11:],  # just late enough: a good one
        b"\x00\x01" + fill[:8] + b"\x00" + fill[11:],
        b"\x01\x02" + fill[:8] + b"\x00" + fill[11:],
        b"\x00\x02" + fill[2:],  # no separator
        b"\x00\x02" + fill[3:] + b"\x00",  # an empty message: a good one
        *(b"\x00" + rng.randbytes(size - 1) for _ in range(40)),
    ]
    lengths = set()
    for content in encoded:
        data = pow(int.from_bytes(content, "big") % key.n, key.e, key.n).to_bytes(size, "big")
        found = RsaUnit(Modelled(1600), os.urandom).decrypt(key, data)
        assert found == pair.decrypt(data, theirs.PKCS1v15()), content.hex()
        lengths.add(len(found))
    assert len(lengths) > 20


def test_a_bad_padding_does_nothing_else_than_a_good_one() -> None:
    """Same steps, same cycles of the hardware, and no error."""
    key = small_key()
    good = unit().encrypt(key, MESSAGE, Padding())
    bad = good[:-1] + bytes([good[-1] ^ 1])
    tallies = []
    for data in (good, bad):
        runs = RsaUnit(small_exponentiator(1024), os.urandom)
        message = runs.decrypt(key, data)
        assert (message == MESSAGE) is (data == good)
        tallies.append(runs.steps)
    assert tallies[0] == tallies[1]


def test_digest_of_a_message_stands_for_the_message() -> None:
    key = numbers_of(key_pair())
    digest = hashes.Hash(hashes.SHA256())
    digest.update(MESSAGE)
    how = Padding("pkcs1", "sha256")
    whole = unit().sign(key, MESSAGE, how)
    assert unit().sign(key, padding.Digested(digest.finalize()), how) == whole
