// The datasheet of the chosen point: its figures, cycle formula, checks, commands and block diagram.

// Figures that a datasheet groups; what a point lacks is left out.
const GROUPS = [
  ["time", ["cycles", "interval", "sign_cycles", "verify_cycles", "tmin_ns", "fmax_mhz", "latency_us", "interval_us",
    "products_per_second", "signatures_per_second"]],
  ["area", ["ge", "ge_memory", "lut", "ff", "dsp", "bram", "area"]],
  ["area and time", ["kge_us", "kge_us_sustained", "dsp_us", "dsp_us_sustained", "utilisation", "utilisation_sustained"]],
  ["energy", ["energy_nj", "power_mw"]],
  ["checks", ["checked", "rejected", "gate_level_checked"]],
];

function settingsOf(row) {
  return Object.entries(row.params || {}).map(([key, value]) => ` --set ${key}=${value}`).join("");
}

// The commands that measure, verify and build a point.
function commandsOf(row) {
  const what = `${row.core}${settingsOf(row)} --bits ${row.bits}`;
  const bus = row.core === "modexp" ? " --bus axi4-lite" : "";
  return [
    ["measures it", row.command],
    ...(row.work === "product" ? [["verifies it", `montcore verify ${what} --random 1000`]] : []),
    ["exports it", `montcore build ${what} --target ${row.target}${bus} -o DIR`],
  ].filter(([, text]) => text);
}

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function choose(index) {
  state.chosen = index;
  for (const one of document.querySelectorAll(".chosen")) one.classList.remove("chosen");
  for (const one of document.querySelectorAll(`[data-row="${index}"]`)) one.classList.add("chosen");
  const row = rows[index];
  const how = guessed(row) ? "predicted, not measured" : row.earlier ? "measured on earlier sources, from the atlas" : row.origin === "atlas" ? "measured, from the atlas" : "measured on this machine";
  $("detail").replaceChildren(element("b", `${row.label} on ${row.target}: `),
    row.status === "ok" ? `${row.bits} bits, ${how}${row.date ? ", " + row.date.slice(0, 10) : ""}.` : row.message);
  const list = element("dl");
  const add = (name, ...parts) => { const value = element("dd"); value.append(...parts); list.append(element("dt", name), value); };
  for (const [name, keys] of row.status === "ok" ? GROUPS : []) {
    if (name === "checks" && guessed(row)) continue;
    const found = COLUMNS.filter(([key, , print]) => print && keys.includes(key) && has(row, key))
      .map(([key, title, print]) => `${title} ${print(row[key])}${error(row, key)}`);
    if (found.length) add(name, found.join(", "));
  }
  if (row.wires) add("flow", `wires ${row.wires}, memories as ${row.memory}`);
  if (row.formula) add("cycle formula", "start to done in the datapath = ", element("code", row.formula),
    `, for a modulus of L bits: ${row.core_cycles} at ${row.bits}`);
  for (const [name, text] of commandsOf(row)) add(name, element("code", text));
  const tools = Object.entries(row.tools || {}).map(([tool, version]) => `${tool} ${version}`).join(", ");
  if (tools) add("tools", tools);
  $("figures").replaceChildren(list);
  $("diagram").replaceChildren(...[row.core, row.multiplier].filter((name, n, all) => all.indexOf(name) === n && data.diagrams[name])
    .map((name) => document.importNode(new DOMParser().parseFromString(data.diagrams[name], "image/svg+xml").documentElement, true)));
}

// The error of a predicted figure.
function error(row, key) {
  const own = (row.errors || {})[key];
  return !own ? "" : ` (± ${percent(own)})`;
}
