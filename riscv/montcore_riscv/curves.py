# SPDX-License-Identifier: Apache-2.0
"""Writes the constants of the library's curves: ``python -m montcore_riscv.curves``."""

from collections.abc import Iterator
from pathlib import Path

from montcore.ecc.curves import Curve, get_curve
from montcore_riscv.toolchain import RISCV_DIR

CONSTANTS = RISCV_DIR / "curves" / "constants.c"
#: The curves by the names of their variables.
CURVES = {"p256": "P-256", "p384": "P-384", "secp256k1": "secp256k1"}
#: The comb of P-256, as in curve.h.
TEETH, COLUMNS = 6, 43

_HEAD = """\
/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of the curves, written by `python -m montcore_riscv.curves`.
 */
#include "curve.h"
"""


def words_of(value: int, count: int) -> list[str]:
    """Return the words of a number, least significant first, as C has them."""
    return [f"{value >> 32 * at & 0xFFFFFFFF:#010x}" for at in range(count)]


def _rows(words: list[str], indent: str) -> Iterator[str]:
    for at in range(0, len(words), 8):
        yield indent + ", ".join(words[at : at + 8]) + ","


def _array(name: str, values: list[int], words: int) -> Iterator[str]:
    yield f"static const uint32_t {name}[] = {{"
    for value in values:
        yield from _rows(words_of(value, words), "    ")
    yield "};"


def _constant(modulus: int) -> str:
    """Return -1 / m modulo 2^64 as C has it."""
    low, high = words_of(-pow(modulus, -1, 1 << 64) % (1 << 64), 2)
    return f"{{{low}, {high}}}"


def comb_scalar(index: int) -> int:
    """Return the multiple of the base point that is entry `index` of the comb."""
    scalar: int = 1 << COLUMNS * (TEETH - 1)
    for tooth in range(TEETH - 1):
        scalar += (1 if index >> tooth & 1 else -1) << COLUMNS * tooth
    return scalar


def _curve(variable: str, curve: Curve) -> Iterator[str]:
    p, n, words = curve.p, curve.n, curve.p.bit_length() // 32
    r = 1 << 32 * words
    name = variable.upper()
    yield ""
    yield from _array(f"{name}_P", [p, r * r % p], words)
    yield from _array(f"{name}_ORDER", [n, r * r % n], words)
    yield "/* 1, b, x, y */"
    yield from _array(f"{name}_FORM", [v * r % p for v in (1, curve.b, curve.x, curve.y)], words)
    if variable == "p256":
        yield f"static const uint32_t {name}_COMB[][2 * {words}] = {{"
        for index in range(1 << TEETH - 1):
            point = curve.multiply(comb_scalar(index), (curve.x, curve.y))
            assert point is not None
            yield "    {"
            for value in point:
                yield from _rows(words_of(value * r % p, words), "        ")
            yield "    },"
        yield "};"
    routines = (
        ("mc_p256_mul", "mc_p256_sqr", "mc_p256_add", "mc_p256_sub")
        if variable == "p256"
        else ("mc_montmul_raw", "mc_montsqr_raw", "mc_mod_add_raw", "mc_mod_sub_raw")
    )
    yield f"const mc_curve mc_{variable} = {{"
    yield f"    .n = {words // 2},"
    for field, modulus in (("p", p), ("order", n)):
        part = f"{name}_{field.upper()}"
        yield f"    .{field} = {{{part}, {part} + {words}, {_constant(modulus)}}},"
    yield f"    .one = {name}_FORM,"
    yield f"    .b = {name}_FORM + {words},"
    yield f"    .base = {name}_FORM + {2 * words},"
    yield f"    .minus_3 = {int(curve.a % p == p - 3)},"
    if variable == "p256":
        yield f"    .comb = {name}_COMB,"
    for field, routine in zip(("mul", "sqr", "add", "sub"), routines, strict=True):
        yield f"    .{field} = {routine},"
    yield "};"


def _ed25519() -> Iterator[str]:
    curve = get_curve("Ed25519")
    p, n, d = curve.p, curve.n, curve.b
    yield ""
    yield from _array("P25519", [p], 8)
    yield from _array("ED25519_ORDER", [n, pow(2, 512, n)], 8)
    yield f"const struct mc_prime mc_25519 = {{.m = P25519, .n0 = {_constant(p)}}};"
    yield "const struct mc_prime mc_25519_order = {"
    yield f"    ED25519_ORDER, ED25519_ORDER + 8, {_constant(n)}"
    yield "};"
    yield "const uint32_t mc_ed25519_numbers[5][8] = {"
    for value in (2 * d % p, d, pow(2, (p - 1) // 4, p), curve.x, curve.y):
        yield f"    {{{', '.join(words_of(value, 8))}}},"
    yield "};"
    yield "const uint32_t mc_ed25519_comb[32][3][8] = {"
    for index in range(1 << TEETH - 1):
        point = curve.multiply(comb_scalar(index) % n, (curve.x, curve.y))
        assert point is not None
        x, y = point
        yield "    {"
        for value in (y + x, y - x, 2 * d * x * y):
            yield f"        {{{', '.join(words_of(value % p, 8))}}},"
        yield "    },"
    yield "};"


def constants() -> str:
    """Return the text of constants.c."""
    lines = [
        line for variable, name in CURVES.items() for line in _curve(variable, get_curve(name))
    ]
    lines += _ed25519()
    return _HEAD + "\n".join(lines) + "\n"


def write(to: Path = CONSTANTS) -> None:
    """Write constants.c."""
    to.write_text(constants(), encoding="utf-8")


if __name__ == "__main__":
    write()
