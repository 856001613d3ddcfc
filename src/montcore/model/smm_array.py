# SPDX-License-Identifier: Apache-2.0
"""What the models of `smm` need to know of a built array."""

from typing import Protocol


class Array(Protocol):
    """The parameters of a built array and what follows from them for a modulus."""

    @property
    def bits(self) -> int:
        """The built width in bits."""

    @property
    def npe(self) -> int:
        """Number of processing elements."""

    @property
    def w(self) -> int:
        """Bits of a word."""

    def words(self, length: int) -> int:
        """Return m, the words of a modulus of `length` bits."""

    def rows(self, length: int) -> int:
        """Return r, the slots that a pass over all words takes."""
