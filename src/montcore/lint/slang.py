# SPDX-License-Identifier: Apache-2.0
"""Elaborate SystemVerilog with slang: ``python -m montcore.lint.slang FILE ...``.

The pyslang package has no program, only the library, which writes its findings to standard error.
Exit status 0 only if there is neither an error nor a warning.
"""

import sys

from pyslang import driver

# All warnings, as errors, but for those that contradict how the sources are meant to be written.
_OPTIONS = (
    "-Weverything",
    "-Werror",
    "-Wno-case-redundant-default",  # `unique case` with a default is what the style asks for
    "-Wno-case-enum-explicit",  # that default may stand for several values
    "-Wno-useless-cast",  # a cast to a parametrised width is useless for one value only
    "-Wno-sign-compare",  # a genvar is signed, and is compared with counters, which are not
    "-Wno-packed-array-conv",  # `clear ? '0 : rows` loses the array's inner dimension
    "-Wno-unused-package-typedef",  # used in a schedule that the default parameters leave out
    "-Wno-unused-but-set-variable",  # Verilator checks this, and knows our prefix unused_
)


def main(files: list[str]) -> int:
    """Compile, elaborate and analyse the files together; return 0 if slang found nothing."""
    slang = driver.Driver()
    slang.addStandardArgs()
    quoted = " ".join(f'"{file}"' for file in files)
    ready = (
        slang.parseCommandLine(f"slang {' '.join(_OPTIONS)} {quoted}")
        and slang.processOptions()
        and slang.parseAllSources()
    )
    return 0 if ready and slang.runFullCompilation(True) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
