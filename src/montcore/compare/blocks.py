# SPDX-License-Identifier: Apache-2.0
"""Block diagrams of the cores and decision charts, as SVG: boxes on a grid, and arrows."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from montcore.compare.marks import mark_of
from montcore.cores import get_core

#: Size of a box and of the gaps between boxes, in pixels.
_WIDTH, _HEIGHT, _ACROSS, _DOWN, _EDGE = 168, 58, 46, 34, 14


@dataclass(frozen=True)
class Box:
    """A box of a diagram.

    Attributes:
        column, row: its position on the grid; rows may be half-integral.
        kind: ``port``, ``memory``, ``logic``, ``core`` or ``plain``.
    """

    name: str
    column: int
    row: float
    lines: tuple[str, ...]
    kind: str = "logic"


@dataclass(frozen=True)
class Arrow:
    """An arrow from one box to another, with a label."""

    start: str
    end: str
    text: str = ""


_FILLS = {
    "port": "#e8eef5",
    "memory": "#fdf0d5",
    "logic": "#ffffff",
    "core": "#e3f3ec",
    "plain": "#ffffff",
}

#: Inputs of the streams, the same in every core. A line is a box: name, column, row, kind, and the
#: lines of its text. The lines after it with ``->`` are arrows: start, end and perhaps a label.
_FRONT = """
m     0 0 port   M stream | modulus, its constants
x     0 1 port   X stream | word by word
y     0 2 port   Y stream
check 1 0 logic  front | checks M, X, Y
"""
#: A row of blocks that processes X digit by digit.
_ROW = """
shift  1 1 memory shift register of X | {digit}
hold   1 2 memory Y and M | one word in each block
blocks 2 1 core   row of blocks | {cell}
digit  2 0 logic  quotient digit | lowest bits of T
back   3 1 logic  output stage | carries, one subtraction
z      4 1 port   Z stream | 0 <= Z < M
-> m-check x-shift y-hold shift-blocks-digit hold-blocks digit-blocks check-digit blocks-back-T
-> back-z
"""
#: What differs in the cores that are a row: the cell, and what is taken of X.
_ROWS = {
    "mx": ("x_i Y and q M in turn", "one bit in two cycles"),
    "cs": ("x_i Y + q M, carry-save", "a bit a cycle"),
    "op": ("0, Y, M or Y + M", "a bit a cycle"),
    "rc": ("x_i Y + q M, ripple carry", "a bit a cycle"),
    "cs4": ("two bits, carry-save", "two bits a cycle"),
    "hr": ("k multiples, k adders", "k = 2, 4, 6 or 8 bits"),
}
_SMM = """
xmem  1 1 memory memory of X | a word a pass
ymem  1 2 memory memories of Y, M, M' | a row of words a cycle
pe    2 1 core   processing elements | npe of them, w x w bits
t     2 2 memory memory of T
digit 2 0 logic  lowest word of T | is the digit
back  3 1 logic  compare, subtract M
z     4 1 port   Z stream | 0 <= Z < M
-> m-check x-xmem y-ymem xmem-pe-x_n ymem-pe digit-pe check-digit-n0' pe-t pe-back-S back-z
"""
_KARATSUBA = """
split 1 1 logic  halves and their | differences
const 2 0 memory M', n0', M
units 2 1 core   4 (fast) or 3 (lean) | pipelined multipliers
sum   3 1 logic  sums: T, T', q, S
queue 2 2 memory queue of products | under way
z     4 1 port   Z stream | S - 0, M or 2M
-> m-check x-split y-split split-units check-const const-units units-sum queue-units sum-z
"""
_DSP = """
feed  1 1 logic  feeder | 32-bit words to 17 bits
mem   1 2 memory memories of A, M'' | beside each block
row   2 1 core   alpha DSP blocks | b_i A, then q M''
digit 2 0 logic  digits, known one | step earlier
last  3 1 logic  division by 2^34 | in the same row
z     4 1 port   Z stream | 0 <= Z < M
-> m-check x-feed y-mem feed-row-b_i mem-row digit-row row-last-S last-z check-digit
"""
_MODEXP = """
m          0 0 port   M stream | length and modulus
x          0 1 port   X stream | base, or a factor
y          0 2 port   Y stream | exponent and policy
packets    1 1 logic  packets | checks M, base, e
bits       1 2 memory bits of the exponent
store      2 0 memory store: M, R^2, | base, result
sequence   2 1 core   sequence | squares and products
window     2 2 logic  window | 5 bits, or a ladder
table      3 0 memory table of powers | all entries are read
multiplier 3 1 core   any multiplier core | by the common port
clear      3 2 logic  clear | after every result
z          4 1 port   Z stream | 0 <= Z < M
-> m-packets x-packets y-packets packets-store packets-bits bits-window window-sequence
-> store-sequence table-multiplier sequence-multiplier store-table multiplier-z clear-multiplier
"""
_ECC = """
cfg        0 0 port   curve | p, n, a, b, base point
xy         0 1 port   request | scalars and points
random     0 2 port   random words | from outside, watched
packets    1 0 logic  packets | checks the numbers
scalar     1 1 logic  digits of k + r n | all odd, none zero
blind      1 2 logic  random numbers | below the modulus
rom        2 0 memory program | scheduled for the core
sequence   2 1 core   sequence | an instruction a cycle
table      2 2 memory table of points | all entries are read
multiplier 3 0 core   any multiplier core | by the common port
elements   3 1 memory elements | 16 products, 16 sums
adder      3 2 logic  adder | sums mod p or n
z          4 1 port   answer | point or signature
-> cfg-packets xy-scalar random-blind packets-scalar scalar-sequence rom-sequence blind-scalar
-> table-sequence sequence-elements elements-multiplier elements-adder elements-z
"""
_PKA = """
bus       0 2 port   bus | AXI, APB, Wishbone, TL
shell     1 2 logic  shell of the bus
irq       2 0 port   interrupt
registers 2 1 logic  registers | commands, states
memory    2 2 memory operand memory | 8 slots, 2 of the key
sequence  3 1 core   sequence | one command at a time
feeder    3 2 logic  feeder | words to beats
gear      4 3 logic  gear | beats to words
unit      4 2 core   modexp | over any multiplier
-> bus-shell shell-registers shell-memory registers-irq registers-sequence sequence-feeder
-> memory-feeder feeder-unit unit-gear gear-memory
"""
DIAGRAMS = {
    "smm": _FRONT + _SMM,
    **{name: _FRONT + _ROW.format(cell=cell, digit=digit) for name, (cell, digit) in _ROWS.items()},
    "karatsuba": _FRONT + _KARATSUBA,
    "dsp": _FRONT + _DSP,
}
#: The diagrams of units built over a core, with their titles.
UNIT_DIAGRAMS = {
    "modexp": ("exponentiator over any core", _MODEXP),
    "ecc": ("curve engine over any core", _ECC),
    "pka": ("accelerator behind a bus", _PKA),
}
ALL_DIAGRAMS = (*DIAGRAMS, *UNIT_DIAGRAMS)


def parts(name: str) -> tuple[list[Box], list[Arrow]]:
    """Return the boxes and arrows of the diagram of a core or a unit."""
    text = UNIT_DIAGRAMS[name][1] if name in UNIT_DIAGRAMS else DIAGRAMS[name]
    boxes, arrows = list[Box](), list[Arrow]()
    for line in text.strip().splitlines():
        if line.startswith("->"):
            arrows += [Arrow(*arrow.split("-")) for arrow in line.split()[1:]]
        elif line:
            box, column, row, kind, words = line.split(maxsplit=4)
            boxes.append(Box(box, int(column), float(row), tuple(words.split(" | ")), kind))
    return boxes, arrows


def diagram(name: str) -> str:
    """Return the block diagram of a core or a unit as SVG; a core's own blocks have its colour."""
    boxes, arrows = parts(name)
    if name in UNIT_DIAGRAMS:
        return draw(boxes, arrows, f"Block diagram of {name}: {UNIT_DIAGRAMS[name][0]}")
    return draw(boxes, arrows, f"Block diagram of {name}: {get_core(name).title}", mark_of(name))


