# SPDX-License-Identifier: Apache-2.0
"""Global placement: cells are charges that repel each other, nets pull them together.

The method is ePlace (Lu, Chen, Chang, Sha, Huang, Teng, Cheng: ePlace: electrostatics-based
placement using fast Fourier transform and Nesterov's method, ACM TODAES 20(2), 2015). A smooth
measure of the wire length and the energy of the charges are minimised together; the weight of the
energy grows until the density is even. Free area is filled with charges that have no nets.

The same positions result on every machine: no function is used that differs between processors
or releases of numpy in its last bit, but for sums and Fourier transforms, which are rounded. In
place of the exponential of the smooth wire length there is a power.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = tuple[Floats, Floats]
"""The middles of cells along both axes, in um."""

DENSITY = 0.9
"""Share of a place that cells may take, unless the core as a whole is denser."""
_SQUARINGS = 6
_POWER = 2.0**_SQUARINGS
_GROWTH = 1.025
"""Growth of the weight of the density at each step."""
_FIRST = 0.1
"""Force of the charges at the first step, as a share of the force of the wires."""
_SMOOTH = 4.0
"""Smoothness of the wire length at the end, in tenths of a bin; it is higher at first."""
_EVEN = 0.15
"""Share of the cells' area above the density at which the cells are even enough."""
_PATIENCE, _STEPS = 60, 2000
_BINS = tuple(part * 2**power for power in range(7) for part in (4, 5, 6))
"""Numbers of bins along each side whose Fourier transform is fast."""


def _total(values: Floats) -> float:
    """Return a sum to ten digits: releases of numpy add in different orders."""
    return float(f"{values.sum():.9e}")


@dataclass(frozen=True, eq=False)
class Circuit:
    """Cells, and their pins in order of the nets.

    Attributes:
        width: width of each cell in um.
        offset: position of each pin along the row, from the middle of the cell, in um.
        start: the first pin of each net, which has at least two.
        weight: how much the length of each net counts.
        row: height of the cells in um.
        length: length of the rows in um.
    """

    width: Floats
    cell: NDArray[np.intp]
    offset: Floats
    start: NDArray[np.intp]
    weight: Floats
    row: float
    length: float
    rows: int

    @cached_property
    def box(self) -> tuple[float, float]:
        """Length and height of all rows in um."""
        return self.length, self.rows * self.row

    @cached_property
    def net(self) -> NDArray[np.intp]:
        """The net of each pin."""
        sizes = np.diff(self.start, append=len(self.cell))
        return np.repeat(np.arange(len(self.start)), sizes)

    def pins(self, at: Places, axis: int) -> Floats:
        """Return the positions of the pins: the cell's middle along y, as rows are mirrored."""
        places = at[axis][self.cell]
        return places if axis else places + self.offset

    def wire(self, at: Places) -> float:
        """Return half the perimeter of the boxes around all nets in um, by weight."""
        total = 0.0
        for axis in (0, 1):
            pins = self.pins(at, axis)
            high, low = (f.reduceat(pins, self.start) for f in (np.maximum, np.minimum))
            total += _total(self.weight * (high - low))
        return total

    def pull(self, at: Places, axis: int, smooth: float) -> Floats:
        """Return the derivative of the smooth wire length by each cell's position.

        The length is the weighted average of Hsu, Chang and Balabanov (DAC 2011).
        """
        pins = self.pins(at, axis)
        total = np.zeros(len(pins))
        for sign in (1.0, -1.0):
            place = sign * pins
            most = np.maximum.reduceat(place, self.start)
            near = np.maximum(1 - (most[self.net] - place) / (_POWER * smooth), 0)
            for _ in range(_SQUARINGS):
                near *= near
            whole = np.add.reduceat(near, self.start)
            end = np.add.reduceat(near * place, self.start) / whole
            share = self.weight / whole
            total += sign * near * (1 + (place - end[self.net]) / smooth) * share[self.net]
        return np.bincount(self.cell, total, len(self.width)).astype(np.float64)


