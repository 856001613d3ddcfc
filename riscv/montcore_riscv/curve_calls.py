# SPDX-License-Identifier: Apache-2.0
"""Calls of the library's curves with the expected memory contents."""

from dataclasses import dataclass

from montcore.ecc.curves import Curve, get_curve
from montcore_riscv.calls import Call, MemoryLayout
from montcore_riscv.curves import CURVES
from montcore_riscv.elf import ElfProgram

#: Statuses of montcore_operations.h.
OK, BAD_KEY, BAD_POINT, BAD_SIGNATURE, BAD_RANDOM, BAD_HASH = 0, 5, 6, 7, 8, 9

P256 = get_curve("P-256").p
P25519 = get_curve("X25519").p


@dataclass(frozen=True)
class CurveCalls:
    """Makes calls for one curve.

    Attributes:
        program: program with the curves.
        variable: name of the curve's variable, without its prefix.
    """

    program: ElfProgram
    variable: str

    @property
    def curve(self) -> Curve:
        """The curve."""
        return get_curve(CURVES[self.variable])

    @property
    def size(self) -> int:
        """Bytes of a coordinate."""
        return self.curve.p.bit_length() // 8

    @property
    def address(self) -> int:
        """Address of the curve in the program."""
        return self.program.address(f"mc_{self.variable}")

    def coordinates(self, scalar: int) -> bytes:
        """Return the coordinates of a multiple of the base point."""
        point = self.curve.multiply(scalar, (self.curve.x, self.curve.y))
        assert point is not None
        return b"".join(value.to_bytes(self.size, "big") for value in point)

    def signature(self, digest: bytes, d: int, k: int) -> bytes:
        """Return the signature of a hash by a key, with a nonce."""
        n = self.curve.n
        r = int.from_bytes(self.coordinates(k)[: self.size], "big") % n
        s = pow(k, -1, n) * (int.from_bytes(digest[: self.size], "big") + r * d) % n
        return b"".join(value.to_bytes(self.size, "big") for value in (r, s))

    def _layout(self, result: int) -> tuple[MemoryLayout, int]:
        layout = MemoryLayout(self.program.address("arena"))
        return layout, layout.data(b"\xcc" * result)

    def public_key(self, d: bytes, expected: bytes, status: int = OK) -> Call:
        """Return a call of mc_public_key."""
        layout, q = self._layout(2 * self.size)
        arguments = (q, layout.data(d), self.address)
        return layout.call("mc_public_key", arguments, q, expected, status)

    def ecdh(self, d: bytes, q: bytes, expected: bytes, status: int = OK) -> Call:
        """Return a call of mc_ecdh."""
        layout, secret = self._layout(self.size)
        arguments = (secret, layout.data(d), layout.data(q), self.address)
        return layout.call("mc_ecdh", arguments, secret, expected, status)

    def multiply_point(self, d: bytes, q: bytes, expected: bytes, status: int = OK) -> Call:
        """Return a call of mc_multiply_point."""
        layout, r = self._layout(2 * self.size)
        arguments = (r, layout.data(d), layout.data(q), self.address)
        return layout.call("mc_multiply_point", arguments, r, expected, status)

    def multiply_two(
        self, u: bytes, p: bytes, v: bytes, q: bytes | None, expected: bytes, status: int = OK
    ) -> Call:
        """Return a call of mc_multiply_two; without q its second point is the base point."""
        layout, r = self._layout(2 * self.size)
        arguments = [r, *(layout.data(part) for part in (u, p, v))]
        arguments += [0 if q is None else layout.data(q), self.address]
        return layout.call("mc_multiply_two", tuple(arguments), r, expected, status)

    def sign(
        self,
        digest: bytes,
        d: bytes,
        numbers: bytes,
        expected: bytes,
        status: int = OK,
        q: bytes | None = None,
    ) -> Call:
        """Return a call of mc_ecdsa_sign, or without q of mc_ecdsa_sign_unverified.

        `numbers` is what the source of random numbers gives before it fails.
        """
        layout, at = self._layout(2 * self.size)
        random = self.program.address("test_random")
        arguments = [at, layout.data(digest), len(digest), layout.data(d)]
        arguments += [] if q is None else [layout.data(q)]
        arguments += [random, layout.data(len(numbers).to_bytes(4, "little") + numbers)]
        name = "mc_ecdsa_sign_unverified" if q is None else "mc_ecdsa_sign"
        # What follows the result is not compared: the source of numbers is used up.
        end = at - self.program.address("arena") + 2 * self.size + 16
        return layout.call(
            name, (*arguments, self.address), at, expected, status, part=slice(0, end)
        )

    def verify(self, signature: bytes, digest: bytes, q: bytes, status: int = OK) -> Call:
        """Return a call of mc_ecdsa_verify."""
        layout, at = self._layout(0)
        at = layout.data(signature)
        arguments = (at, layout.data(digest), len(digest), layout.data(q), self.address)
        return layout.call("mc_ecdsa_verify", arguments, at, signature, status)


