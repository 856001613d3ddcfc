# SPDX-License-Identifier: Apache-2.0
"""The RSA operations: the simulated exponentiator computes every power and product.

The host, like a device's firmware, does the rest: reduction of the input modulo p and q, the
blinding's inverse, one subtraction and one addition modulo n, and the comparison before a release.

A private operation releases z only if z^e equals the input; this check follows all other steps,
including unblinding. So a fault in any single step leads to a `CheckFailedError`.
"""

import hmac
import math
from collections.abc import Callable
from dataclasses import dataclass

from montcore.modexp.exponentiator import (
    Exponentiation,
    Exponentiator,
    ModularProduct,
    Policy,
    Power,
)
from montcore.rsa import padding
from montcore.rsa.keys import PrivateKey, PublicKey
from montcore.rsa.padding import Message, Padding
from montcore.rsa.randomness import Randomness, TestedRandomness, stream
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.requests import checked

BLINDING_BITS = 64
#: Shortest modulus of a private operation: its exponents must be longer than the blinding.
MIN_BITS = 2 * BLINDING_BITS
#: Maximum draws for a number with an inverse modulo n; normally one suffices.
_DRAWS = 16
#: Bytes of the seed that seals a result until it is checked.
_SEED_BYTES = 32

#: Step in which both powers with CRT run at the same time.
POWERS = "powers modulo p and q"
#: Step in which the check runs at the same time as the next operation's blinding.
CHECK_AND_BLINDING = "check and next blinding"

_WITHHELD = "the private operation went wrong; its result is withheld"


