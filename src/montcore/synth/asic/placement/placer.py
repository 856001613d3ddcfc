# SPDX-License-Identifier: Apache-2.0
"""The program that places a netlist with Coriolis: BLIF and LEF in, positions out.

It runs in a separate process, since Coriolis keeps its database in the process: ``python -m
montcore.synth.asic.placement.placer LEF... NETLIST SPARE OUT``; NETLIST is the name of a BLIF file
without its extension, in the working directory; SPARE is the share of free area, OUT receives one
line per cell: number of its ``.gate`` line, left and lower edge in um.
"""

import sys
from pathlib import Path

from montcore.synth.asic.lef import Geometry, read_lef

#: Row pitch that Coriolis derives from its routing grid.
_STRANGE_ROW_UM = 10.4


def _technology(geometry: Geometry) -> None:
    """Describe the process as far as the placer needs it: layers, grids, one cell gauge."""
    from coriolis.CRL import AllianceFramework, CellGauge, RoutingGauge, RoutingLayerGauge, System
    from coriolis.helpers import u
    from coriolis.helpers.technology import createBL, createVia, setEnclosures
    from coriolis.Hurricane import BasicLayer, DataBase, DbU, Technology

    database = DataBase.create()
    System.get()
    technology = Technology.create(database, "OSU018")
    DbU.setPrecision(2)
    DbU.setPhysicalsPerGrid(0.005, DbU.UnitPowerMicro)
    DbU.setGridsPerLambda(10)
    DbU.setSymbolicSnapGridStep(DbU.fromGrid(1.0))
    DbU.setPolygonStep(DbU.fromGrid(1.0))
    DbU.setStringMode(DbU.StringModePhysical, DbU.UnitPowerMicro)
    kind = BasicLayer.Material
    for name, material in (
        ("nwell", kind.nWell),
        ("nactive", kind.active),
        ("pactive", kind.active),
        ("poly", kind.poly),
        ("cc", kind.cut),
    ):
        createBL(technology, name, material, size=u(0.2), spacing=u(0.2))
    metals = []
    for level in range(1, 7):
        rule = u(0.3 if level < 6 else 0.5)
        metal = createBL(technology, f"metal{level}", kind.metal, size=rule, spacing=rule)
        metal.setBlockageLayer(
            createBL(technology, f"blockage{level}", kind.blockage, size=rule, spacing=rule)
        )
        metals.append(metal)
        if level < 6:
            name = "via" if level == 1 else f"via{level}"
            createBL(technology, name, kind.cut, size=u(0.2), spacing=u(0.3))
    for level in range(1, 6):
        cut = "via" if level == 1 else f"via{level}"
        names = f"metal{level}", cut, f"metal{level + 1}"
        via = createVia(technology, f"VIA{level}{level + 1}", *names, u(0.2))
        for metal in metals[level - 1 : level + 1]:
            setEnclosures(via, metal, (u(0.1), u(0.1)))
    for name, material in (
        ("gmetalh", kind.metal),
        ("gcontact", kind.cut),
        ("gmetalv", kind.metal),
    ):
        createBL(technology, name, material)
    framework = AllianceFramework.get()
    routing = RoutingGauge.create("osu018")
    routing.setSymbolic(False)
    for level, metal in enumerate(metals):
        flat = level % 2 == 0
        use = {0: RoutingLayerGauge.PinOnly, 5: RoutingLayerGauge.PowerSupply}
        routing.addLayerGauge(
            RoutingLayerGauge.create(
                metal,
                RoutingLayerGauge.Horizontal if flat else RoutingLayerGauge.Vertical,
                use.get(level, RoutingLayerGauge.Default),
                level,
                0.0,
                u(0.0),
                u(1.0 if flat else 0.8 if level < 5 else 1.6),
                *[u(0.3 if level < 5 else 0.5)] * 2,
                u(0.4),
                u(0.0),
            )
        )
    framework.addRoutingGauge(routing)
    framework.setRoutingGauge("osu018")
    gauge = CellGauge.create("LEF.core", "metal1", u(1.0), u(geometry.row), u(geometry.site))
    framework.addCellGauge(gauge)
    framework.setCellGauge("LEF.core")


