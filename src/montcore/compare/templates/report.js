"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const rows = data.rows;
rows.forEach((row, index) => { row.index = index; });
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

const has = (row, key) => row[key] !== null && row[key] !== undefined;
// Figures that can be drawn and listed: key, heading, how to print.
const whole = (v) => Math.round(v).toLocaleString("en");
const digits = (n) => (v) => v.toLocaleString("en", { maximumSignificantDigits: n });
const percent = (v) => (100 * v).toFixed(0) + " %";
const COLUMNS = [
  ["label", "core and parameters", null], ["bits", "bits", null], ["target", "target", null],
  ["cycles", "latency", whole], ["interval", "interval", whole],
  ["sign_cycles", "cycles to sign", whole], ["verify_cycles", "cycles to verify", whole],
  ["ge", "GE", whole], ["ge_memory", "memory GE", whole], ["tmin_ns", "Tmin ns", digits(3)],
  ["lut", "LUT", whole], ["ff", "FF", whole], ["dsp", "DSP", whole], ["bram", "BRAM", whole],
  ["fmax_mhz", "fmax MHz", digits(4)], ["area", "area", whole],
  ["latency_us", "us of latency", digits(3)], ["interval_us", "us between", digits(3)],
  ["products_per_second", "products/s", digits(3)], ["signatures_per_second", "signatures/s", digits(3)],
  ["kge_us", "kGE us", digits(3)], ["kge_us_sustained", "kGE us sustained", digits(3)],
  ["energy_nj", "nJ a product", digits(3)], ["power_mw", "mW", digits(3)],
  ["dsp_us", "DSP us", digits(3)], ["dsp_us_sustained", "DSP us sustained", digits(3)],
  ["utilisation", "use", percent], ["utilisation_sustained", "use sustained", percent],
  ["checked", "checked", whole], ["rejected", "refused", whole],
  ["gate_level_checked", "gate level", whole], ["origin", "from", null], ["date", "measured", null],
].filter(([key]) => key === "bits" || rows.some((row) => has(row, key) && row[key] !== ""));
const NUMBERS = COLUMNS.filter(([, , print]) => print && print !== percent);
const state = { sort: "interval", down: false, chosen: null, picked: new Set() };

function make(name, attributes, parent, text) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.appendChild(element);
  return element;
}

// What a filter can name: core, "key=value", key, value, target and status.
for (const row of rows) {
  const words = `${row.label} ${row.target} ${row.status}`.toLowerCase().split(" ");
  row.words = new Set(words.concat(words.flatMap((word) => word.split("="))));
}

// A row matches if it has every word of the filter, and none that follows a minus. Words are
// compared whole, so that "cs" is not "cs4"; a star at the end stands for any continuation.
function matches(row) {
  const named = (word) => word.endsWith("*")
    ? [...row.words].some((own) => own.startsWith(word.slice(0, -1))) : row.words.has(word);
  return $("filter").value.toLowerCase().split(/\s+/).filter(Boolean).every((word) =>
    word.startsWith("-") && word.length > 1 ? !named(word.slice(1)) : named(word));
}

// Points with both figures on the axes, and of these the ones that no other beats.
const drawable = (list, target) => list.filter((row) =>
  row.status === "ok" && row[acrossOf(target)] > 0 && row[upOf(target)] > 0);

function front(list, target) {
  const across = acrossOf(target), up = upOf(target), found = [];
  let last = null;
  for (const row of [...drawable(list, target)].sort((a, b) => a[across] - b[across] || a[up] - b[up]))
    // Equal points do not beat each other.
    if (!last || row[up] < last[up] || (row[up] === last[up] && row[across] === last[across])) {
      found.push(row);
      last = row;
    }
  return found;
}

// The points of the chosen operation and width, measured ones first; predicted ones if they are asked for. Where the
// command chose points (its width, its targets), others are shown on request, so that its recommendation comes first.
const axesOf = (target) => data.axes[$("work").value][target];
const guessed = (row) => row.origin === "predicted";
const asked = new Set(rows.slice(0, data.asked).map((row) => row.target));
const further = (row) => row.index >= data.asked && !guessed(row)
  && row.work === data.work && row.bits === data.bits && asked.has(row.target);