@checked
class RsaUnit:
    """RSA over one exponentiator.

    Args:
        randomness: supplies the bytes for blinding and paddings; it is tested during use.
        progress: called with the name of each step before it begins.
        rows: 2: two exponentiators side by side, which share nothing; each computes one of the
            powers with CRT, and the longer one counts. All else runs on one of them.
        ahead: on a pair, compute the blinding factor of the next operation with the same key at the
            same time as the check: for series of operations. Each factor is used once.
    """

    def __init__(
        self,
        exponentiator: Exponentiator,
        randomness: Randomness,
        progress: Callable[[str], None] = lambda step: None,
        rows: int = 1,
        *,
        ahead: bool = False,
    ) -> None:
        self._exponentiator = exponentiator
        self._rows = rows
        self._ahead = ahead and exponentiator.design.pair
        self._blinding: _Blinding | None = None  # of the next operation
        self.randomness = TestedRandomness(randomness)
        self.progress = progress
        #: Clock cycles of each step. A step includes the set-up of its modulus unless the step
        #: before had the same one; a pair keeps R^2 mod n, so that later set-ups of n are shorter.
        self.steps: dict[str, int] = {}
        self._loaded = 0  # the modulus that the hardware holds
        self._kept = 0  # the one of which a pair keeps R^2

    @property
    def cycles(self) -> int:
        """Clock cycles of all steps."""
        return sum(self.steps.values())

    def check_key(self, key: PublicKey) -> None:
        """Reject a key that the built hardware does not support.

        Raises:
            RequestError: the modulus is even, tiny or longer than the built width, or e is invalid.
        """
        bits, built = key.n.bit_length(), self._exponentiator.design.length
        if bits > built:
            raise RequestError(f"the key has {bits} bits, more than the {built} that were built")
        if key.n < 3 or key.n % 2 == 0:
            raise RequestError("the key's modulus must be odd and at least 3")
        if key.e < 3 or key.e % 2 == 0 or key.e >= key.n:
            raise RequestError("the key's public exponent must be odd and at least 3")

    def public(self, key: PublicKey, value: int, step: str = "public exponent") -> int:
        """Return value^e mod n; the sliding-window sequence depends only on the public e."""
        return self._power(step, Power(value, key.e, key.n, kept=True), Policy.SLIDING)

    def private(self, key: PrivateKey, value: int, *, crt: bool = True, blind: bool = True) -> int:
        """Return value^d mod n, checked with e before it is released.

        Args:
            value: below n.
            crt: compute two powers of half the length modulo p and q, instead of one modulo n.
            blind: multiply the base by r^e, and blind the exponents with `BLINDING_BITS` random
                bits each (`_secret_power`).

        Raises:
            RequestError: the key does not fit the hardware.
            CheckFailedError: the result is wrong (a fault) and withheld, since it may reveal the
                key; or the source of randomness failed.
        """
        self.check_key(key)
        if key.n.bit_length() < MIN_BITS:
            raise RequestError(f"a key for private operations has at least {MIN_BITS} bits")
        if not 0 <= value < key.n:
            raise RequestError("the number must lie between 0 and the key's modulus")
        base, unblind = value, 1
        if blind:
            blinding = self._next_blinding(key)
            base = self._product("blinded base", value, blinding.factor, key.n, kept=True)
            unblind = pow(blinding.r, -1, key.n)
        if crt:
            powers = self._pair if self._together(key, blind) else self._one_by_one
            half_p, half_q = powers(key, base, blind)
            difference = (half_p - half_q) % key.n
            # A constant of the key: 1 modulo p and 0 modulo q.
            one_zero = key.q * pow(key.q, -1, key.p)
            product = self._product("recombination", difference, one_zero, key.n, kept=True)
            result = (half_q + product) % key.n
        else:
            order = math.lcm(key.p - 1, key.q - 1)
            result = self._secret_power("power modulo n", base, key.d, key.n, order, blind)
        result = _sound(result, key.n)
        if blind:
            result = self._product("unblinded result", result, unblind, key.n, kept=True)
        return self._released(key, value, result, ahead=self._ahead and blind)

    def sign(self, key: PrivateKey, message: Message, how: Padding, *, crt: bool = True) -> bytes:
        """Return the signature of a message.

        Raises:
            RequestError: the key does not fit the hardware, or is too short for the scheme.
            CheckFailedError: a fault was found, or the source of randomness failed.
        """
        self.check_key(key)
        key.uses.check_signature(how)
        if how.scheme == "pss":
            bits = key.n.bit_length() - 1
            encoded = padding.pss_encode(message, bits, how, self.randomness, key.uses.salt)
        else:
            encoded = padding.pkcs1_encode(message, key.size, how.hash_name)
        result = self.private(key, int.from_bytes(encoded, "big"), crt=crt)
        return result.to_bytes(key.size, "big")

    def verify(self, key: PublicKey, message: Message, signature: bytes, how: Padding) -> bool:
        """Return whether a signature is valid; one of a wrong length is not.

        Raises:
            RequestError: the key does not fit the hardware.
        """
        self.check_key(key)
        key.uses.check_signature(how)
        value = int.from_bytes(signature, "big")
        if len(signature) != key.size or value >= key.n:
            return False
        found = self.public(key, value)
        if how.scheme == "pss":
            bits = key.n.bit_length() - 1
            size = (bits + 7) // 8
            if found.bit_length() > 8 * size:
                return False
            encoded = found.to_bytes(size, "big")
            return padding.pss_verify(encoded, message, bits, how, key.uses.salt)
        wanted = padding.pkcs1_encode(message, key.size, how.hash_name)
        return found.to_bytes(key.size, "big") == wanted

    def encrypt(self, key: PublicKey, message: bytes, how: Padding) -> bytes:
        """Return the ciphertext of a message.

        Raises:
            RequestError: the key does not fit the hardware, or the message is too long for it.
            CheckFailedError: the source of randomness failed.
        """
        self.check_key(key)
        key.uses.check_encryption()
        if how.scheme == "oaep":
            encoded = padding.oaep_pad(message, key.size, how, self.randomness)
        else:
            encoded = padding.pkcs1_pad(message, key.size, self.randomness)
        return self.public(key, int.from_bytes(encoded, "big")).to_bytes(key.size, "big")

    def decrypt(
        self, key: PrivateKey, data: bytes, how: Padding | None = None, *, crt: bool = True
    ) -> bytes:
        """Return the message of a ciphertext, by default of PKCS#1 v1.5.

        With PKCS#1 v1.5, a ciphertext with invalid padding also gives a message: random bytes that
        depend only on the key and the ciphertext.

        Raises:
            RequestError: the key does not fit the hardware, or the ciphertext's length is wrong.
            CheckFailedError: it is not an OAEP ciphertext for this key and label; or a fault was
                found, or the source of randomness failed.
        """
        self.check_key(key)
        key.uses.check_encryption()
        how = how or Padding()
        value = int.from_bytes(data, "big")
        if len(data) != key.size or value >= key.n:
            raise RequestError(f"the input is not a ciphertext of this key ({key.size} bytes)")
        result = self.private(key, value, crt=crt).to_bytes(key.size, "big")
        if how.scheme == "oaep":
            return padding.oaep_unpad(result, how)
        return padding.pkcs1_unpad(result, data, key.d)

    def constant_power(self, step: str, base: int, exponent: int, modulus: int) -> int:
        """Return a power whose cycles depend only on the modulus's length; it is not blinded."""
        return self._constant(step, base, exponent, modulus, modulus.bit_length())

    def try_key(self, key: PrivateKey) -> None:
        """Check that the key is consistent, by one private operation on a random number.

        Raises:
            CheckFailedError: the key is inconsistent, or a fault was found.
        """
        self.private(key, self._unit(key.n))

    def _next_blinding(self, key: PublicKey) -> "_Blinding":
        """Return a blinding that has not been used: that of the check before, or a new one."""
        ready, self._blinding = self._blinding, None
        if ready is not None and (ready.n, ready.e) == (key.n, key.e):
            return ready
        r = self._unit(key.n)
        return _Blinding(key.n, key.e, r, self.public(key, r, "blinding"))

    def _check_and_blinding(self, key: PublicKey, result: int) -> int:
        """Return result^e mod n; compute the next blinding factor at the same time."""
        self.progress(CHECK_AND_BLINDING)
        r = self._unit(key.n)
        powers = [Power(base, key.e, key.n, kept=True) for base in (result, r)]
        first, second = self._exponentiator.pair(powers, Policy.SLIDING)
        assert first.result is not None and second.result is not None
        # n is loaded already, but not for the second exponentiator.
        cycles = first.cycles + second.interval + second.recall_cycles
        self._count(CHECK_AND_BLINDING, cycles + self._set_up(first, key.n))
        self._blinding = _Blinding(key.n, key.e, r, _sound(second.result, key.n))
        return _sound(first.result, key.n)

    def _released(self, key: PrivateKey, value: int, result: int, *, ahead: bool) -> int:
        """Return a result if its power with e equals the input value.

        A fault may hit the comparison as well. So it is made twice, in two ways, and the result is
        sealed and then opened with the computed power: if the power differs from the value and both
        comparisons are skipped, the output is unrelated to the result.
        """
        if result == value and value not in (0, 1, key.n - 1):
            raise CheckFailedError(_WITHHELD)  # an exponent stuck at 1 would pass its own check
        seed = self.randomness(_SEED_BYTES)
        sealed = result ^ stream(seed, value, key.size)
        found = (
            self._check_and_blinding(key, result) if ahead else self.public(key, result, "check")
        )
        ready, self._blinding = self._blinding, None
        if found != value:
            raise CheckFailedError(_WITHHELD)
        opened = sealed ^ stream(seed, found, key.size)
        if not hmac.compare_digest(
            found.to_bytes(key.size, "big"), value.to_bytes(key.size, "big")
        ):
            raise CheckFailedError(_WITHHELD)
        self._blinding = ready
        return opened

    def _power(self, step: str, power: Power, policy: Policy) -> int:
        self.progress(step)
        return self._counted(step, self._exponentiator.power(power, policy), power.modulus)

    def _product(self, step: str, x: int, y: int, modulus: int, *, kept: bool) -> int:
        self.progress(step)
        outcome = self._exponentiator.product(ModularProduct(x, y, modulus, kept=kept))
        return self._counted(step, outcome, modulus)

    def _counted(self, step: str, outcome: Exponentiation, modulus: int) -> int:
        assert outcome.result is not None
        self._count(step, outcome.cycles + self._set_up(outcome, modulus))
        return _sound(outcome.result, modulus)

    def _count(self, step: str, cycles: int) -> None:
        self.steps[step] = self.steps.get(step, 0) + cycles

    def _set_up(self, outcome: Exponentiation, modulus: int) -> int:
        """Return the cycles of the modulus's set-up, unless it is loaded; it is from now on."""
        # The simulation sets up the modulus anew; the hardware keeps it from request to request.
        loaded, self._loaded = self._loaded, modulus
        known, keeps = self._kept == modulus, outcome.recall_cycles > 0
        if keeps:
            self._kept = modulus
        if modulus == loaded:
            return 0
        return outcome.recall_cycles if known and keeps else outcome.setup_cycles

    def _together(self, key: PrivateKey, blind: bool) -> bool:
        """Whether the hardware computes both powers with CRT at the same time.

        Exponents that are blinded by a division (`_secret_power`) are several powers each.
        """
        design = self._exponentiator.design
        longest = max(key.p.bit_length(), key.q.bit_length())
        return design.pair and (not blind or longest + BLINDING_BITS <= design.length)

    def _one_by_one(self, key: PrivateKey, base: int, blind: bool) -> tuple[int, int]:
        half_q, half_p = (
            self._secret_power(f"power modulo {name}", base % prime, key.d, prime, prime - 1, blind)
            for name, prime in (("q", key.q), ("p", key.p))
        )
        if self._rows == 2:
            # They ran at the same time.
            self._count(POWERS, max(self.steps.pop(f"power modulo {name}") for name in "pq"))
        return half_p, half_q

    def _pair(self, key: PrivateKey, base: int, blind: bool) -> tuple[int, int]:
        self.progress(POWERS)
        powers = []
        for prime in (key.p, key.q):
            exponent, bits = key.d % (prime - 1), prime.bit_length()
            if blind:
                exponent, bits = exponent + self._mask() * (prime - 1), bits + BLINDING_BITS
            powers.append(_constant_power(base % prime, exponent, prime, bits))
        first, second = self._exponentiator.pair(powers)
        assert first.result is not None and second.result is not None
        # Both moduli are set up one after the other; the second result follows the first one.
        cycles = first.setup_cycles + second.setup_cycles + first.cycles + second.interval
        self._count(POWERS, cycles)
        self._loaded = key.p
        return _sound(first.result, key.p), _sound(second.result, key.q)

    def _secret_power(
        self, step: str, base: int, exponent: int, modulus: int, order: int, blind: bool
    ) -> int:
        """Return a power whose number of cycles does not depend on its exponent.

        A blinded exponent is longer by `BLINDING_BITS`: a random multiple of the group's order is
        added. If the built width has no room for that, it is divided by a random number r instead,
        e = a r + b, and the power is (x^r)^a x^b.
        """
        bits, exponent = modulus.bit_length(), exponent % order
        if not blind:
            return self._constant(step, base, exponent, modulus, bits)
        r = self._mask()
        if bits + BLINDING_BITS <= self._exponentiator.design.length:
            return self._constant(step, base, exponent + r * order, modulus, bits + BLINDING_BITS)
        r |= 1 << (BLINDING_BITS - 1)
        quotient, rest = divmod(exponent, r)
        raised = self._constant(f"{step}, divisor", base, r, modulus, BLINDING_BITS)
        longest = bits - BLINDING_BITS + 1
        high = self._constant(f"{step}, quotient", raised, quotient, modulus, longest)
        low = self._constant(f"{step}, remainder", base, rest, modulus, BLINDING_BITS)
        return self._product(step, high, low, modulus, kept=False)

    def _constant(self, step: str, base: int, exponent: int, modulus: int, bits: int) -> int:
        power = _constant_power(base, exponent, modulus, bits)
        return self._power(step, power, Policy.CONSTANT)

    def _mask(self) -> int:
        return int.from_bytes(self.randomness(BLINDING_BITS // 8), "big")

    def _unit(self, n: int) -> int:
        """Return a random blinding factor: it has an inverse modulo n and is not 1 or -1."""
        for _ in range(_DRAWS):
            r = int.from_bytes(self.randomness(n.bit_length() // 8 + 9), "big") % n
            if 1 < r < n - 1 and math.gcd(r, n) == 1:
                return r
        raise CheckFailedError("the source of random numbers gives no number usable for blinding")


@dataclass(frozen=True, repr=False)
class _Blinding:
    """A random r and r^e mod n, for one operation with the key n, e."""

    n: int
    e: int
    r: int
    factor: int


def _constant_power(base: int, exponent: int, modulus: int, bits: int) -> Power:
    """Return a power with a secret exponent, of which only the length is public."""
    # The hardware does not support the exponent 0 (once in 2^63); the check then fails.
    return Power(base, max(exponent, 1), modulus, exponent_bits=bits)


def _sound(number: int, modulus: int) -> int:
    """Return a number if it is below the modulus, which holds unless there was a fault."""
    if not 0 <= number < modulus:
        raise CheckFailedError(_WITHHELD)
    return number
