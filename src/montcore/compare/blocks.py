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
        name: identifier used by arrows.
        column, row: its position on the grid; rows may be half-integral.
        lines: its text.
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

#: Inputs of the streams and output of the result, the same in every core.
_FRONT = (
    Box("m", 0, 0, ("M stream", "modulus, its constants"), "port"),
    Box("x", 0, 1, ("X stream", "word by word"), "port"),
    Box("y", 0, 2, ("Y stream",), "port"),
    Box("check", 1, 0, ("front", "checks M, X, Y"), "logic"),
)


def _row(cell: str, select: str, extra: Sequence[Box] = ()) -> tuple[list[Box], list[Arrow]]:
    """Return the diagram of a row of blocks that processes X digit by digit."""
    boxes = [
        *_FRONT,
        Box("shift", 1, 1, ("shift register of X", select), "memory"),
        Box("hold", 1, 2, ("Y and M", "one word in each block"), "memory"),
        Box("blocks", 2, 1, ("row of blocks", cell), "core"),
        Box("digit", 2, 0, ("quotient digit", "lowest bits of T"), "logic"),
        Box("back", 3, 1, ("output stage", "carries, one subtraction"), "logic"),
        Box("z", 4, 1, ("Z stream", "0 <= Z < M"), "port"),
        *extra,
    ]
    arrows = [
        *(Arrow("m", "check"), Arrow("x", "shift"), Arrow("y", "hold")),
        *(Arrow("shift", "blocks", "digit"), Arrow("hold", "blocks"), Arrow("digit", "blocks")),
        *(Arrow("check", "digit"), Arrow("blocks", "back", "T"), Arrow("back", "z")),
    ]
    return boxes, arrows


def _smm() -> tuple[list[Box], list[Arrow]]:
    boxes = [
        *_FRONT,
        Box("xmem", 1, 1, ("memory of X", "a word a pass"), "memory"),
        Box("ymem", 1, 2, ("memories of Y, M, M'", "a row of words a cycle"), "memory"),
        Box("pe", 2, 1, ("processing elements", "npe of them, w x w bits"), "core"),
        Box("t", 2, 2, ("memory of T",), "memory"),
        Box("digit", 2, 0, ("lowest word of T", "is the digit"), "logic"),
        Box("back", 3, 1, ("compare, subtract M",), "logic"),
        Box("z", 4, 1, ("Z stream", "0 <= Z < M"), "port"),
    ]
    arrows = [
        *(Arrow("m", "check"), Arrow("x", "xmem"), Arrow("y", "ymem"), Arrow("xmem", "pe", "x_n")),
        *(Arrow("ymem", "pe"), Arrow("digit", "pe"), Arrow("check", "digit", "n0'")),
        *(Arrow("pe", "t"), Arrow("pe", "back", "S"), Arrow("back", "z")),
    ]
    return boxes, arrows


def _karatsuba() -> tuple[list[Box], list[Arrow]]:
    boxes = [
        *_FRONT,
        Box("split", 1, 1, ("halves and their", "differences"), "logic"),
        Box("const", 2, 0, ("M', n0', M",), "memory"),
        Box("units", 2, 1, ("4 (fast) or 3 (lean)", "pipelined multipliers"), "core"),
        Box("sum", 3, 1, ("sums: T, T', q, S",), "logic"),
        Box("queue", 2, 2, ("queue of products", "under way"), "memory"),
        Box("z", 4, 1, ("Z stream", "S - 0, M or 2M"), "port"),
    ]
    arrows = [
        *(Arrow("m", "check"), Arrow("x", "split"), Arrow("y", "split"), Arrow("split", "units")),
        *(Arrow("check", "const"), Arrow("const", "units"), Arrow("units", "sum")),
        Arrow("queue", "units"),
        Arrow("sum", "z"),
    ]
    return boxes, arrows


def _dsp() -> tuple[list[Box], list[Arrow]]:
    boxes = [
        *_FRONT,
        Box("feed", 1, 1, ("feeder", "32-bit words to 17 bits"), "logic"),
        Box("mem", 1, 2, ("memories of A, M''", "beside each block"), "memory"),
        Box("row", 2, 1, ("alpha DSP blocks", "b_i A, then q M''"), "core"),
        Box("digit", 2, 0, ("digits, known one", "step earlier"), "logic"),
        Box("last", 3, 1, ("division by 2^34", "in the same row"), "logic"),
        Box("z", 4, 1, ("Z stream", "0 <= Z < M"), "port"),
    ]
    arrows = [
        *(Arrow("m", "check"), Arrow("x", "feed"), Arrow("y", "mem"), Arrow("feed", "row", "b_i")),
        *(Arrow("mem", "row"), Arrow("digit", "row"), Arrow("row", "last", "S")),
        *(Arrow("last", "z"), Arrow("check", "digit")),
    ]
    return boxes, arrows


#: The diagram of each core.
DIAGRAMS = {
    "smm": _smm,
    "mx": lambda: _row("x_i Y and q M in turn", "one bit in two cycles"),
    "cs": lambda: _row("x_i Y + q M, carry-save", "a bit a cycle"),
    "op": lambda: _row("0, Y, M or Y + M", "a bit a cycle"),
    "rc": lambda: _row("x_i Y + q M, ripple carry", "a bit a cycle"),
    "cs4": lambda: _row("two bits, carry-save", "two bits a cycle"),
    "hr": lambda: _row("k multiples, k adders", "k = 2, 4, 6 or 8 bits"),
    "karatsuba": _karatsuba,
    "dsp": _dsp,
}


