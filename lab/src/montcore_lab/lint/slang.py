# SPDX-License-Identifier: Apache-2.0
"""Elaborate SystemVerilog with slang: ``python -m montcore_lab.lint.slang FILE ...``.

The pyslang package has no program, only the library, which writes its findings to standard error.
Exit status 0 only if there is neither an error nor a warning. Without a file, standard input is a
JSON list of lists: slang's arguments for one design each, which are elaborated one by one.
"""

import json
import sys
from collections.abc import Iterable
from typing import Any

from pyslang import ast, driver

# All warnings, as errors, except those that contradict the style of the sources.
_OPTIONS = (
    "-Weverything",
    "-Werror",
    "-Wno-case-redundant-default",  # the style requires `unique case` with a default
    "-Wno-case-enum-explicit",  # that default may cover several values
    "-Wno-useless-cast",  # a cast to a parametrised width is useless for one value only
    "-Wno-sign-compare",  # a genvar is signed, and is compared with counters, which are not
    "-Wno-packed-array-conv",  # `clear ? '0 : rows` loses the array's inner dimension
    "-Wno-unused-package-typedef",  # used in a schedule that the default parameters leave out
    "-Wno-unused-but-set-variable",  # Verilator checks this, and knows our prefix unused_
)
# For one design in one style: these warnings concern code that another style uses, or are reported
# by the check of all sources together.
_STYLE_OPTIONS = (
    "-Wno-unused-def",
    "-Wno-unused-package-subroutine",
    "-Wno-unused-package-parameter",
    "-Wno-arith-op-mismatch",  # the factors of a multiplication keep their widths, for DSP blocks
    "-Wno-shift-count-overflow",  # a one-hot mark of a single row leaves it by a shift of 1
    "-Wno-logical-op-parentheses",  # && binds closer than ||, which Verible takes as well
)


def elaborate(words: Iterable[str], options: Iterable[str] = ()) -> bool:
    """Compile, elaborate and analyse one design; tell whether nothing was found.

    Args:
        words: files, and slang's arguments for this design.
        options: further warnings to disable.
    """
    slang = driver.Driver()
    slang.addStandardArgs()
    quoted = " ".join(f'"{word}"' for word in words)
    return bool(
        slang.parseCommandLine(f"slang {' '.join([*_OPTIONS, *options])} {quoted}")
        and slang.processOptions()
        and slang.parseAllSources()
        and slang.runFullCompilation(True)
        and not enum_choices(slang.createCompilation())
    )


def enum_choices(design: Any) -> set[str]:
    """Print and return the places of choices between enum values, which Icarus Verilog 13 refuses.

    In a procedure it wants a cast of such a choice to the enum, which version 11 does not know.
    """
    files, found = design.sourceManager, set[str]()

    def see(node: object) -> None:
        if (
            isinstance(node, ast.AssignmentExpression)
            and node.left.type.isEnum
            and node.right.kind == ast.ExpressionKind.ConditionalOp
        ):
            start = node.sourceRange.start
            found.add(f"{files.getFileName(start)}:{files.getLineNumber(start)}")

    def enter(node: object) -> None:
        if isinstance(node, ast.ProceduralBlockSymbol):
            node.body.visit(see)

    design.getRoot().visit(enter)
    for place in sorted(found):
        print(f"{place}: error: use if: this choice is between enum values", file=sys.stderr)
    return found


def main(files: list[str]) -> int:
    """Elaborate all files together, or the designs on standard input; return the exit status."""
    if files:
        return 0 if elaborate(files) else 1
    results = [elaborate(words, _STYLE_OPTIONS) for words in json.load(sys.stdin)]
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