const pool = () => rows.filter((row) => row.work === $("work").value && row.bits === Number($("bits").value)
  && ($("further").checked || !further(row)));

// What plot and table show alike: target, filter, and perhaps the front alone. No prediction is on a front.
function selection(target) {
  const list = pool().filter((row) => row.target === target && matches(row)
    && ($("predicted").checked || !guessed(row)));
  const best = front(list.filter((row) => !guessed(row)), target);
  return { list: $("frontier").checked ? best : list, best };
}

// The targets that are shown: the chosen one, or all that have points.
const targetsOf = () => Object.keys(data.axes[$("work").value])
  .filter((target) => pool().some((row) => row.target === target));
const shownTargets = () => $("beside").checked ? targetsOf() : [$("target").value];

// The figures on the axes of a target: the chosen ones, or its own where the chosen target has its own.
function axisKey(target, id, own) {
  const chosen = axesOf($("target").value);
  return $("beside").checked && chosen && $(id).value === chosen[own] ? axesOf(target)[own] : $(id).value;
}
const acrossOf = (target) => axisKey(target, "across", "time");
const upOf = (target) => axisKey(target, "up", "area");

// Shapes of the markers, of about the same area, around (0, 0); the names are matplotlib's.
const SHAPES = {
  "o": "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0z",
  "s": "M-5-5h10v10h-10z",
  "^": "M0-6.5L6 4.5H-6z",
  "D": "M0-6.5L6.5 0L0 6.5L-6.5 0z",
  "v": "M0 6.5L6-4.5H-6z",
  "P": "M-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
  "X": "M-3.5-6L0-2.5L3.5-6L6-3.5L2.5 0L6 3.5L3.5 6L0 2.5L-3.5 6L-6 3.5L-2.5 0L-6-3.5z",
};

function table() {
  const body = document.querySelector("#table tbody");
  const found = shownTargets().map(selection), shown = found.flatMap(({ list }) => list);
  const leading = new Set(found.flatMap(({ best }) => best));
  const sign = state.down ? -1 : 1, key = state.sort;
  shown.sort((a, b) => {
    const [left, right] = [a[key], b[key]];
    if (left === null || left === undefined) return right === null || right === undefined ? 0 : 1;
    if (right === null || right === undefined) return -1;
    return sign * (typeof left === "string" ? left.localeCompare(right, "en", { numeric: true }) : left - right);
  });
  body.textContent = "";
  // Columns without a figure of what is shown are hidden.
  const used = COLUMNS.map(([one]) => shown.some((row) => has(row, one)));
  document.querySelectorAll("#table th").forEach((heading, n) => { heading.hidden = shown.length > 0 && !used[n]; });
  for (const row of shown) {
    const line = body.insertRow();
    line.dataset.row = row.index;
    if (row.status !== "ok") line.classList.add("failed");
    if (guessed(row)) line.classList.add("guessed");
    if (!within(row)) line.classList.add("outside");
    if (row.index === state.chosen) line.classList.add("chosen");
    for (const [n, [column, , print]] of COLUMNS.entries()) {
      const cell = line.insertCell();
      cell.hidden = !used[n];
      if (!print) cell.className = "text";
      const value = row[column];
      cell.textContent = value === null || value === undefined ? "" : print ? print(value) : value;
      if (column === "label" && (state.picked.has(row.index) || leading.has(row))) {
        const best = state.picked.has(row.index), mark = element("span", best ? " ★" : " ◆", "star");
        mark.title = best ? "recommended" : "on the Pareto front";
        mark.role = "img";
        mark.ariaLabel = mark.title;
        cell.append(mark);
      }
      if (column === "label" && row.status !== "ok") cell.title = row.message + "\n" + row.log;
    }
    line.tabIndex = 0;
    const see = () => { choose(row.index); keep(); };
    line.addEventListener("click", see);
    line.addEventListener("keydown", (event) => { if (event.key === "Enter") see(); });
  }
  const failed = shown.filter((row) => row.status !== "ok").length, targets = shownTargets();
  const all = pool().filter((row) => targets.includes(row.target) && ($("predicted").checked || !guessed(row)));
  const outside = shown.filter((row) => !within(row)).length;
  $("count").textContent = `${shown.length} of ${all.length} points on ${targets.join(", ")}` +
    (outside ? `, ${outside} of them outside the limits (grey)` : "") +
    (failed ? `, ${failed} of them failed (in red).` : ".") + " ★ recommended, ◆ on the Pareto front.";
  for (const heading of document.querySelectorAll("#table th"))
    heading.setAttribute("aria-sort", heading.dataset.key !== key ? "none" : state.down ? "descending" : "ascending");
}

