# SPDX-License-Identifier: Apache-2.0
"""The atlas, explored: a program in cells (``# %%``).

The atlas is a file of measured points that comes with montcore: cores, exponentiators and curve
engines in many configurations, widths and targets, each with the versions of the tools and the
digests of its sources. This program reads it and measures nothing. Pictures go to a folder
``pictures``.
"""

# %%
from collections import Counter
from pathlib import Path

from matplotlib import pyplot

from montcore.compare.atlas import current, recall
from montcore.compare.budget import pareto, parse_budget, recommend
from montcore.compare.marks import ticks
from montcore.compare.pictures import area_time
from montcore.compare.predict import predictions

PICTURES = Path("pictures")
PICTURES.mkdir(exist_ok=True)
atlas = current()
# A point that was measured on earlier sources keeps its date, and `earlier` says so.
points = list(recall(atlas.records).entries.values())
older = sum(entry.earlier for entry in points)
print(f"{len(points)} points, {older} of them of earlier sources")

# %% What has been measured: points by operation, target and width.
counts = Counter((e.core if e.unit else "product", e.target, e.bits) for e in points)
for (what, target, bits), count in sorted(counts.items()):
    print(f"{what:8} {target:8} {bits:5} bits: {count:3} points")

# %% Area against time: products at 256 bits on osu018, a 180 nm library, gate equivalents with
# memory against the time between results. No point of the line is beaten in both by another.
BITS, TARGET = 256, "osu018"
products = [e for e in points if not e.unit and e.bits == BITS and e.target == TARGET]
area_time(products, BITS).savefig(PICTURES / "area-time.png", dpi=120)
for entry in pareto(products, "interval_us", "area"):
    time = entry.figures()["interval_us"]
    print(f"{entry.label:32} {entry.area:9,.0f} GE, a product every {time:.3f} us")

# %% What a budget costs: the best point for area times time under shrinking budgets of area, as
# `montcore recommend --budget` finds it.
for limit in (500_000, 100_000, 60_000, 30_000, 20_000):
    (choice,) = recommend(products, [parse_budget(f"area<={limit}")], "area-time")
    entry = choice.entry
    found = f"{entry.label:32} {entry.area:9,.0f} GE"
    print(f"{limit:8,} GE: {found}, a product every {entry.interval} cycles")

# %% How area grows with the width: a row of adders grows in proportion to the width, a full-word
# multiplier faster. Between 224 and 256 bits some curves go *down*: memories of eight words or more
# are macros, smaller ones are flip-flops.
figure, axes = pyplot.subplots(figsize=(8, 5))
for core in ("rc", "cs4", "hr", "karatsuba"):
    own = sorted((e for e in points if e.core == core and e.target == TARGET), key=lambda e: e.bits)
    for label in dict.fromkeys(e.label for e in own):
        line = [e for e in own if e.label == label]
        axes.plot(
            [e.bits for e in line], [e.area or 0 for e in line], "-o", label=label, markersize=4
        )
axes.set(xscale="log", yscale="log", xlabel="bits", ylabel="GE with memory", title=TARGET)
widths = sorted({e.bits for e in points})
heights = ticks(*axes.get_ylim())
axes.set_xticks(widths, [str(bits) for bits in widths])
axes.set_yticks(heights, [f"{value:,.0f}" for value in heights])
axes.minorticks_off()
axes.grid(alpha=0.3)
axes.legend(fontsize=8)
figure.savefig(PICTURES / "growth.png", dpi=120)

# %% Points that no one has measured: between measured widths a figure can be predicted. The error
# is what such a prediction of a measured point misses. Predictions are never mixed with
# measurements: `origin` tells them apart.
for entry in predictions(atlas, 160, targets=[TARGET]):
    worst = max(entry.errors.values())
    figures = f"{entry.ge:9,.0f} GE, {entry.tmin_ns:.2f} ns"
    print(f"{entry.origin}: {entry.label:32} {figures}, within {worst:.0%}")

# %% Exponentiators and curve engines, units over a multiplier: cycles of one power of the built
# length, or of one scalar product, and of an ECDSA signature.
for entry in sorted((e for e in points if e.unit), key=lambda e: (e.core, e.target, e.cycles)):
    area = f"{entry.area:,.0f} GE" if entry.ge else f"{entry.lut:,} LUT, {entry.dsp} DSP"
    sign = f", {entry.sign_cycles:,} to sign" if entry.sign_cycles else ""
    cycles = f"{entry.cycles:>9,} cycles{sign}"
    print(f"{entry.label:44} {entry.target:7} {entry.bits} bits: {cycles}; {area}")