@dataclass(frozen=True)
class Ed25519Calls:
    """Makes calls of Ed25519; with `fails` the hash function says that it failed."""

    program: ElfProgram

    def _call(
        self, name: str, parts: tuple[bytes, ...], result: bytes, status: int, fails: bool
    ) -> Call:
        layout = MemoryLayout(self.program.address("arena"))
        at = layout.data(b"\xcc" * len(result)) if result else 0
        arguments = [at] if result else []
        for part in parts:
            arguments.append(layout.data(part))
        if len(parts) > 1:  # the message stands second, with its length behind it
            arguments.insert(2, len(parts[0 if result else 1]))
        arguments.append(self.program.address("test_sha512"))
        arguments.append(layout.data(b"\1\0\0\0") if fails else 0)
        return layout.call(name, tuple(arguments), at or arguments[0], result or parts[0], status)

    def public_key(
        self, seed: bytes, expected: bytes, status: int = OK, fails: bool = False
    ) -> Call:
        """Return a call of mc_ed25519_public_key."""
        return self._call("mc_ed25519_public_key", (seed,), expected, status, fails)

    def sign(
        self,
        name: str,
        seed: bytes,
        message: bytes,
        expected: bytes,
        status: int = OK,
        fails: bool = False,
    ) -> Call:
        """Return a call of mc_ed25519_sign or mc_ed25519_sign_unverified."""
        return self._call(name, (message, seed), expected, status, fails)

    def verify(
        self,
        signature: bytes,
        message: bytes,
        public: bytes,
        status: int = OK,
        fails: bool = False,
    ) -> Call:
        """Return a call of mc_ed25519_verify."""
        return self._call("mc_ed25519_verify", (signature, message, public), b"", status, fails)


def x25519(scalar: bytes, u: bytes) -> bytes:
    """Return X25519 as RFC 7748 has it."""
    k = int.from_bytes(scalar, "little") & ((1 << 255) - 8) | 1 << 254
    x = int.from_bytes(u, "little") % (1 << 255)
    return get_curve("X25519").ladder(k, x).to_bytes(32, "little")


def x25519_call(
    program: ElfProgram, scalar: bytes, u: bytes, expected: bytes | None = None
) -> Call:
    """Return a call of mc_x25519, by default with the result of the function above."""
    expected = x25519(scalar, u) if expected is None else expected
    layout = MemoryLayout(program.address("arena"))
    secret = layout.data(b"\xcc" * 32)
    arguments = (secret, layout.data(scalar), layout.data(u))
    status = OK if any(expected) else BAD_POINT
    return layout.call("mc_x25519", arguments, secret, expected, status)


def field_call(program: ElfProgram, routine: str, a: int, b: int, same: str = "") -> Call:
    """Return a call of a field's routine; `same`: the result takes the place of "a" or "b".

    Modulo 2^255 - 19 the result is any number below 2^256 that is congruent: none is expected.
    """
    layout = MemoryLayout(program.address("arena"))
    at = {"": layout.number(0, 4), "a": layout.number(a, 4), "b": layout.number(b, 4)}
    third = 121665 if routine == "mc_25519_scale" else at["b"]
    arguments = (at[same], at["a"], third)
    if routine.startswith("mc_p256"):
        result = field_result(routine, a, b).to_bytes(32, "little")
        return layout.call(routine, arguments, at[same], result)
    memory = layout.memory()
    return Call(routine, arguments, memory, at[same] - program.address("arena"), 32)


def field_result(routine: str, a: int, b: int) -> int:
    """Return what a field's routine computes."""
    _, field, what = routine.split("_")
    p = P256 if field == "p256" else P25519
    scale = pow(2, -256, p) if field == "p256" else 1
    found = {
        "mul": a * b * scale,
        "sqr": a * a * scale,
        "add": a + b,
        "sub": a - b,
        "scale": 121665 * a,
    }
    return found[what] % p
