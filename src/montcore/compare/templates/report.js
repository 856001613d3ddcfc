"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const rows = data.rows;
rows.forEach((row, index) => { row.index = index; });
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

// Figures that can be drawn and listed: key, heading, how to print.
const whole = (v) => Math.round(v).toLocaleString("en");
const digits = (n) => (v) => v.toLocaleString("en", { maximumSignificantDigits: n });
const percent = (v) => (100 * v).toFixed(0) + " %";
const COLUMNS = [
  ["label", "core and parameters", null], ["target", "target", null],
  ["cycles", "latency", whole], ["interval", "interval", whole],
  ["ge", "GE", whole], ["ge_memory", "memory GE", whole], ["tmin_ns", "Tmin ns", digits(3)],
  ["lut", "LUT", whole], ["ff", "FF", whole], ["dsp", "DSP", whole], ["bram", "BRAM", whole],
  ["fmax_mhz", "fmax MHz", digits(4)], ["area", "area", whole],
  ["latency_us", "us a product", digits(3)], ["interval_us", "us between", digits(3)],
  ["products_per_second", "products/s", digits(3)],
  ["kge_us", "kGE us", digits(3)], ["kge_us_sustained", "kGE us sustained", digits(3)],
  ["energy_nj", "nJ a product", digits(3)], ["power_mw", "mW", digits(3)],
  ["dsp_us", "DSP us", digits(3)], ["dsp_us_sustained", "DSP us sustained", digits(3)],
  ["utilisation", "use", percent], ["utilisation_sustained", "use sustained", percent],
  ["checked", "checked", whole], ["rejected", "refused", whole],
  ["gate_level_checked", "gate level", whole], ["origin", "from", null], ["date", "measured", null],
].filter(([key]) => rows.some((row) => row[key] !== null && row[key] !== undefined && row[key] !== ""));
const NUMBERS = COLUMNS.filter(([, , print]) => print && print !== percent);
const state = { sort: "interval", down: false, chosen: null, pick: null };

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
  const has = (word) => word.endsWith("*")
    ? [...row.words].some((own) => own.startsWith(word.slice(0, -1))) : row.words.has(word);
  return $("filter").value.toLowerCase().split(/\s+/).filter(Boolean).every((word) =>
    word.startsWith("-") && word.length > 1 ? !has(word.slice(1)) : has(word));
}

// Points with both figures on the axes, and of these the ones that no other beats.
const drawable = (list) => list.filter((row) =>
  row.status === "ok" && row[$("across").value] > 0 && row[$("up").value] > 0);

function front(list) {
  const across = $("across").value, up = $("up").value, found = [];
  let last = null;
  for (const row of [...drawable(list)].sort((a, b) => a[across] - b[across] || a[up] - b[up]))
    // Equal points do not beat each other.
    if (!last || row[up] < last[up] || (row[up] === last[up] && row[across] === last[across])) {
      found.push(row);
      last = row;
    }
  return found;
}

// What plot and table show alike: target, filter, and perhaps the front alone.
function selection() {
  const list = rows.filter((row) => row.target === $("target").value && matches(row));
  const best = front(list);
  return { list: $("frontier").checked ? best : list, best };
}

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

function choose(index) {
  state.chosen = index;
  for (const element of document.querySelectorAll(".chosen")) element.classList.remove("chosen");
  for (const element of document.querySelectorAll(`[data-row="${index}"]`)) element.classList.add("chosen");
  const row = rows[index];
  const parts = COLUMNS.filter(([key, , print]) => print && row[key] !== null && row[key] !== undefined)
    .map(([key, title, print]) => `${title} ${print(row[key])}`);
  $("detail").textContent = "";
  const name = document.createElement("b");
  name.textContent = `${row.label} on ${row.target}: `;
  const command = document.createElement("code");
  command.textContent = row.command;
  const tools = Object.entries(row.tools || {}).map(([tool, version]) => `${tool} ${version}`).join(", ");
  $("detail").append(name, row.status === "ok" ? parts.join(", ") : row.message,
    document.createElement("br"), command, tools ? ` (${tools})` : "");
  $("diagram").replaceChildren(...(data.diagrams[row.core]
    ? [document.importNode(new DOMParser().parseFromString(data.diagrams[row.core], "image/svg+xml").documentElement, true)] : []));
}