def draw(
    boxes: Sequence[Box], arrows: Sequence[Arrow], title: str, mark: dict[str, str] | None = None
) -> str:
    """Return a diagram as SVG."""
    colour = mark["colour"] if mark else "#0072b2"
    width = (max(box.column for box in boxes) + 1) * (_WIDTH + _ACROSS) - _ACROSS + 2 * _EDGE
    height = (max(box.row for box in boxes) + 1) * (_HEIGHT + _DOWN) - _DOWN + 2 * _EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0f}" '
        f'width="{width}" height="{height:.0f}" role="img" font-family="sans-serif">',
        f"<title>{escape(title)}</title>",
        '<defs><marker id="tip" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">'
        '<path d="M0 0L9 4L0 8z" fill="#3c4650"/></marker></defs>',
        f'<rect width="{width}" height="{height:.0f}" rx="8" fill="#fbfcfd"/>',
    ]
    places = {
        box.name: (_EDGE + box.column * (_WIDTH + _ACROSS), _EDGE + box.row * (_HEIGHT + _DOWN))
        for box in boxes
    }
    for arrow in arrows:
        parts += _line(places[arrow.start], places[arrow.end], arrow.text)
    for box in boxes:
        parts += _drawn(box, places[box.name], colour)
    return "\n".join([*parts, "</svg>", ""])