function show() {
  const what = $("work").value === "product" ? "Montgomery multiplication" : data.works[$("work").value].title;
  $("title").textContent = `${$("bits").value}-bit ${what}`;
  advise();
  plot();
  legend();
  table();
  keep();
}

// Colour and marker of the cores that are shown.
function legend() {
  $("legend").textContent = "";
  const shown = new Set(shownTargets().flatMap((target) => selection(target).list).map((row) => row.multiplier));
  for (const core in data.marks) {
    if (!shown.has(core)) continue;
    const item = document.createElement("span"), box = make("svg", { viewBox: "-7 -7 14 14" }, item);
    make("path", { d: SHAPES[data.marks[core].marker], fill: data.marks[core].colour, "data-core": core }, box);
    item.append(core);
    $("legend").append(item);
  }
  $("legend").append("line: Pareto front of what is shown");
}

// The options of a select; the present value stays if it is among them.
function offer(id, pairs, usual) {
  const before = $(id).value, select = $(id);
  select.replaceChildren(...pairs.map(([value, text]) => new Option(text, value)));
  const offered = (value) => pairs.some(([own]) => String(own) === String(value));
  select.value = offered(before) ? before : offered(usual) ? usual : pairs[0][0];
}

// What there is to choose from, after another operation or width has been chosen.
function choices() {
  const works = Object.keys(data.works).filter((work) => rows.some((row) => row.work === work));
  offer("work", works.map((work) => [work, data.works[work].title]), data.work);
  const widths = [...new Set(rows.filter((row) => row.work === $("work").value).map((row) => row.bits))];
  offer("bits", widths.sort((a, b) => a - b).map((bits) => [bits, `${bits} bits`]), data.bits);
  offer("target", targetsOf().map((target) => [target, target]), targetsOf()[0]);
  $("predictable").hidden = !pool().some(guessed);
  const figures = NUMBERS.filter(([key]) => pool().some((row) => row[key] !== undefined && row[key] !== null));
  for (const id of ["across", "up"]) offer(id, figures.map(([key, title]) => [key, title]), figures[0][0]);
}

function ownAxes() {
  const axes = axesOf($("target").value);
  if (!pool().some((row) => row[state.sort] !== undefined)) state.sort = "cycles";
  $("across").value = axes.time;
  $("up").value = axes.area;
}

function start() {
  choices();
  const head = document.querySelector("#table thead").insertRow();
  for (const [key, title, print] of COLUMNS) {
    const heading = document.createElement("th"), button = document.createElement("button");
    heading.dataset.key = key;
    if (!print) heading.className = "text";
    button.textContent = title;
    button.addEventListener("click", () => {
      state.down = state.sort === key && !state.down;
      state.sort = key;
      table();
      keep();
    });
    heading.append(button);
    head.append(heading);
  }
  for (const id of ["work", "bits"])
    $(id).addEventListener("change", () => {
      for (const target in limits) delete limits[target];
      choices(); ownAxes(); sliders(); show();
    });
  $("target").addEventListener("change", () => { ownAxes(); sliders(); show(); });
  $("furthermore").hidden = !rows.some(further);
  $("further").addEventListener("change", () => { sliders(); show(); });
  for (const id of ["across", "up", "frontier", "beside", "predicted"]) $(id).addEventListener("change", show);
  $("filter").addEventListener("input", show);
  window.addEventListener("resize", plot);
  startChoosing();
  show();
  if (state.chosen !== null) choose(state.chosen);
}