def _modexp() -> tuple[list[Box], list[Arrow]]:
    boxes = [
        Box("m", 0, 0, ("M stream", "length and modulus"), "port"),
        Box("x", 0, 1, ("X stream", "base, or a factor"), "port"),
        Box("y", 0, 2, ("Y stream", "exponent and policy"), "port"),
        Box("packets", 1, 1, ("packets", "checks M, base, e"), "logic"),
        Box("bits", 1, 2, ("bits of the exponent",), "memory"),
        Box("store", 2, 0, ("store: M, R^2,", "base, result"), "memory"),
        Box("sequence", 2, 1, ("sequence", "squares and products"), "core"),
        Box("window", 2, 2, ("window", "5 bits, or a ladder"), "logic"),
        Box("table", 3, 0, ("table of powers", "all entries are read"), "memory"),
        Box("multiplier", 3, 1, ("any multiplier core", "by the common port"), "core"),
        Box("clear", 3, 2, ("clear", "after every result"), "logic"),
        Box("z", 4, 1, ("Z stream", "0 <= Z < M"), "port"),
    ]
    arrows = [
        *(Arrow("m", "packets"), Arrow("x", "packets"), Arrow("y", "packets")),
        *(Arrow("packets", "store"), Arrow("packets", "bits"), Arrow("bits", "window")),
        *(Arrow("window", "sequence"), Arrow("store", "sequence"), Arrow("table", "multiplier")),
        *(Arrow("sequence", "multiplier"), Arrow("store", "table"), Arrow("multiplier", "z")),
        Arrow("clear", "multiplier"),
    ]
    return boxes, arrows


def _ecc() -> tuple[list[Box], list[Arrow]]:
    boxes = [
        Box("cfg", 0, 0, ("curve", "p, n, a, b, base point"), "port"),
        Box("xy", 0, 1, ("request", "scalars and points"), "port"),
        Box("random", 0, 2, ("random words", "from outside, watched"), "port"),
        Box("packets", 1, 0, ("packets", "checks the numbers"), "logic"),
        Box("scalar", 1, 1, ("digits of k + r n", "all odd, none zero"), "logic"),
        Box("blind", 1, 2, ("random numbers", "below the modulus"), "logic"),
        Box("rom", 2, 0, ("program", "scheduled for the core"), "memory"),
        Box("sequence", 2, 1, ("sequence", "an instruction a cycle"), "core"),
        Box("table", 2, 2, ("table of points", "all entries are read"), "memory"),
        Box("multiplier", 3, 0, ("any multiplier core", "by the common port"), "core"),
        Box("elements", 3, 1, ("elements", "16 products, 16 sums"), "memory"),
        Box("adder", 3, 2, ("adder", "sums mod p or n"), "logic"),
        Box("z", 4, 1, ("answer", "point or signature"), "port"),
    ]
    arrows = [
        *(Arrow("cfg", "packets"), Arrow("xy", "scalar"), Arrow("random", "blind")),
        *(Arrow("packets", "scalar"), Arrow("scalar", "sequence"), Arrow("rom", "sequence")),
        *(Arrow("blind", "scalar"), Arrow("table", "sequence")),
        *(Arrow("sequence", "elements"), Arrow("elements", "multiplier")),
        *(Arrow("elements", "adder"), Arrow("elements", "z")),
    ]
    return boxes, arrows


def _pka() -> tuple[list[Box], list[Arrow]]:
    boxes = [
        Box("bus", 0, 2, ("bus", "AXI, APB, Wishbone, TL"), "port"),
        Box("shell", 1, 2, ("shell of the bus",), "logic"),
        Box("irq", 2, 0, ("interrupt",), "port"),
        Box("registers", 2, 1, ("registers", "commands, states"), "logic"),
        Box("memory", 2, 2, ("operand memory", "8 slots, 2 of the key"), "memory"),
        Box("sequence", 3, 1, ("sequence", "one command at a time"), "core"),
        Box("feeder", 3, 2, ("feeder", "words to beats"), "logic"),
        Box("gear", 4, 3, ("gear", "beats to words"), "logic"),
        Box("unit", 4, 2, ("modexp", "over any multiplier"), "core"),
    ]
    arrows = [
        *(Arrow("bus", "shell"), Arrow("shell", "registers"), Arrow("shell", "memory")),
        *(Arrow("registers", "irq"), Arrow("registers", "sequence"), Arrow("sequence", "feeder")),
        *(Arrow("memory", "feeder"), Arrow("feeder", "unit"), Arrow("unit", "gear")),
        Arrow("gear", "memory"),
    ]
    return boxes, arrows


#: The diagrams of units built over a core, with their titles.
UNIT_DIAGRAMS = {
    "modexp": ("exponentiator over any core", _modexp),
    "ecc": ("curve engine over any core", _ecc),
    "pka": ("accelerator behind a bus", _pka),
}
#: Names of all diagrams.
ALL_DIAGRAMS = (*DIAGRAMS, *UNIT_DIAGRAMS)


def parts(name: str) -> tuple[list[Box], list[Arrow]]:
    """Return the boxes and arrows of the diagram of a core or a unit."""
    return (UNIT_DIAGRAMS[name][1] if name in UNIT_DIAGRAMS else DIAGRAMS[name])()


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
    places = {box.name: _corner(box) for box in boxes}
    for arrow in arrows:
        parts += _line(places[arrow.start], places[arrow.end], arrow.text)
    for box in boxes:
        parts += _drawn(box, places[box.name], colour)
    return "\n".join([*parts, "</svg>", ""])


def _corner(box: Box) -> tuple[float, float]:
    return (
        _EDGE + box.column * (_WIDTH + _ACROSS),
        _EDGE + box.row * (_HEIGHT + _DOWN),
    )


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
