# SPDX-License-Identifier: Apache-2.0
"""Keys that a server locks in its accelerator: the register writes, and their public parts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from montcore.ecc import keys as ecc_keys
from montcore.rsa import keys as rsa_keys
from montcore.rsa.files import OtherKeyError
from montcore.soc.design import COMMAND, CURVE, KEY, LENGTH, SLOT, Y_LENGTH, AcceleratorDesign
from montcore.support.errors import RequestError

#: Commands of hw/soc/montcore_pka.rdl.
_LOCK, _CURVE_LOCK, _MAY_SIGN = 7, 12, 1 << 4
#: Addresses in a public part, as in sw/driver/montcore_pka_socket.h.
_BITS, _E_BITS, _GROUP = 0, 1, 2
_MODULUS, _EXPONENT, _X, _Y = 0x1000, 0x2000, 0x3000, 0x4000
#: The curves that the OpenSSL provider signs on, and their numbers in TLS (IANA).
GROUPS = {
    "secp256k1": 22,
    "prime256v1": 23,
    "secp384r1": 24,
    "secp521r1": 25,
    "brainpoolP256r1": 26,
}

Words = tuple[tuple[int, int], ...]


@dataclass(frozen=True, repr=False)
class HeldKey:
    """A key to lock; never printed.

    Attributes:
        bits: required built length of the exponentiator or the curve engine.
        writes: addresses and words; the last write is the command that locks it.
        public: addresses and words of its public part.
    """

    bits: int
    on_curve: bool
    writes: Words
    public: Words

    def text(self) -> bytes:
        """Input of `montcore_pka_serve`: both lists, each preceded by its length."""
        parts = [f"{len(words):x} {_text(words)}" for words in (self.writes, self.public)]
        return "\n".join(parts).encode() + b"\n"

    def check(self, design: AcceleratorDesign) -> None:
        """Reject an accelerator that cannot hold the key."""
        unit = design.curves if self.on_curve else design.core
        name, option = ("curves", "--curve-bits") if self.on_curve else ("exponentiator", "--bits")
        if unit is None:
            raise RequestError(f"this key needs --units {name} or both")
        if self.bits > unit.bits:
            raise RequestError(f"a key of {self.bits} bits needs {option} {self.bits} or more")


def _text(words: Words) -> str:
    return " ".join(f"{at:x} {word:x}" for at, word in words)


def _number(at: int, step: int, value: int, bits: int) -> Iterator[tuple[int, int]]:
    for place in range(-(-bits // 32)):
        yield at + step * place, value >> 32 * place & 0xFFFFFFFF


def held_rsa(key: rsa_keys.PrivateKey) -> HeldKey:
    """Return the register writes that lock an RSA key."""
    bits, e_bits = key.n.bit_length(), key.e.bit_length()
    writes = [(LENGTH, bits), (Y_LENGTH, bits)]
    writes += [*_number(KEY, 4, key.n, bits), *_number(KEY + SLOT, 4, key.d, bits)]
    public = [(_BITS, bits), (_E_BITS, e_bits)]
    public += [*_number(_MODULUS, 1, key.n, bits), *_number(_EXPONENT, 1, key.e, e_bits)]
    return HeldKey(bits, False, (*writes, (COMMAND, _LOCK)), tuple(public))


def held_curve(key: ecc_keys.EcPrivateKey) -> HeldKey:
    """Return the register writes that lock an ECDSA key, for signatures only."""
    curve = key.public.curve
    if curve.name not in GROUPS:
        raise RequestError(
            f"a key on {curve.name} cannot be locked; supported curves: {', '.join(GROUPS)}"
        )
    form = curve.columns | curve.windows << 8 | curve.family << 20
    lengths = curve.p.bit_length(), curve.n.bit_length()
    writes = [(LENGTH, lengths[0]), (Y_LENGTH, lengths[1]), (CURVE, form)]
    numbers = {0: curve.p, 1: curve.n, 2: curve.a, 3: curve.b, 4: curve.x, 5: curve.y, 7: key.d}
    for slot, value in numbers.items():
        writes += _number(KEY + slot * SLOT, 4, value, curve.bits)
    public = [(_GROUP, GROUPS[curve.name])]
    for at, value in ((_X, key.public.x), (_Y, key.public.y)):
        public += _number(at, 1, value, curve.bits)
    writes.append((COMMAND, _CURVE_LOCK | _MAY_SIGN))
    return HeldKey(curve.bits, True, tuple(writes), tuple(public))


def read_held(path: Path, passphrase: Callable[[], bytes]) -> HeldKey:
    """Read a private RSA or ECDSA key that is to be locked."""
    secret = cache(passphrase)
    try:
        found = ecc_keys.read_private_key(path, secret)
    except OtherKeyError as reason:
        try:
            key = rsa_keys.read_private_key(path, secret)
        except OtherKeyError:
            raise RequestError(f"{reason}, nor one of RSA") from None
        if key.uses.pss:
            # The accelerator does no padding: whoever may use the key could use any.
            raise RequestError(f"{path} holds a key for PSS only, which cannot be locked") from None
        return held_rsa(key)
    return held_curve(found)
