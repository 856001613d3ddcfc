// SPDX-License-Identifier: Apache-2.0
// Draws the charts of a page of figures: bars over an axis of words, or one bar in a line each.
"use strict";
const papers = JSON.parse(document.getElementById("data").textContent);
const hint = document.getElementById("hint");

function html(name, parent, text, attributes = {}) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

function svg(name, parent, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  parent.append(made);
  return made;
}

// Ticks of an axis from 0, or of a logarithmic one: powers of ten around the data.
function axis(values, logarithmic, room) {
  const most = Math.max(...values);
  if (logarithmic) {
    const low = Math.floor(Math.log10(Math.min(...values))), high = Math.log10(most) + 0.12;
    const ticks = [];
    for (let power = low; power <= high; power++) ticks.push(10 ** power);
    return { ticks, place: (value) => (Math.log10(value) - low) / (high - low) };
  }
  const rough = most / room, unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * [1, 2, 5, 10].find((factor) => factor * unit >= rough);
  const ticks = [];
  for (let tick = 0; tick <= most * 1.001 + step * 0.2; tick += step) ticks.push(Number(tick.toPrecision(6)));
  const end = Math.max(most * 1.1, ticks[ticks.length - 1]);
  return { ticks, place: (value) => value / end };
}

const grouped = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 6 });

// Points of the lines that are shown and that a panel has a figure of.
function drawn(chart, panel) {
  return chart.lines.filter((line) => !line.hidden).flatMap((line) => line.points
    .filter((point) => point.values[panel] !== null && point.values[panel] !== undefined)
    .map((point) => ({ line, point, value: point.values[panel] })));
}

let patterns = 0;

