# SPDX-License-Identifier: Apache-2.0
"""One simulator for all faults of the test core, because compiling one takes a second."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from fixture_core import FixtureCore
from programs import write_script

from montcore.cores.core import Core
from montcore.sim.build import RtlBuild


@dataclass(frozen=True, kw_only=True)
class AnyFault(RtlBuild):
    """The build whose fault is chosen by a script in a folder."""

    fault: int
    folder: Path

    def executable(self, *, wave: bool = False, snapshot: bool = False) -> Path:
        build = replace(self, parameters={**self.parameters, "Bug": 0})
        path = RtlBuild.executable(build, wave=wave, snapshot=snapshot)
        text = f'FIXTURE_FAULT={self.fault} exec "{path}" "$@"'
        script = self.folder / f"{path.parent.name}-{self.fault}"
        return script if script.exists() else write_script(script, text)


def share_simulator(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all faults of the test core with equal widths run in one simulator; scripts go there."""
    of_core = RtlBuild.of_core

    def build(core: Core) -> RtlBuild:
        if not isinstance(core, FixtureCore):
            return of_core(core)
        rtl = {**vars(of_core(core)), "extra_flags": ("-DFIXTURE_ANY_FAULT",)}
        return AnyFault(**rtl, fault=core.bug, folder=folder)

    monkeypatch.setattr(RtlBuild, "of_core", build)
