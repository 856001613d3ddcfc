# SPDX-License-Identifier: Apache-2.0
"""Point formulas as graphs of products, sums and differences.

Each formula is plain Python over `Value`s, so that it reads as in its source. Tracing it gives a
`Dag`, from which `schedule` generates the engine's code. The formulas are complete: they hold for
every pair of points of a curve of odd order, including equal and opposite points and infinity.

Sources: Renes, Costello, Batina (Eurocrypt 2016) for short Weierstrass curves, projective;
Bernstein, Birkner, Joye, Lange, Peters (Africacrypt 2008) for twisted Edwards curves, projective;
RFC 7748 for the ladder.
"""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Dag:
    """A formula: `nodes` in order, each (kind, left, right), where kind is one of input * + - ?.

    `?` selects left or right by the ladder's bit.
    """

    nodes: list[tuple[str, int, int]] = field(default_factory=list)
    inputs: dict[str, int] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)

    def make(self, kind: str, left: int, right: int) -> "Value":
        """Add a node."""
        self.nodes.append((kind, left, right))
        return Value(self, len(self.nodes) - 1)

    def input(self, name: str) -> "Value":
        """Return the input of that name."""
        if name not in self.inputs:
            self.inputs[name] = self.make("input", -1, -1).node
        return Value(self, self.inputs[name])


@dataclass(frozen=True)
class Value:
    """A node of a formula."""

    dag: Dag
    node: int

    def __mul__(self, other: "Value") -> "Value":
        return self.dag.make("*", self.node, other.node)

    def __add__(self, other: "Value") -> "Value":
        return self.dag.make("+", self.node, other.node)

    def __sub__(self, other: "Value") -> "Value":
        return self.dag.make("-", self.node, other.node)

    def choose(self, other: "Value") -> "Value":
        """Return this value, or the other one if the ladder swaps."""
        return self.dag.make("?", self.node, other.node)


Formula = Callable[[Callable[[str], Value]], dict[str, Value]]


def trace(formula: Formula) -> Dag:
    """Return the graph of a formula."""
    dag = Dag()
    outputs = formula(dag.input)
    dag.outputs = {name: value.node for name, value in outputs.items()}
    return dag


def _points(i: Callable[[str], Value]) -> tuple[Value, ...]:
    return tuple(i(name) for name in ("X1", "Y1", "Z1", "X2", "Y2", "Z2"))


def add_minus_3(i: Callable[[str], Value]) -> dict[str, Value]:
    """Algorithm 4 of Renes, Costello and Batina, a = -3: 12 products, 2 of them by b."""
    x1, y1, z1, x2, y2, z2 = _points(i)
    b = i("b")
    t0, t1, t2 = x1 * x2, y1 * y2, z1 * z2
    t3 = (x1 + y1) * (x2 + y2) - (t0 + t1)
    t4 = (y1 + z1) * (y2 + z2) - (t1 + t2)
    y3 = (x1 + z1) * (x2 + z2) - (t0 + t2)
    z3 = y3 - b * t2
    z3 = z3 + z3 + z3
    u, v = t1 - z3, t1 + z3
    t2 = t2 + t2 + t2
    y3 = b * y3 - t2 - t0
    y3 = y3 + y3 + y3
    t0 = t0 + t0 + t0 - t2
    return {"X1": t3 * v - t4 * y3, "Y1": u * v + t0 * y3, "Z1": t4 * u + t3 * t0}


def double_minus_3(i: Callable[[str], Value]) -> dict[str, Value]:
    """Algorithm 6 of Renes, Costello and Batina, a = -3: 13 products, 2 of them by b."""
    x, y, z, b = i("X1"), i("Y1"), i("Z1"), i("b")
    t0, t1, t2 = x * x, y * y, z * z
    t3 = x * y
    t3 = t3 + t3
    z3 = x * z
    z3 = z3 + z3
    y3 = b * t2 - z3
    y3 = y3 + y3 + y3
    u, v = t1 - y3, t1 + y3
    t2 = t2 + t2 + t2
    w = b * z3 - t2 - t0
    w = w + w + w
    t0 = t0 + t0 + t0 - t2
    s = y * z
    s = s + s
    r = s * t1
    r = r + r
    return {"X1": u * t3 - s * w, "Y1": u * v + t0 * w, "Z1": r + r}


def add_any(i: Callable[[str], Value]) -> dict[str, Value]:
    """Algorithm 1 of Renes, Costello and Batina, any a: 12 products, 3 by a, 2 by 3 b."""
    x1, y1, z1, x2, y2, z2 = _points(i)
    a, b3 = i("a"), i("b3")
    t0, t1, t2 = x1 * x2, y1 * y2, z1 * z2
    t3 = (x1 + y1) * (x2 + y2) - (t0 + t1)
    t4 = (x1 + z1) * (x2 + z2) - (t0 + t2)
    t5 = (y1 + z1) * (y2 + z2) - (t1 + t2)
    z3 = b3 * t2 + a * t4
    u, v = t1 - z3, t1 + z3
    at2 = a * t2
    s = t0 + t0 + t0 + at2
    w = b3 * t4 + a * (t0 - at2)
    return {"X1": t3 * u - t5 * w, "Y1": u * v + s * w, "Z1": t5 * v + t3 * s}


