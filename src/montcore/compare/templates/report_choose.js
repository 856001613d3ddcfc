// What is recommended within limits that the reader sets, export, and the state as a link. The rules are those of
// montcore.compare.budget: the objectives come with the data.

const STEPS = 400;
// Figures that a slider bounds: key, title, how to print.
const LIMITS = [
  ["area", "area", whole], ["latency_us", "us of latency", digits(3)], ["cycles", "cycles of latency", whole],
  ["interval_us", "us between", digits(3)], ["interval", "cycles between", whole],
  ["dsp", "DSP blocks", whole], ["energy_nj", "nJ a product", digits(3)],
];
const limits = {};
// The budgets of the command, those that a slider bounds at first on its slider; the others always hold.
const given = data.budgets.map((text) => /^(\w+)([<>]=)(.*)$/.exec(text).slice(1));
const bounded = ([key, relation]) => relation === "<=" && LIMITS.some(([own]) => own === key);
const fixed = given.filter((budget) => !bounded(budget));
for (const target in data.axes[data.work])
  limits[target] = Object.fromEntries(given.filter(bounded).map(([key, , limit]) => [key, Number(limit)]));

function measured(target) { return pool().filter((row) => row.target === target && row.status === "ok" && !guessed(row)); }

// The product of the figures that are minimised, or null if the point lacks one.
function cost(row, formula) {
  return formula.every((key) => has(row, key)) ? formula.reduce((product, key) => product * row[key], 1) : null;
}

// The first formula of an objective that half of the target's points have, or else the one that the most have.
function formulaOf(target, objective) {
  const all = data.objectives[objective], points = measured(target);
  const having = all.map((formula) => points.filter((row) => cost(row, formula) !== null).length), most = Math.max(...having);
  return all.find((_, n) => having[n] === most || 2 * having[n] >= points.length);
}

function amount(row, formula) {
  const gates = has(row, "ge"), kilo = gates && formula.includes("area") ? 1e3 : 1;
  const units = formula.map((key) => key !== "area" ? data.units[key] : gates ? "kGE" : "LUT");
  const value = cost(row, formula) / kilo;
  return `${value >= 1000 ? whole(value) : digits(4)(value)} ${units.join(" ")}`;
}

const equal = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

// The limits of a target (figure, relation, value), of the figures that it has.
const figured = {};
for (const row of rows) for (const [key] of [...LIMITS, ...fixed]) if (has(row, key)) figured[`${row.target} ${key}`] = true;
const boundsOf = (target) => [...Object.entries(limits[target] || {}).map(([key, limit]) => [key, "<=", limit]), ...fixed]
  .filter(([key]) => figured[`${target} ${key}`]);

// Whether a point keeps every limit; one without a bounded figure cannot keep it.
const within = (row) => boundsOf(row.target).every(([key, relation, limit]) => has(row, key)
  && (relation === "<=" ? row[key] <= limit : row[key] >= limit));

// The points of a target that keep every limit, best first.
function ranked(target, formula) {
  return measured(target)
    .filter((row) => cost(row, formula) !== null && within(row))
    .sort((a, b) => (equal(cost(a, formula), cost(b, formula)) ? 0 : cost(a, formula) - cost(b, formula)) || (a.area || 0) - (b.area || 0));
}

function budgets(target) {
  return boundsOf(target).map(([key, relation, limit]) => ` --budget "${key}${relation}${limit}"`).join("");
}