def _configure(spare: float) -> None:
    """Set the placer's parameters, and others that Coriolis requires."""
    from coriolis import Cfg
    from coriolis.Anabatic import StyleFlags
    from coriolis.CRL import AllianceFramework
    from coriolis.helpers.overlay import CfgCache

    with CfgCache(priority=Cfg.Parameter.Priority.ConfigurationFile) as cfg:
        environment = AllianceFramework.get().getEnvironment()
        environment.setRegister("DFF.*")
        environment.setCLOCK("^clk$")
        cfg.lefImport.minTerminalWidth = 0.0
        cfg.crlcore.groundName, cfg.crlcore.powerName = "gnd", "vdd"
        cfg.etesian.bloat = "disabled"
        cfg.etesian.aspectRatio = 1.0
        cfg.etesian.spaceMargin = spare
        cfg.etesian.uniformDensity = True
        cfg.etesian.routingDriven = False
        cfg.etesian.feedNames = cfg.etesian.defaultFeed = "FILL"
        cfg.etesian.cell.zero, cfg.etesian.cell.one = "LOGIC0", "LOGIC1"
        cfg.etesian.latchUpDistance = 0
        cfg.etesian.effort = 3
        cfg.etesian.graphics = 3
        cfg.anabatic.routingGauge, cfg.anabatic.cellGauge = "osu018", "LEF.core"
        cfg.anabatic.globalLengthThreshold = 1450
        cfg.anabatic.saturateRatio, cfg.anabatic.saturateRp = 0.9, 10
        cfg.anabatic.topRoutingLayer = "metal5"
        cfg.anabatic.edgeLength, cfg.anabatic.edgeWidth = 192, 32
        cfg.anabatic.edgeCostH, cfg.anabatic.edgeCostK = 9.0, -10.0
        cfg.anabatic.edgeHInc = cfg.anabatic.edgeHScaling = 1.0
        cfg.anabatic.globalIterations = 10
        cfg.anabatic.netBuilderStyle, cfg.anabatic.routingStyle = "VH,3RL+", StyleFlags.VH
        cfg.anabatic.gcell.displayMode = 1
        cfg.katana.disableStackedVias = False
        cfg.katana.hTracksReservedLocal, cfg.katana.vTracksReservedLocal = 4, 3
        cfg.katana.termSatReservedLocal, cfg.katana.termSatThreshold = 8, 9
        cfg.katana.eventsLimit = 4000002
        cfg.katana.ripupCost, cfg.katana.strapRipupLimit = 3, 16
        cfg.katana.localRipupLimit = 9
        cfg.katana.globalRipupLimit = cfg.katana.longGlobalRipupLimit = 5


def place(lefs: list[str], name: str, spare: float) -> list[tuple[int, float, float]]:
    """Place the netlist ``NAME.blif``; return number, left and lower edge of each cell in um."""
    geometry = read_lef(Path(lefs[0]))
    _technology(geometry)
    from coriolis import CRL, Etesian
    from coriolis.helpers.overlay import UpdateSession
    from coriolis.Hurricane import DataBase, DbU, Library

    _configure(spare)
    framework = CRL.AllianceFramework.get()
    library = Library.create(DataBase.getDB().getRootLibrary(), "osu018")
    framework.wrapLibrary(library, 0)
    CRL.LefImport.setMergeLibrary(library)
    for lef in lefs:
        CRL.LefImport.load(lef)
    framework.wrapLibrary(library, 1)
    cell = CRL.Blif.load(name)
    engine = Etesian.EtesianEngine.create(cell)
    with UpdateSession():
        engine.setDefaultAb()
    engine.place()
    engine.destroy()
    found = []
    for instance in cell.getInstances():
        fields = instance.getName().split("_")
        if fields[0] != "subckt":
            continue  # fillers
        at = instance.getAbutmentBox()
        left, low = (DbU.toPhysical(v, DbU.UnitPowerMicro) for v in (at.getXMin(), at.getYMin()))
        found.append((int(fields[1]), left, round(low / _STRANGE_ROW_UM) * geometry.row))
    return found


if __name__ == "__main__":
    *_lefs, _name, _spare, _out = sys.argv[1:]
    _found = place(_lefs, _name, float(_spare))
    Path(_out).write_text("".join(f"{n} {x:.3f} {y:.3f}\n" for n, x, y in _found))
