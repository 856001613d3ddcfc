# SPDX-License-Identifier: Apache-2.0
"""A design to synthesise: a top module, its sources and its parameters."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.support.files import write_whole
from montcore.support.paths import cache_dir


def snapshot(sources: Sequence[Path]) -> tuple[Path, ...]:
    """Return copies of sources that cannot be edited while a long run reads them repeatedly.

    The copies are kept in the cache folder, keyed by their content.
    """
    copies = []
    for source in sources:
        try:
            content = source.read_bytes()
        except OSError as error:
            raise RequestError(
                f"the source file {source} cannot be read: {error.strerror}"
            ) from None
        home = cache_dir() / "sources" / hashlib.sha256(content).hexdigest()[:20]
        copy = home / source.name
        if not (copy.is_file() and copy.read_bytes() == content):
            write_whole(copy, content.decode())
        copies.append(copy)
    return tuple(copies)


@dataclass(frozen=True)
class Design:
    """A synthesisable design.

    Attributes:
        sources: SystemVerilog files, packages first.
        parameters: overrides of the top module's parameters.
        clock: name of the clock port.
        shared: modules that are lowered to gates once for all their instances with the same
            parameters, before everything is flattened (ASIC targets).
        fast_clock: name of a second clock port, twice as fast; empty if there is none.
        defines: preprocessor macros defined for the sources.
        choices: deviations from the usual flow, `Core.flow_choices`.
    """

    top: str
    sources: tuple[Path, ...]
    parameters: tuple[tuple[str, int], ...] = ()
    clock: str = "clk_i"
    shared: tuple[str, ...] = ()
    fast_clock: str = ""
    defines: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls,
        top: str,
        sources: Sequence[Path],
        parameters: Mapping[str, int] | None = None,
        clock: str = "clk_i",
        shared: Sequence[str] = (),
        fast_clock: str = "",
        defines: Sequence[str] = (),
        choices: Mapping[str, str] | None = None,
    ) -> "Design":
        """Return a design with checked, absolute paths.

        Raises:
            RequestError: a source does not exist.
        """
        paths = tuple(Path(source).resolve() for source in sources)
        for path in paths:
            if not path.is_file():
                raise RequestError(f"the source file {path} does not exist")
        values = tuple(sorted((parameters or {}).items()))
        chosen = tuple(sorted((choices or {}).items()))
        return cls(top, paths, values, clock, tuple(shared), fast_clock, tuple(defines), chosen)

    def choice(self, name: str) -> str:
        """Return a choice of the flow, or an empty string."""
        return dict(self.choices).get(name, "")

    def read_command(self, work: Path, *flags: str) -> str:
        """Return the Yosys command that elaborates the design.

        The arguments go through a command file in `work`, where paths may be quoted.
        """
        lines = ["--top " + self.top, *flags, *(f"-D {name}" for name in self.defines)]
        lines += [f"-G {name}={value}" for name, value in self.parameters]
        lines += [f'"{path}"' for path in self.sources]
        (work / "design.f").write_text("\n".join(lines) + "\n")
        return "read_slang -f design.f"