function advise() {
  const target = $("target").value, objective = $("objective").value, box = $("advice");
  const formula = formulaOf(target, objective), found = ranked(target, formula);
  // What plot and table mark, on each target that is shown.
  state.picked = new Set(shownTargets().map((own) => ranked(own, formulaOf(own, objective))[0]?.index));
  const line = document.createElement("code");
  const work = $("work").value, narrowed = !$("further").checked && asked.has(target);
  const own = narrowed && work === data.work && Number($("bits").value) === data.bits && data.cores;
  const unit = own ? ` --cores ${own}` : work === "product" ? "" : ` --cores ${work}`;
  const compared = measured(target).some((row) => cost(row, formula) !== null);
  if (compared || !measured(target).length) line.textContent = `montcore recommend --bits ${$("bits").value}${unit} --targets ${target}${data.full ? " --full" : ""}${data.wires ? ` --wires ${data.wires}` : ""} --minimise ${objective}${budgets(target)}`;
  box.textContent = "";
  box.className = found.length ? "fits" : "misses";
  const name = document.createElement("b");
  name.textContent = found.length ? found[0].label
    : measured(target).length && !compared ? `${target} has no figure that ${objective} compares.`
    : measured(target).length ? "No point meets these limits." : "No point of this width has been measured on this target.";
  box.append(name);
  if (found.length) {
    const best = found[0], second = found.find((row) => row.multiplier !== best.multiplier);
    const facts = LIMITS.filter(([key]) => has(best, key))
      .map(([key, title, print]) => `${title} ${print(best[key])}`);
    const least = cost(best, formula), same = (row) => equal(cost(row, formula), least), name = formula.join(" x ");
    const equals = found.filter(same).length - 1;
    box.append(` has the ${objective === "throughput" ? "highest" : "least"} ${objective} of ${found.length} point${found.length > 1 ? "s" : ""} on ${target}`
      + (equals ? ` (the same as ${equals} other${equals > 1 ? "s" : ""} with no less area)` : "")
      + `, ${name} = ${amount(best, formula)}: ${facts.join(", ")}.`);
    if (second && same(second)) box.append(` The best other core, ${second.label}, has the same ${name}.`);
    else if (second) box.append(` The best other core, ${second.label}, needs `
      + `${least ? digits(3)(cost(second, formula) / least) + " times as much, " : ""}${amount(second, formula)}.`);
  }
  box.append(document.createElement("br"), line);
}

// A slider goes from the least to the largest value of the target, in even steps of the logarithm; at its right end
// there is no limit. Zero (no DSP blocks) is at its left end.
function sliders() {
  const target = $("target").value, box = $("sliders");
  box.textContent = "";
  for (const [key, title, print] of LIMITS) {
    const values = measured(target).filter((row) => has(row, key)).map((row) => row[key]);
    if (!values.length || Math.max(...values) <= 0) continue;
    const positive = values.filter((value) => value > 0), none = values.some((value) => value === 0);
    const low = Math.min(...positive), high = Math.max(...positive);
    if (low === high && !none) continue;
    const at = (step) => none && step === 0 ? 0 : low * (high / low) ** (step / STEPS);
    const label = document.createElement("label"), slider = document.createElement("input");
    const shown = document.createElement("output");
    slider.type = "range"; slider.min = 0; slider.max = STEPS; slider.dataset.key = key;
    slider.setAttribute("aria-label", `at most, ${title}`);
    const limit = (limits[target] || {})[key];
    slider.value = limit === undefined ? STEPS
      : limit <= 0 ? 0 : Math.round(STEPS * Math.log(limit / low) / Math.log(high / low || 2));
    const say = () => { shown.textContent = limits[target]?.[key] === undefined ? "any" : `≤ ${print(limits[target][key])}`; };
    slider.addEventListener("input", () => {
      const own = limits[target] = limits[target] || {};
      // Rounded up to four digits, so that the point at which a slider stands is kept.
      if (Number(slider.value) === STEPS) delete own[key];
      else { const v = at(Number(slider.value)), unit = v ? 10 ** (Math.floor(Math.log10(v)) - 3) : 1;
        own[key] = Number((Math.ceil(v / unit - 1e-9) * unit).toPrecision(4)); }
      say();
      show();
    });
    say();
    label.append(title + " ", slider, shown);
    box.append(label);
  }
}

// Export: the table as it is sorted and filtered, and the plot with its styles in it.
function csvText() {
  const quote = (value) => /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  const text = (value) => value === null || value === undefined ? "" : quote(String(value));
  const shown = [...document.querySelectorAll("#table tbody tr")].map((line) => rows[line.dataset.row]);
  const keys = COLUMNS.map(([key]) => key).concat("command");
  return [keys.join(","), ...shown.map((row) => keys.map((key) => text(row[key])).join(","))].join("\n") + "\n";
}