// Hatching for what is out of date, one pattern for each colour of a picture.
function fill(picture, colour, stale) {
  if (!stale) return colour;
  picture.patterns ??= new Map();
  if (!picture.patterns.has(colour)) {
    const id = `hatch${patterns++}`;
    const made = svg("pattern", svg("defs", picture), { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
    svg("rect", made, { width: 6, height: 6, fill: colour, "fill-opacity": 0.3 });
    svg("rect", made, { width: 3, height: 6, fill: colour });
    picture.patterns.set(colour, `url(#${id})`);
  }
  return picture.patterns.get(colour);
}

function bar(picture, item, chart, panel, place) {
  const { line, point } = item;
  const made = svg("rect", picture, {
    ...place, class: "bar", rx: 1.5, tabindex: 0, role: "img", fill: fill(picture, line.colour, point.stale),
    "data-line": line.name, "data-label": point.label, "data-value": item.value,
  });
  const title = chart.panels[panel].title, where = chart.across ? `${chart.across} ${point.label}` : point.label;
  const words = [`${line.name}: ${where}`, `${title}: ${point.texts[panel]}`, point.what];
  made.setAttribute("aria-label", words.join("; "));
  const show = () => {
    hint.replaceChildren();
    html("span", hint, words[0]);
    html("b", hint, words[1]);
    if (chart.across || point.command) html("span", hint, point.what);
    if (point.command) {
      html("span", hint, `measured ${point.date}${point.stale ? ", out of date: sources or flow have changed since" : ""}`);
      html("code", hint, point.command);
    } else html("span", hint, point.texts[panel].includes("‡") ? "computed from figures of the paper" : "as the paper states it");
    hint.hidden = false;
    const box = made.getBoundingClientRect(), own = hint.getBoundingClientRect(), wide = document.documentElement.clientWidth;
    const left = Math.min(Math.max(8, box.left + box.width / 2 - own.width / 2), wide - own.width - 8);
    const above = box.top - own.height - 8;
    hint.style.left = `${left + scrollX}px`;
    hint.style.top = `${(above > 0 ? above : box.bottom + 8) + scrollY}px`;
  };
  for (const event of ["mouseenter", "focus", "click"]) made.addEventListener(event, show);
  for (const event of ["mouseleave", "blur"]) made.addEventListener(event, () => { hint.hidden = true; });
}

// Groups of standing bars over the words of the axis.
function standing(picture, chart, panel, width) {
  const height = 270, left = 46, right = 6, top = 34, bottom = 40;
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const items = drawn(chart, panel);
  const words = [...new Set(chart.lines.flatMap((line) => line.points.map((point) => point.label)))];
  words.sort((a, b) => a - b);
  if (items.length) {
    const scale = axis(items.map((item) => item.value), chart.panels[panel].logarithmic, 5);
    const y = (value) => height - bottom - scale.place(value) * (height - top - bottom);
    for (const tick of scale.ticks) {
      svg("line", picture, { class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick) });
      svg("text", picture, { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, grouped(tick));
    }
    const room = (width - left - right) / words.length;
    const groups = words.map((word) => items.filter((item) => item.point.label === word));
    const thickness = (group) => Math.min(26, (room * 0.86) / Math.max(1, group.length));
    const labelled = Math.min(...groups.map(thickness)) >= 11;
    for (const [place, word] of words.entries()) {
      const own = groups[place], thick = thickness(own);
      const start = left + (place + 0.5) * room - (own.length * thick) / 2;
      for (const [number, item] of own.entries()) {
        const x = start + number * thick;
        bar(picture, item, chart, panel, { x, y: y(item.value), width: thick * 0.92, height: Math.max(1, height - bottom - y(item.value)) });
        if (labelled) {
          const at = [x + thick * 0.46 + 4, y(item.value) - 4];
          svg("text", picture, { x: at[0], y: at[1], transform: `rotate(-90 ${at})`, class: "value", style: "font-size: 10.5px" },
            item.point.texts[panel].replace(" ‡", "").replace("≈ ", ""));
        }
      }
      svg("text", picture, { x: left + (place + 0.5) * room, y: height - bottom + 16, "text-anchor": "middle" }, word);
    }
  }
  svg("line", picture, { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom });
  svg("text", picture, { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, chart.across);
}

// One bar in a line of its own for each point; on narrow windows its name is above it.
function lying(picture, chart, panel, width) {
  const items = drawn(chart, panel), narrow = width < 620;
  const row = narrow ? 36 : 22, left = narrow ? 2 : 250, right = 64, bottom = 24;
  const height = items.length * row + bottom + 4;
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  if (!items.length) return;
  const scale = axis(items.map((item) => item.value), chart.panels[panel].logarithmic, narrow ? 4 : 8);
  const x = (value) => left + scale.place(value) * (width - left - right);
  for (const tick of scale.ticks) {
    svg("line", picture, { class: "grid", x1: x(tick), x2: x(tick), y1: 0, y2: height - bottom });
    svg("text", picture, { x: x(tick), y: height - 7, "text-anchor": tick === scale.ticks[0] && narrow ? "start" : "middle" }, grouped(tick));
  }
  for (const [number, item] of items.entries()) {
    const y = number * row + (narrow ? 17 : 3), name = item.point.label + (item.point.stale ? " †" : "");
    svg("text", picture, { class: "name", ...(narrow ? { x: left, y: y - 4 } : { x: left - 8, y: y + 12, "text-anchor": "end" }) }, name);
    bar(picture, item, chart, panel, { x: left, y, width: Math.max(1, x(item.value) - left), height: 15 });
    svg("text", picture, { x: x(item.value) + 5, y: y + 12, class: "value" }, item.point.texts[panel]);
  }
}

const pictures = [];

function draw() {
  hint.hidden = true;
  for (const { picture, chart, panel } of pictures) {
    picture.replaceChildren();
    picture.patterns = undefined;
    const width = Math.max(280, picture.parentElement.clientWidth);
    (chart.across ? standing : lying)(picture, chart, panel, width);
  }
}

for (const paper of papers) {
  const section = html("section", document.getElementById("figures"));
  html("h2", section, paper.name);
  html("p", section, `${paper.citation}.`, { class: "citation" });
  for (const chart of paper.charts) {
    const part = html("section", section, "", { "data-chart": `${paper.name} ${chart.title}` });
    html("h3", part, chart.title);
    const legend = html("div", part, "", { class: "legend" });
    for (const line of chart.lines) {
      const button = html("button", legend, "", { type: "button", "aria-pressed": "true" });
      html("i", button, "", { style: `--colour: ${line.colour}` });
      html("span", button, line.name + (line.points.some((point) => point.stale) ? " †" : ""));
      button.addEventListener("click", () => {
        line.hidden = !line.hidden;
        button.setAttribute("aria-pressed", String(!line.hidden));
        draw();
      });
    }
    const panels = html("div", part, "", { class: "panels" });
    for (const [panel, about] of chart.panels.entries()) {
      const figure = html("figure", panels);
      html("figcaption", figure, about.title);
      pictures.push({ picture: svg("svg", figure, { role: "group", "aria-label": about.title }), chart, panel });
    }
    const lacking = chart.lacking ? ` Not measured: ${chart.lacking} of ours.` : "";
    html("p", part, chart.note + lacking, { class: "note" });
  }
}

document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = (root.dataset.theme || (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
});
addEventListener("resize", draw);
draw();
