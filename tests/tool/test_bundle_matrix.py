# SPDX-License-Identifier: Apache-2.0
"""`build` exports every unit over every core, bus and target, or reports why it cannot.

For each combination the verb is run up to the first file. The written RTL is elaborated by slang: a
bundle over each core, and with `-m nightly` every unit over every style of every core for every
target. No test simulates.
"""

from dataclasses import dataclass
from itertools import cycle, product
from pathlib import Path
from typing import Any, NoReturn

import pytest
from bundle_files import files_of, only_write, top_of

from montcore.bundle import parts
from montcore.cli.build import build
from montcore.cores import all_cores
from montcore.cores.core import Core
from montcore.hdl.modules import read_design
from montcore.soc.wrapper import BUSES, STREAM, top
from montcore.support.errors import CheckFailedError, RequestError
from montcore.synth.target import all_targets, get_target

#: Built width in bits, at which there is a curve.
BITS = 128
CLOCKS = ("one", "two")
#: Units that `build` exports, with their options besides the core.
UNITS = {
    "multiplier": {},
    "modexp": {"core": "modexp"},
    "ecc": {"core": "ecc"},
    "exponentiator": {"core": "pka"},
    "curves": {"core": "pka", "units": "curves"},
    "both": {"core": "pka", "units": "both", "curves": "smm:npe=1"},
    "below": {"core": "pka", "units": "both"},
}
STYLES = [style for core in all_cores().values() for style in core.styles(BITS)]


@dataclass(frozen=True)
class Wanted:
    """A request to `build`.

    Attributes:
        unit: one of `UNITS`; `both` has the core below the exponentiator, `below` below the curves.
        core: the multiplier.
        bus: a bus.
        target: target that it is built for.
        clocks: `one` or `two`.
    """

    unit: str
    core: Core
    bus: str
    target: str
    clocks: str

    def ask(self, folder: Path) -> None:
        """Run `build` for it.

        Raises:
            RequestError: it cannot be built, or, with the message of `_planned`, it can.
        """
        settings = [f"{key}={value}" for key, value in self.core.settings().items()]
        words: dict[str, Any] = {"core": self.core.name, **UNITS[self.unit]}
        if self.unit == "below":
            words["curves"] = f"{self.core.name}:{','.join(settings)}"
            settings = ["core=dsp", "alpha=2"]
        elif self.unit != "multiplier":
            settings.append(f"core={self.core.name}")
        if words.get("units") == "both":
            words["curve_bits"] = BITS
        build(
            **words,
            settings=settings,
            bits=BITS,
            bus=self.bus,
            target=self.target,
            clocks=self.clocks,
            output=folder,
        )

    def refusal(self) -> str:
        """Return the expected message if it cannot be built, otherwise empty text."""
        if self.bus == STREAM and self.unit != "multiplier":
            return f"has no bus '{STREAM}'; there are {', '.join(BUSES)}, and {STREAM} for a single"
        if self.bus == STREAM and self.clocks == "two":
            return f"{STREAM} has one clock: --clocks two is for other buses"
        return ""


#: Message in these tests if a build is possible, before its first file.
PLANNED = "all of it can be built"


def _planned(output: Path, name: str) -> NoReturn:
    del output, name
    raise RequestError(PLANNED)


def assert_taken_or_refused(wanted: Wanted, folder: Path) -> None:
    with pytest.raises(RequestError) as refused:
        wanted.ask(folder)
    said = str(refused.value)
    assert (wanted.refusal() or PLANNED) in said and "\n" not in said, wanted


@pytest.fixture
def only_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "making", _planned)


@pytest.mark.usefixtures("only_plans")
@pytest.mark.parametrize("target", all_targets())
@pytest.mark.one_in(5)  # every run has all targets in test_a_bundle_over_each_core_elaborates
def test_every_unit_over_every_core_behind_every_bus_is_taken_or_refused(
    target: str, tmp_path: Path
) -> None:
    for unit, core, bus, clocks in product(UNITS, STYLES, (*BUSES, STREAM), CLOCKS):
        assert_taken_or_refused(Wanted(unit, core, bus, target, clocks), tmp_path / "made")


def errors(wanted: Wanted, folder: Path) -> list[str]:
    """Return slang's errors when it elaborates a bundle, which is written before."""
    wanted.ask(folder)
    headers = get_target(wanted.target).headers
    design = read_design(["--top", top_of(folder), *map(str, (*headers, *files_of(folder)))])
    assert design is not None, wanted
    found = design.createCompilation().getAllDiagnostics()
    return [str(item.code) for item in found if item.isError()]


@pytest.fixture
def only_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write bundles without their single-file RTL and without running their test."""
    only_write(monkeypatch)


@pytest.mark.usefixtures("only_writes")
@pytest.mark.parametrize("unit", ["below", "ecc"])
@pytest.mark.one_in(2)
def test_curves_over_two_clocks_of_a_multiplier_elaborate(unit: str, tmp_path: Path) -> None:
    """Alone, and together with an exponentiator over the same core with one clock."""
    [core] = [core for core in STYLES if core.fast_clock][:1]
    for clocks in CLOCKS:
        assert errors(Wanted(unit, core, "apb", "xc7", clocks), tmp_path / clocks) == []


@pytest.mark.usefixtures("only_writes")
def test_a_bundle_over_each_core_elaborates(tmp_path: Path) -> None:
    """Units, buses, clocks and targets in turn."""
    first = [core.styles(BITS)[0] for core in all_cores().values()]
    units = ("multiplier", "modexp", "multiplier", "exponentiator", "curves")
    turns = zip(first, cycle(units), cycle(BUSES), cycle(all_targets()), cycle(CLOCKS))
    for core, unit, bus, target, clocks in turns:
        wanted = Wanted(unit, core, bus, target, clocks)
        assert errors(wanted, tmp_path / core.name) == [], wanted


@pytest.mark.usefixtures("only_writes")
@pytest.mark.parametrize("unit", ["curves", "multiplier"])
def test_a_bundle_that_does_not_elaborate_is_noticed(
    unit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*words: Any) -> str:
        return top(*words).replace(".req_i(req)", ".request_i(req)")

    monkeypatch.setattr("montcore.soc.wrapper.top", wrong)
    with pytest.raises(CheckFailedError, match="does not elaborate"):
        errors(Wanted(unit, STYLES[-1], "apb", "xc7", "one"), tmp_path / "made")


@pytest.mark.nightly
@pytest.mark.usefixtures("only_writes")
@pytest.mark.parametrize("unit", ["multiplier", "exponentiator", "curves", "both", "below"])
@pytest.mark.parametrize("core", STYLES, ids=lambda core: f"{core.name} {core.label()}")
def test_every_unit_over_every_core_elaborates_for_every_target(
    core: Core, unit: str, tmp_path: Path
) -> None:
    """Buses and clocks in turn; a multiplier with streams too."""
    turns = zip(all_targets(), cycle(BUSES), cycle(CLOCKS))
    wanted = [Wanted(unit, core, bus, target, clocks) for target, bus, clocks in turns]
    if unit == "multiplier":
        wanted += [Wanted(unit, core, STREAM, target, "one") for target in all_targets()]
    for place, item in enumerate(wanted):
        assert errors(item, tmp_path / str(place)) == [], item