class _Field:
    """The field of charges in bins, whose walls charges do not cross."""

    def __init__(self, box: tuple[float, float], bins: int) -> None:
        self.bins = bins
        self.size = box[0] / bins, box[1] / bins
        # Mirrored charges have no field at the walls.
        waves = (
            2 * np.pi * np.fft.fftfreq(2 * bins, self.size[0])[:, None],
            2 * np.pi * np.fft.rfftfreq(2 * bins, self.size[1])[None, :],
        )
        square = waves[0] ** 2 + waves[1] ** 2
        square[0, 0] = np.inf  # the mean has no field
        self._along = [-1j * wave / square for wave in waves]

    def shares(self, at: Sequence[Floats]) -> tuple[NDArray[np.intp], Floats]:
        """Return the four bins at each position, and the share of each."""
        low, part = [], []
        for axis in (0, 1):
            place = np.clip(at[axis] / self.size[axis] - 0.5, 0, self.bins - 1.001)
            low.append(place.astype(np.intp))
            part.append(place - low[axis])
        (x, y), (left, down) = part, low
        first = left * self.bins + down
        bins = np.stack([first, first + 1, first + self.bins, first + self.bins + 1])
        return bins, np.stack([(1 - x) * (1 - y), (1 - x) * y, x * (1 - y), x * y])

    def charges(self, bins: NDArray[np.intp], share: Floats, area: Floats) -> Floats:
        """Return the charge in each bin."""
        number = self.bins**2
        found = np.zeros(number)
        for where, part in zip(bins, share, strict=True):
            found += np.bincount(where, part * area, number)
        return found

    def forces(self, charges: Floats) -> Places:
        """Return the field in each bin along both axes."""
        half = charges.reshape(self.bins, self.bins)
        half = np.concatenate([half, half[:, ::-1]], axis=1)
        waves = np.fft.rfft2(np.concatenate([half, half[::-1]]))
        shape = 2 * self.bins, 2 * self.bins
        both = np.stack([np.fft.irfft2(waves * along, shape) for along in self._along])
        inner = both[:, : self.bins, : self.bins]
        # Transforms differ between processors in their last bits: 22 bits of them are used.
        unit = 2.0 ** np.ceil(np.log2(max(np.abs(inner).max(), 1e-99))) / 2**22
        x, y = (np.rint(force / unit).ravel() * unit for force in inner)
        return x, y


def spread(circuit: Circuit, seed: int) -> Places:
    """Return positions with short wires and an even density; cells may overlap a little."""
    box, number = circuit.box, len(circuit.width)
    area = circuit.width * circuit.row
    taken, whole = _total(area), box[0] * box[1]
    density = max(DENSITY, 1.02 * taken / whole)
    free = max(0.0, density * whole - taken)
    fillers = int(free / taken * number)
    area = np.concatenate([area, np.full(fillers, free / max(fillers, 1))])
    side = np.concatenate([circuit.width, np.zeros(fillers)]), np.full(len(area), circuit.row)
    pins = np.bincount(circuit.cell, circuit.weight[circuit.net], len(area))
    field = _Field(box, max(bins for bins in _BINS if bins**2 <= max(number, _BINS[0] ** 2)))
    unit, room = sum(field.size) / 2, density * field.size[0] * field.size[1]
    rng = np.random.default_rng(seed)

    def inside(at: Sequence[Floats]) -> Places:
        x, y = (np.clip(at[k], side[k] / 2, box[k] - side[k] / 2) for k in (0, 1))
        return x, y

    # Cells begin near the middle, a hundredth of the core apart; fillers everywhere.
    at = inside(
        [
            length * np.concatenate([0.49 + 0.02 * rng.random(number), rng.random(fillers)])
            for length in box
        ]
    )
    ahead, speed, weight, best, since = at, 1.0, 0.0, np.inf, 0
    last: tuple[Places, list[Floats]] | None = None
    for step in range(_STEPS):
        bins, share = field.shares(ahead)
        cells = field.charges(bins[:, :number], share[:, :number], area[:number])
        rest = field.charges(bins[:, number:], share[:, number:], area[number:])
        over = _total(np.maximum(cells - room, 0)) / taken
        if over < best:
            best, since = over, step
        if over < _EVEN or step - since > _PATIENCE:
            break
        smooth = _SMOOTH * unit * round(10 ** ((min(over, 1.0) - 0.1) * 20 / 9 - 1), 9)
        pull = [
            np.concatenate([circuit.pull(ahead, axis, smooth), np.zeros(fillers)])
            for axis in (0, 1)
        ]
        push = [area * (force[bins] * share).sum(axis=0) for force in field.forces(cells + rest)]
        if last is None:
            weight = _FIRST * sum(_total(np.abs(f)) for f in pull)
            weight /= max(sum(_total(np.abs(f)) for f in push), 1e-99)
        slope = [(pull[k] - weight * push[k]) / np.maximum(1, pins + weight * area) for k in (0, 1)]
        if last is None:
            size = unit / 10 / max(max(np.abs(f).max() for f in slope), 1e-99)
        else:
            moved = sum(_total((ahead[k] - last[0][k]) ** 2) for k in (0, 1))
            turned = sum(_total((slope[k] - last[1][k]) ** 2) for k in (0, 1))
            size = float(np.sqrt(moved / max(turned, 1e-99)))
        last = ahead, slope
        new = inside([ahead[k] - size * slope[k] for k in (0, 1)])
        faster = (1 + np.sqrt(4 * speed**2 + 1)) / 2
        ahead = inside([new[k] + (speed - 1) / faster * (new[k] - at[k]) for k in (0, 1)])
        at, speed = new, faster
        weight *= _GROWTH
    return at[0][:number], at[1][:number]
