# SPDX-License-Identifier: Apache-2.0
"""Parameters of a built array that the models of `smm` need."""

from typing import Protocol


class Array(Protocol):
    """The parameters of a built array, and the sizes derived for a modulus."""

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
        """Return r, the slots of a pass over all words."""