function ticks(low, high) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const factor of [1, 2, 5]) {
      const value = factor * 10 ** power;
      if (value >= low && value <= high) found.push(value);
    }
  // Less than a decade: even steps, as wide as they can be. (plots: montcore.compare.marks)
  for (let power = Math.ceil(Math.log10(high)); found.length < 3; power--)
    for (const factor of [5, 2, 1]) {
      if (found.length >= 3) break;
      const step = factor * 10 ** power;
      found.length = 0;
      for (let n = Math.ceil(low / step); n <= Math.floor(high / step); n++) found.push(step * n);
    }
  return found;
}

function plot() {
  const svg = $("plot"), target = $("target").value, across = $("across").value, up = $("up").value;
  const width = Math.max(340, Math.min(1180, svg.parentElement.clientWidth)), height = width < 600 ? 360 : 520;
  const left = 80, right = 14, top = 12, bottom = 46;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.textContent = "";
  const { list, best } = selection(), points = drawable(list);
  if (!points.length) { make("text", { x: left, y: 40 }, svg, "No point has both figures."); return; }
  const range = (key) => {
    const values = points.map((row) => row[key]);
    return [Math.min(...values) / 1.25, Math.max(...values) * 1.25];
  };
  const [x0, x1] = range(across), [y0, y1] = range(up);
  const x = (v) => left + (width - left - right) * Math.log(v / x0) / Math.log(x1 / x0);
  const y = (v) => height - bottom - (height - top - bottom) * Math.log(v / y0) / Math.log(y1 / y0);
  let last = -1e9;
  for (const value of ticks(x0, x1)) {
    make("line", { x1: x(value), x2: x(value), y1: top, y2: height - bottom, class: "grid" }, svg);
    if (x(value) - last > 46) {
      make("text", { x: x(value), y: height - bottom + 17, "text-anchor": "middle" }, svg, digits(3)(value));
      last = x(value);
    }
  }
  for (const value of ticks(y0, y1)) {
    make("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: "grid" }, svg);
    make("text", { x: left - 7, y: y(value) + 4, "text-anchor": "end" }, svg, digits(3)(value));
  }
  make("path", { d: `M${left} ${top}V${height - bottom}H${width - right}`, class: "axis", fill: "none" }, svg);
  const title = (key, own) => key === data.targets[target][own] ? data.targets[target][own + "Title"]
    : COLUMNS.find(([name]) => name === key)[1];
  make("text", { x: (left + width) / 2, y: height - 8, "text-anchor": "middle" }, svg, title(across, "time"));
  make("text", { x: 14, y: height / 2, transform: `rotate(-90 14 ${height / 2})`, "text-anchor": "middle" }, svg,
    title(up, "area"));
  // The front of what is shown, both figures minimised: down first, then to the right, so that points
  // which tie with it in one figure lie above or to the right of the line, never on it.
  const corners = best.map((row) => `${x(row[across])} ${y(row[up])}`);
  const path = best.map((row, n) => (n ? `V${y(row[up])}H${x(row[across])}` : `M${corners[0]}`)).join("");
  make("path", { d: path, class: "front" }, svg);
  const leading = new Set(best);
  for (const row of points) {
    const mark = data.marks[row.core], cx = x(row[across]), cy = y(row[up]);
    make("path", { d: SHAPES[mark.marker], fill: mark.colour, class: leading.has(row) ? "mark leading" : "mark",
      transform: `translate(${cx} ${cy}) scale(${row.recommended ? 1.4 : 1})`, "data-core": row.core }, svg);
    // The circle takes the pointer, and shows which point is chosen.
    const dot = make("circle", { cx, cy, r: row.recommended ? 11 : 8.5, "data-row": row.index, tabindex: 0,
      role: "button", "aria-label": `${row.label}: ${title(across, "time")} ${digits(3)(row[across])}, ${title(up, "area")} ${digits(3)(row[up])}` }, svg);
    make("title", {}, dot, row.label);
    if (row.index === state.pick) make("path", { d: `M${cx - 15} ${cy}a15 15 0 1 0 30 0a15 15 0 1 0 -30 0`, class: "pick", "pointer-events": "none" }, svg);
    for (const event of ["mouseenter", "focus"]) dot.addEventListener(event, () => hint(dot, row));
    for (const event of ["mouseleave", "blur"]) dot.addEventListener(event, () => { $("hint").hidden = true; });
    dot.addEventListener("click", () => {
      choose(row.index);
      keep();
      const line = document.querySelector(`tr[data-row="${row.index}"]`);
      if (line) line.scrollIntoView({ block: "nearest" });
    });
    if (row.index === state.chosen) dot.classList.add("chosen");
  }
}

// The words beside the point that the pointer or the keyboard is at.
function hint(dot, row) {
  const box = $("hint"), own = dot.getBoundingClientRect(), frame = $("plot").parentElement.getBoundingClientRect();
  const named = (key) => { const [, title, print] = COLUMNS.find(([name]) => name === key); return `${title} ${print(row[key])}`; };
  box.textContent = `${row.label}: ${[$("across").value, $("up").value].map(named).join(", ")}`;
  box.hidden = false;
  const left = Math.min(own.left - frame.left + 14, frame.width - box.offsetWidth - 4);
  box.style.left = `${Math.max(0, left)}px`;
  box.style.top = `${own.top - frame.top - box.offsetHeight - 4}px`;
}

function table() {
  const body = document.querySelector("#table tbody");
  const { list: shown, best } = selection(), leading = new Set(best);
  const sign = state.down ? -1 : 1, key = state.sort;
  shown.sort((a, b) => {
    const [left, right] = [a[key], b[key]];
    if (left === null || left === undefined) return right === null || right === undefined ? 0 : 1;
    if (right === null || right === undefined) return -1;
    return sign * (typeof left === "string" ? left.localeCompare(right, "en", { numeric: true }) : left - right);
  });
  body.textContent = "";
  for (const row of shown) {
    const line = body.insertRow();
    line.dataset.row = row.index;
    if (row.status !== "ok") line.classList.add("failed");
    if (row.index === state.chosen) line.classList.add("chosen");
    for (const [column, , print] of COLUMNS) {
      const cell = line.insertCell();
      if (!print) cell.className = "text";
      const value = row[column];
      cell.textContent = value === null || value === undefined ? "" : print ? print(value) : value;
      if (column === "label" && (row.recommended || leading.has(row))) {
        const mark = document.createElement("span");
        mark.className = "star";
        mark.textContent = row.recommended ? " ★" : " ◆";
        mark.title = row.recommended ? "recommended" : "on the Pareto front";
        cell.append(mark);
      }
      if (column === "label" && row.status !== "ok") cell.title = row.message + "\n" + row.log;
    }
    line.addEventListener("click", () => { choose(row.index); keep(); });
  }
  const failed = shown.filter((row) => row.status !== "ok").length;
  $("count").textContent = `${shown.length} of ${rows.filter((row) => row.target === $("target").value).length} points` +
    ` on ${$("target").value}` +
    (failed ? `, ${failed} of them failed (in red).` : ".") + " ★ recommended, ◆ on the Pareto front.";
  for (const heading of document.querySelectorAll("#table th"))
    heading.setAttribute("aria-sort", heading.dataset.key !== key ? "none" : state.down ? "descending" : "ascending");
}

function show() { advise(); plot(); table(); keep(); }

function ownAxes() {
  const axes = data.targets[$("target").value];
  $("across").value = axes.time;
  $("up").value = axes.area;
}

function start() {
  const option = (list, value, text) => list.add(new Option(text, value));
  for (const target in data.targets) option($("target"), target, target);
  for (const [key, title] of NUMBERS) { option($("across"), key, title); option($("up"), key, title); }
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
  for (const core in data.marks) {
    const item = document.createElement("span"), box = make("svg", { viewBox: "-7 -7 14 14" }, item);
    make("path", { d: SHAPES[data.marks[core].marker], fill: data.marks[core].colour, "data-core": core }, box);
    item.append(core);
    $("legend").append(item);
  }
  $("legend").append("line: Pareto front of what is shown");
  $("target").addEventListener("change", () => { ownAxes(); sliders(); show(); });
  for (const id of ["across", "up"]) $(id).addEventListener("change", show);
  $("filter").addEventListener("input", show);
  $("frontier").addEventListener("change", show);
  window.addEventListener("resize", plot);
  startChoosing();
  show();
  if (state.chosen !== null) choose(state.chosen);
}
