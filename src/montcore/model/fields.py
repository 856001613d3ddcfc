# SPDX-License-Identifier: Apache-2.0
"""The named prime fields: the eight SEC 2 primes of 192 bits and more."""

from dataclasses import dataclass

from montcore.support.errors import RequestError
from montcore.support.requests import checked
from montcore.support.words import hint


@dataclass(frozen=True)
class Field:
    """A prime field.

    Attributes:
        aliases: other names in use, in lower case.
        bits: length of the prime in bits.
    """

    name: str
    aliases: tuple[str, ...]
    bits: int
    p: int


def _field(name: str, p: int, *aliases: str) -> Field:
    return Field(name, (f"sec{name}", *aliases), p.bit_length(), p)


def _nist(bits: int) -> tuple[str, ...]:
    return (f"p-{bits}", f"p{bits}", f"nistp{bits}", f"nist-p-{bits}")


#: In the order of SEC 2.
FIELDS = (
    _field("p192k1", 2**192 - 2**32 - 2**12 - 2**8 - 2**7 - 2**6 - 2**3 - 1),
    _field("p192r1", 2**192 - 2**64 - 1, "prime192v1", *_nist(192)),
    _field("p224k1", 2**224 - 2**32 - 2**12 - 2**11 - 2**9 - 2**7 - 2**4 - 2 - 1),
    _field("p224r1", 2**224 - 2**96 + 1, *_nist(224)),
    _field("p256k1", 2**256 - 2**32 - 977),
    _field("p256r1", 2**256 - 2**224 + 2**192 + 2**96 - 1, "prime256v1", *_nist(256)),
    _field("p384r1", 2**384 - 2**128 - 2**96 + 2**32 - 1, *_nist(384)),
    _field("p521r1", 2**521 - 1, *_nist(521)),
)

_BY_NAME = {name: field for field in FIELDS for name in (field.name, *field.aliases)}


@checked
def get_field(name: str) -> Field:
    """Return the field of that name or alias; case does not matter.

    Raises:
        RequestError: no field has that name.
    """
    field = _BY_NAME.get(name.strip().lower())
    if field is None:
        known = ", ".join(item.name for item in FIELDS)
        raise RequestError(f"there is no field '{name}'{hint(name, _BY_NAME)}; known: {known}")
    return field
