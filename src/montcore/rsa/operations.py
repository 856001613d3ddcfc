# SPDX-License-Identifier: Apache-2.0
"""The RSA operations: every power and every product is made by the simulated exponentiator.

What is left to the host, as to the firmware of a device: reduction of the input modulo p and q, the
blinding's inverse, one subtraction modulo p and one addition.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from montcore.errors import CheckFailedError, RequestError
from montcore.modexp import Exponentiator, ModularProduct, Policy, Power
from montcore.rsa import padding
from montcore.rsa.keys import PrivateKey, PublicKey
from montcore.rsa.padding import Randomness

#: Random bits by which a blinded exponent grows.
BLINDING_BITS = 64

SCHEMES = ("pkcs1", "pss")


@dataclass
class Tally:
    """Clock cycles spent in the exponentiator, by step, set-up of the moduli included."""

    steps: dict[str, int] = field(default_factory=dict)

    @property
    def cycles(self) -> int:
        """All of them."""
        return sum(self.steps.values())


class RsaUnit:
    """RSA over one exponentiator.

    Args:
        exponentiator: the simulated hardware.
        randomness: supplies the bytes for blinding and salts.
        progress: called with the name of each step before it begins.
    """

    def __init__(
        self,
        exponentiator: Exponentiator,
        randomness: Randomness,
        progress: Callable[[str], None] = lambda step: None,
    ) -> None:
        self._exponentiator = exponentiator
        self._randomness = randomness
        self._progress = progress
        self.tally = Tally()

    def check_key(self, key: PublicKey) -> None:
        """Refuse a key that the built hardware cannot work with.

        Raises:
            RequestError: the modulus is even, tiny or longer than what was built, or e is wrong.
        """
        built = self._exponentiator.design.length
        if key.n.bit_length() > built:
            raise RequestError(
                f"the key has {key.n.bit_length()} bits, more than the {built} that were built"
            )
        if key.n < 3 or key.n % 2 == 0:
            raise RequestError("the key's modulus must be odd and at least 3")
        if key.e < 3 or key.e % 2 == 0 or key.e >= key.n:
            raise RequestError("the key's public exponent must be odd and at least 3")

    def public(self, key: PublicKey, value: int, step: str = "public exponent") -> int:
        """Return value^e mod n; the sliding window's sequence is that of the public e."""
        return self._power(step, Power(value, key.e, key.n), Policy.SLIDING)

    def private(self, key: PrivateKey, value: int, *, crt: bool = True, blind: bool = True) -> int:
        """Return value^d mod n, checked with e before it is given away.

        Args:
            key: the key.
            value: below n.
            crt: two powers of half the length modulo p and q, instead of one modulo n.
            blind: multiply the base by r^e, and add multiples of p - 1 and q - 1, or of
                lcm(p - 1, q - 1), to the exponents, as far as the built width has room.

        Raises:
            CheckFailedError: the result is wrong (a fault); it is withheld, as it may tell the key.
        """
        self.check_key(key)
        base, unblind = value, 1
        if blind:
            r = self._unit(key.n)
            factor = self.public(key, r, "blinding")
            base = self._product("blinded base", value, factor, key.n)
            unblind = pow(r, -1, key.n)
        if crt:
            halves = [
                self._power(
                    f"power modulo {name}",
                    self._secret(base % prime, key.d % (prime - 1), prime, prime - 1, blind),
                    Policy.CONSTANT,
                )
                for name, prime in (("p", key.p), ("q", key.q))
            ]
            difference = (halves[0] - halves[1]) % key.p
            inverse = pow(key.q, -1, key.p)
            factor = self._product("recombination modulo p", difference, inverse, key.p)
            # factor q is below n, and so the product modulo n is the product itself.
            result = halves[1] + self._product("recombination", factor, key.q, key.n)
        else:
            order = math.lcm(key.p - 1, key.q - 1)
            power = self._secret(base, key.d, key.n, order, blind)
            result = self._power("power modulo n", power, Policy.CONSTANT)
        if self.public(key, result, "check") != base:
            raise CheckFailedError("the private operation went wrong; its result is withheld")
        return self._product("unblinded result", result, unblind, key.n) if blind else result

    def sign(
        self, key: PrivateKey, message: bytes, scheme: str, hash_name: str, *, crt: bool = True
    ) -> bytes:
        """Return the signature of a message.

        Raises:
            RequestError: the key does not fit the hardware, or is too short for the scheme.
            CheckFailedError: a fault was found.
        """
        self.check_key(key)
        if scheme == "pss":
            bits = key.n.bit_length() - 1
            encoded = padding.pss_encode(message, bits, hash_name, self._randomness)
        else:
            encoded = padding.pkcs1_encode(message, key.size, hash_name)
        result = self.private(key, int.from_bytes(encoded, "big"), crt=crt)
        return result.to_bytes(key.size, "big")

    def verify(
        self, key: PublicKey, message: bytes, signature: bytes, scheme: str, hash_name: str
    ) -> bool:
        """Return whether a signature is right.

        Raises:
            RequestError: the key does not fit the hardware, or the signature's length is wrong.
        """
        self.check_key(key)
        if len(signature) != key.size:
            raise RequestError(
                f"the signature has {len(signature)} bytes, the key's signatures have {key.size}"
            )
        value = int.from_bytes(signature, "big")
        if value >= key.n:
            return False
        found = self.public(key, value)
        if scheme == "pss":
            bits = key.n.bit_length() - 1
            size = (bits + 7) // 8
            if found.bit_length() > 8 * size:
                return False
            return padding.pss_verify(found.to_bytes(size, "big"), message, bits, hash_name)
        wanted = padding.pkcs1_encode(message, key.size, hash_name)
        return found.to_bytes(key.size, "big") == wanted

    def decrypt(self, key: PrivateKey, data: bytes, *, crt: bool = True) -> bytes:
        """Return the message of a PKCS#1 v1.5 ciphertext.

        Raises:
            RequestError: the key does not fit the hardware, or the ciphertext's length is wrong.
            CheckFailedError: it does not decrypt, or a fault was found.
        """
        self.check_key(key)
        value = int.from_bytes(data, "big")
        if len(data) != key.size or value >= key.n:
            raise RequestError(f"the input is not a ciphertext of this key ({key.size} bytes)")
        result = self.private(key, value, crt=crt)
        return padding.pkcs1_decrypt(result.to_bytes(key.size, "big"))

    def _power(self, step: str, power: Power, policy: Policy) -> int:
        self._progress(step)
        outcome = self._exponentiator.power(power, policy)
        assert outcome.result is not None
        self.tally.steps[step] = outcome.cycles + outcome.setup_cycles
        return outcome.result

    def _product(self, step: str, x: int, y: int, modulus: int) -> int:
        self._progress(step)
        outcome = self._exponentiator.product(ModularProduct(x, y, modulus))
        assert outcome.result is not None
        self.tally.steps[step] = outcome.cycles + outcome.setup_cycles
        return outcome.result

    def _secret(self, base: int, exponent: int, modulus: int, order: int, blind: bool) -> Power:
        """Return a power whose number of cycles says nothing about its exponent."""
        bits = modulus.bit_length()
        room = min(BLINDING_BITS, self._exponentiator.design.length - bits)
        if blind and room > 1:
            multiple = int.from_bytes(self._randomness((room + 7) // 8), "big") % (1 << (room - 1))
            exponent, bits = exponent + multiple * order, bits + room
        return Power(base, max(exponent, 1), modulus, exponent_bits=bits)

    def _unit(self, n: int) -> int:
        while True:
            r = int.from_bytes(self._randomness((n.bit_length() + 15) // 8), "big") % n
            if r > 1 and math.gcd(r, n) == 1:
                return r