def double_any(i: Callable[[str], Value]) -> dict[str, Value]:
    """Algorithm 3 of Renes, Costello and Batina, any a: 11 products, 3 by a, 2 by 3 b."""
    x, y, z, a, b3 = i("X1"), i("Y1"), i("Z1"), i("a"), i("b3")
    t0, t1, t2 = x * x, y * y, z * z
    t3 = x * y
    t3 = t3 + t3
    z3 = x * z
    z3 = z3 + z3
    y3 = a * z3 + b3 * t2
    u, v = t1 - y3, t1 + y3
    at2 = a * t2
    w = a * (t0 - at2) + b3 * z3
    s = t0 + t0 + t0 + at2
    r = y * z
    r = r + r
    q = r * t1
    q = q + q
    return {"X1": u * t3 - r * w, "Y1": u * v + s * w, "Z1": q + q}


def add_zero(i: Callable[[str], Value]) -> dict[str, Value]:
    """Algorithm 7 of Renes, Costello and Batina, a = 0: 12 products, 2 by 3 b."""
    x1, y1, z1, x2, y2, z2 = _points(i)
    b3 = i("b3")
    t0, t1, t2 = x1 * x2, y1 * y2, z1 * z2
    t3 = (x1 + y1) * (x2 + y2) - (t0 + t1)
    t4 = (y1 + z1) * (y2 + z2) - (t1 + t2)
    y3 = (x1 + z1) * (x2 + z2) - (t0 + t2)
    t0 = t0 + t0 + t0
    t2 = b3 * t2
    v, u = t1 + t2, t1 - t2
    y3 = b3 * y3
    return {"X1": t3 * u - t4 * y3, "Y1": u * v + t0 * y3, "Z1": v * t4 + t0 * t3}


def double_zero(i: Callable[[str], Value]) -> dict[str, Value]:
    """Algorithm 9 of Renes, Costello and Batina, a = 0: 8 products, 1 by 3 b."""
    x, y, z, b3 = i("X1"), i("Y1"), i("Z1"), i("b3")
    t0, t2 = y * y, b3 * (z * z)
    z4 = t0 + t0
    z4 = z4 + z4
    z8 = z4 + z4
    t1 = y * z
    u = t0 - (t2 + t2 + t2)
    x3 = u * (x * y)
    z3 = t1 * z4
    return {"X1": x3 + x3, "Y1": u * (t0 + t2) + t2 * z8, "Z1": z3 + z3}


def add_edwards(i: Callable[[str], Value]) -> dict[str, Value]:
    """add-2008-bbjlp, any a and d: 11 products, one by a, one by d."""
    x1, y1, z1, x2, y2, z2 = _points(i)
    a, d = i("a"), i("b")
    t = z1 * z2
    s = t * t
    c, e = x1 * x2, y1 * y2
    h = d * (c * e)
    f, g = s - h, s + h
    k = (x1 + y1) * (x2 + y2) - c - e
    tf, tg = t * f, t * g
    x3, y3, z3 = tf * k, tg * (e - a * c), f * g
    zero = i("zero")
    return {"X1": x3 + zero, "Y1": y3 + zero, "Z1": z3 + zero}


def double_edwards(i: Callable[[str], Value]) -> dict[str, Value]:
    """dbl-2008-bbjlp, any a: 7 products and one by a."""
    x, y, z, a = i("X1"), i("Y1"), i("Z1"), i("a")
    s = x + y
    b, c, d, h = s * s, x * x, y * y, z * z
    e = a * c
    f = e + d
    j = f - (h + h)
    x3, y3, z3 = (b - c - d) * j, f * (e - d), f * j
    zero = i("zero")
    return {"X1": x3 + zero, "Y1": y3 + zero, "Z1": z3 + zero}


def ladder_step(i: Callable[[str], Value]) -> dict[str, Value]:
    """The ladder step of RFC 7748, including the conditional swap: 10 products."""
    p, q, r, s = i("X2"), i("Z2"), i("X3"), i("Z3")
    x2, z2, x3, z3 = p.choose(r), q.choose(s), r.choose(p), s.choose(q)
    aa, bb = x2 + z2, x2 - z2
    c, d = x3 + z3, x3 - z3
    da, cb = d * aa, c * bb
    aa, bb = aa * aa, bb * bb
    e = aa - bb
    s, t = da + cb, da - cb
    return {"X2": aa * bb, "Z2": e * (aa + i("a24") * e), "X3": s * s, "Z3": i("u") * (t * t)}


FORMULAS: dict[str, Formula] = {
    "add_minus_3": add_minus_3,
    "double_minus_3": double_minus_3,
    "add_any": add_any,
    "double_any": double_any,
    "add_zero": add_zero,
    "double_zero": double_zero,
    "add_edwards": add_edwards,
    "double_edwards": double_edwards,
    "ladder_step": ladder_step,
}
