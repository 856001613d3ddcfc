# SPDX-License-Identifier: Apache-2.0
"""What an RSA key may be used for (RFC 4055), which the `cryptography` package leaves out."""

import base64
import hashlib
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC

from montcore.rsa.padding import Padding
from montcore.support.errors import RequestError

_INTEGER, _BITS, _BYTES, _SEQUENCE = 0x02, 0x03, 0x04, 0x30
_PSS = bytes.fromhex("2a864886f70d01010a")
_MGF1 = bytes.fromhex("2a864886f70d010108")
_HASHES = {
    bytes.fromhex(code): name
    for code, name in (
        ("2b0e03021a", "sha1"),
        ("608648016503040204", "sha224"),
        ("608648016503040201", "sha256"),
        ("608648016503040202", "sha384"),
        ("608648016503040203", "sha512"),
    )
}
_PBES2 = bytes.fromhex("2a864886f70d01050d")
_PBKDF2 = bytes.fromhex("2a864886f70d01050c")
_SCRYPT = bytes.fromhex("2b06010401da47040b")
_HMACS = {
    bytes.fromhex("2a864886f70d02") + bytes([7 + number]): name
    for number, name in enumerate(("sha1", "sha224", "sha256", "sha384", "sha512"))
}
_AES = {
    bytes.fromhex(f"6086480165030401{last}"): size
    for last, size in (("02", 16), ("16", 24), ("2a", 32))
}
_SCRYPT_MEMORY = 1 << 30


@dataclass(frozen=True)
class Uses:
    """What a key may be used for.

    Attributes:
        pss: whether only for signatures by PSS; the rest is for these.
        hash_name: hash of the message; any if empty.
        mask_hash: hash of MGF1; any if empty.
        salt: fewest bytes of the salt.
    """

    pss: bool = False
    hash_name: str = ""
    mask_hash: str = ""
    salt: int = 0

    def check_signature(self, how: Padding) -> None:
        """Refuse a scheme, or its hashes, that the key does not permit."""
        if self.pss and how.scheme != "pss":
            raise RequestError("the key is for signatures by PSS only (--scheme pss)")
        for what, permitted, used in (
            ("messages", self.hash_name, how.hash_name),
            ("masks", self.mask_hash, how.mask),
        ):
            if permitted and used != permitted:
                raise RequestError(f"the key is for {what} hashed by {permitted} only, not {used}")

    def check_encryption(self) -> None:
        """Refuse encryption if the key is for signatures."""
        if self.pss:
            raise RequestError("the key is for signatures by PSS only, not for encryption")


def permitted_uses(data: bytes, passphrase: bytes) -> Uses:
    """Return what a key may be used for.

    Args:
        data: a file that the `cryptography` package reads: a key or a certificate, PEM or DER.
    """
    der = _der(data)
    try:
        algorithm = _algorithm(der, passphrase)
        return _pss(algorithm) if algorithm and algorithm[0][1] == _PSS else Uses()
    except (IndexError, KeyError, ValueError):
        raise RequestError(
            "what the key may be used for cannot be read: it is encrypted otherwise than by AES "
            "(openssl pkcs8 -topk8), or its restrictions are not those of RFC 4055"
        ) from None


def _der(data: bytes) -> bytes:
    """Return the DER of a file; nothing for a form of PEM that has no algorithm in it."""
    begin = data.find(b"-----BEGIN ")
    if begin < 0:
        return data
    label, _, rest = data[begin + 11 :].partition(b"-----")
    return b"" if label.startswith(b"RSA ") else base64.b64decode(rest.partition(b"-----")[0])


def _elements(data: bytes, limit: int = 100) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    while data and len(found) < limit:
        length, start = data[1], 2
        if length & 0x80:
            start += length & 0x7F
            length = int.from_bytes(data[2:start], "big")
        found.append((data[0], data[start : start + length]))
        data = data[start + length :]
    return found


def _algorithm(der: bytes, passphrase: bytes) -> list[tuple[int, bytes]]:
    if not der:
        return []
    parts = _elements(_elements(der, 1)[0][1])
    tags = [tag for tag, _ in parts]
    if tags[:2] == [_SEQUENCE, _SEQUENCE]:  # a certificate
        fields = _elements(parts[0][1])
        return _elements(_elements(fields[6 if fields[0][0] == 0xA0 else 5][1])[0][1])
    if tags == [_SEQUENCE, _BYTES]:
        return _algorithm(_decrypted(parts[0][1], parts[1][1], passphrase), b"")
    if tags == [_SEQUENCE, _BITS]:
        return _elements(parts[0][1])
    if tags[:3] == [_INTEGER, _SEQUENCE, _BYTES]:
        return _elements(parts[1][1])
    return []  # PKCS #1


def _pss(algorithm: list[tuple[int, bytes]]) -> Uses:
    if len(algorithm) == 1:
        return Uses(pss=True)
    fields = dict(_elements(algorithm[1][1]))
    hash_name = mask_hash = "sha1"
    if 0xA0 in fields:
        hash_name = _HASHES[_elements(_elements(fields[0xA0])[0][1])[0][1]]
    if 0xA1 in fields:
        mask = _elements(_elements(fields[0xA1])[0][1])
        if mask[0][1] != _MGF1:
            raise ValueError("another mask than MGF1")
        mask_hash = _HASHES[_elements(mask[1][1])[0][1]]
    salt = int.from_bytes(_elements(fields[0xA2])[0][1], "big") if 0xA2 in fields else 20
    return Uses(True, hash_name, mask_hash, salt)


def _decrypted(scheme: bytes, content: bytes, passphrase: bytes) -> bytes:
    """Return the key in an encrypted one (PBES2 of RFC 8018, with AES)."""
    (_, kind), (_, parameters) = _elements(scheme)
    if kind != _PBES2:
        raise ValueError("another encryption than PBES2")
    derivation, cipher = (_elements(part) for _, part in _elements(parameters))
    size = _AES[cipher[0][1]]
    (_, salt), *rest = _elements(derivation[1][1])
    numbers = [int.from_bytes(part, "big") for tag, part in rest if tag == _INTEGER]
    if derivation[0][1] == _SCRYPT:
        n, r, p = numbers[:3]
        key = hashlib.scrypt(
            passphrase, salt=salt, n=n, r=r, p=p, maxmem=_SCRYPT_MEMORY, dklen=size
        )
    elif derivation[0][1] == _PBKDF2:
        names = [_elements(part)[0][1] for tag, part in rest if tag == _SEQUENCE]
        name = _HMACS[names[0]] if names else "sha1"
        key = hashlib.pbkdf2_hmac(name, passphrase, salt, numbers[0], size)
    else:
        raise ValueError("another derivation than PBKDF2 and scrypt")
    decryptor = Cipher(AES(key), CBC(cipher[1][1])).decryptor()
    return decryptor.update(content) + decryptor.finalize()
