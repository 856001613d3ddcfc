# SPDX-License-Identifier: Apache-2.0
"""Assertions that are alive: each can fail, and each of its disjuncts is needed.

A task whose name begins with `alive` runs a copy of the property file in which every assertion is
replaced by those that remain when one of its disjuncts is dropped. One bounded run shows which of
them fail. What fails was reached, and without the dropped disjunct the property would be false;
what never fails is vacuous or says nothing.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

#: Disjuncts that no run reaches, by property file, and why.
UNSEEN = {
    # The first result comes in cycle 71. In the 20 cycles after it, which the solver takes minutes
    # for, no engine was seen busy without a product that is due.
    "dsp_engine_proof": {("a_idle", "!busy"), ("a_idle", "ticks_q < 8'(Half * Alpha + 4)")},
    # With four rows or more, within 40 cycles after reset, no error and no end of an answer meets
    # the cycle in which F takes a result. For that size the proof is bounded to 26 cycles as well.
    "smm_fast_sequencer_proof": {
        *(("a_f_taken", "out_error_q"), ("a_f_taken", "result_gone")),
        ("a_f_not_leaving", "result_gone"),
    },
}
_ASSERTION = re.compile(r"(?:(\w+)\s*:\s*)?\bassert\s*\(")


@dataclass(frozen=True)
class Disjunct:
    """One disjunct of an assertion.

    Attributes:
        name: name of the variant without it, unique in its file.
        label: name of the assertion.
        text: the disjunct.
    """

    name: str
    label: str
    text: str

    @property
    def assertion(self) -> str:
        """Return what the parts of one assertion have in common."""
        return self.name.rpartition("_")[0]


def _inside(text: str, start: int) -> str:
    """Return what stands between the parenthesis at `start` and the one that closes it."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return text[start + 1 : place]
    raise ValueError("a parenthesis is not closed")


def _disjuncts(expression: str) -> list[str]:
    """Return the operands of the outermost `||` of an expression, or the expression alone."""
    while expression.startswith("(") and _inside(expression, 0) == expression[1:-1]:
        expression = expression[1:-1].strip()
    parts, depth, last = [], 0, 0
    for place, letter in enumerate(expression):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and letter == "?":  # a choice binds weaker than ||
            return [expression]
        if depth == 0 and expression.startswith("||", place):
            parts.append(expression[last:place].strip())
            last = place + 2
    return [*parts, expression[last:].strip()]


def variants(text: str) -> tuple[str, list[Disjunct]]:
    """Return a property file with variants in place of its assertions, and what each one drops."""
    # Comments, of the same length, so that places stay.
    code = re.sub(r"//.*", lambda comment: " " * len(comment[0]), text)
    out, last, parts = "", 0, list[Disjunct]()
    for number, found in enumerate(_ASSERTION.finditer(code)):
        expression = _inside(code, found.end() - 1)
        label = found[1] or f"line_{code.count(chr(10), 0, found.start()) + 1}"
        dropped = _disjuncts(expression.strip())
        new = ""
        for place, part in enumerate(dropped):
            others = [one for one in dropped if one is not part]
            # What is left then is the switch of a mutant, which is off.
            if others and all(one.startswith("`MUTANT") for one in others):
                continue
            # A free bit of its own keeps Yosys from merging two variants.
            rest = [*(f"({one})" for one in others), f"free_alive[{len(parts)}]"]
            name = f"{label}__{number}_{place}"
            parts.append(Disjunct(name, label, " ".join(part.split())))
            new += f" {name} : assert ({' || '.join(rest)});"
        out += text[last : found.start()] + f"begin{new} end"
        last = code.index(";", found.end() + len(expression)) + 1
    out += text[last:]
    head = out.index("\n    input ") + 1
    return f"{out[:head]}    input logic [{len(parts)}:0] free_alive,\n{out[head:]}", parts


def failed(log: str) -> set[str]:
    """Return the names of the variants that failed in a run."""
    return set(re.findall(r"[Aa]ssert failed in .*?(\w+__\d+_\d+)", log))


def parts_of(file: Path) -> list[Disjunct]:
    """Return the disjuncts of all assertions of a property file."""
    return variants(file.read_text(encoding="utf-8"))[1]


def dead(file: Path, texts: Iterable[str], excepted: bool = False) -> list[Disjunct]:
    """Return the parts of a property file that are alive in none of its runs.

    Args:
        file: the property file.
        texts: the names of the variants that fail in each run, with spaces between them.
        excepted: return those of `UNSEEN` instead of the others.
    """
    alive = set(re.findall(r"\w+__\d+_\d+", " ".join(texts)))
    unseen = UNSEEN.get(file.stem, set())
    return [
        part
        for part in parts_of(file)
        if part.name not in alive and ((part.label, part.text) in unseen) == excepted
    ]