function svgText() {
  const copy = $("plot").cloneNode(true), own = $("plot").querySelectorAll("*");
  copy.setAttribute("xmlns", SVG);
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  const names = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family"];
  copy.querySelectorAll("*").forEach((element, n) => {
    const style = getComputedStyle(own[n]);
    for (const name of names) element.style.setProperty(name, style.getPropertyValue(name));
  });
  return new XMLSerializer().serializeToString(copy);
}

function save(text, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

// The state as the part of the address after "#", and back.
function stateText() {
  const found = new URLSearchParams();
  for (const id of ["work", "bits", "target", "across", "up", "objective", "filter"]) if ($(id).value) found.set(id, $(id).value);
  for (const id of ["frontier", "beside", "predicted", "further"]) if ($(id).checked) found.set(id, "1");
  found.set("sort", (state.down ? "-" : "") + state.sort);
  if (state.chosen !== null) {
    const row = rows[state.chosen];
    found.set("row", row.label);
    if (row.target !== $("target").value) found.set("rowTarget", row.target);
    if (String(row.bits) !== $("bits").value) found.set("rowBits", row.bits);
  }
  if (document.documentElement.dataset.theme) found.set("theme", document.documentElement.dataset.theme);
  for (const [target, own] of Object.entries(limits))
    for (const [key, limit] of Object.entries(own)) found.set(`${target}.${key}`, limit);
  return found.toString();
}

function keep() {
  const text = "#" + stateText();
  $("permalink").href = text;
  try { history.replaceState(null, "", text); } catch { /* a viewer that has no address */ }
}

function restore() {
  const found = new URLSearchParams(location.hash.slice(1));
  if (found.size) for (const target in limits) delete limits[target];
  const set = (id) => {
    const wanted = found.get(id);
    if (wanted !== null && (id === "filter" || [...$(id).options].some((item) => item.value === wanted))) $(id).value = wanted;
  };
  for (const id of ["frontier", "beside", "predicted", "further"]) $(id).checked = found.get(id) === "1";
  for (const id of ["work", "bits", "target"]) { set(id); choices(); }
  ownAxes();
  for (const id of ["across", "up", "objective", "filter"]) set(id);
  const sort = found.get("sort") || "";
  if (COLUMNS.some(([key]) => key === sort.replace(/^-/, ""))) { state.sort = sort.replace(/^-/, ""); state.down = sort[0] === "-"; }
  if (["dark", "light"].includes(found.get("theme"))) document.documentElement.dataset.theme = found.get("theme");
  for (const [name, value] of found) {
    const [target, key] = name.split(".");
    if (key && axesOf(target) && LIMITS.some(([own]) => own === key) && Number.isFinite(Number(value)))
      (limits[target] = limits[target] || {})[key] = Number(value);
  }
  const row = rows.find((item) => item.label === found.get("row")
    && item.target === (found.get("rowTarget") || $("target").value) && String(item.bits) === (found.get("rowBits") || $("bits").value));
  if (row) state.chosen = row.index;
}

function startChoosing() {
  for (const name in data.objectives) $("objective").add(new Option(name, name));
  $("objective").value = data.objective;
  restore();
  sliders();
  $("objective").addEventListener("change", show);
  $("csv").addEventListener("click", () => save(csvText(), "text/csv", `montcore-${$("bits").value}.csv`));
  $("svg").addEventListener("click", () => save(svgText(), "image/svg+xml", `montcore-${$("bits").value}.svg`));
  $("theme").addEventListener("click", () => {
    const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = (root.dataset.theme || (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
    show();
  });
  $("plot").addEventListener("keydown", (event) => {
    const dots = [...document.querySelectorAll("#plot circle")]
      .sort((a, b) => a.dataset.panel - b.dataset.panel || a.cx.baseVal.value - b.cx.baseVal.value);
    const here = dots.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && here >= 0) { event.preventDefault(); dots[(here + step + dots.length) % dots.length].focus(); }
    if ((event.key === "Enter" || event.key === " ") && here >= 0) { event.preventDefault(); dots[here].dispatchEvent(new Event("click")); }
  });
}

start();