def _drawn(box: Box, corner: tuple[float, float], colour: str) -> list[str]:
    x, y = corner
    edge, thick = (colour, 2.4) if box.kind == "core" else ("#8a949e", 1.2)
    found = [
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{_WIDTH}" height="{_HEIGHT}" rx="5" '
        f'fill="{_FILLS[box.kind]}" stroke="{edge}" stroke-width="{thick}"/>'
    ]
    first = y + _HEIGHT / 2 + 4.5 - 8 * (len(box.lines) - 1)
    for number, text in enumerate(box.lines):
        weight = ' font-weight="600"' if number == 0 else ""
        found.append(
            f'<text x="{x + _WIDTH / 2:.0f}" y="{first + 16 * number:.1f}" text-anchor="middle" '
            f'font-size="{12.5 if number == 0 else 11.5}" fill="#1b1f24"{weight}>'
            f"{escape(text)}</text>"
        )
    return found


def _line(start: tuple[float, float], end: tuple[float, float], text: str) -> list[str]:
    (x0, y0), (x1, y1) = start, end
    if x0 == x1:
        down = y1 > y0
        points = [
            (x0 + _WIDTH / 2, y0 + (_HEIGHT if down else 0)),
            (x1 + _WIDTH / 2, y1 + (0 if down else _HEIGHT)),
        ]
    else:
        right = x1 > x0
        first = (x0 + (_WIDTH if right else 0), y0 + _HEIGHT / 2)
        last = (x1 + (0 if right else _WIDTH), y1 + _HEIGHT / 2)
        middle = last[0] + (-_ACROSS / 2 if right else _ACROSS / 2)
        points = [first, (middle, first[1]), (middle, last[1]), last]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    found = [
        f'<path d="{path}" fill="none" stroke="#3c4650" stroke-width="1.3" marker-end="url(#tip)"/>'
    ]
    if text:
        (ax, ay), (bx, _) = points[0], points[1]
        found.append(
            f'<text x="{(ax + bx) / 2 + 2:.1f}" y="{ay - 5:.1f}" text-anchor="middle" '
            f'font-size="11" fill="#3c4650">{escape(text)}</text>'
        )
    return found
