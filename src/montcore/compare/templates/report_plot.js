// The plot: a panel for each target that is shown.

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

// The figures of a plot side by side, one panel for each target that is shown.
function plot() {
  const svg = $("plot"), targets = shownTargets();
  const whole = Math.max(340, Math.min(1540, svg.parentElement.clientWidth));
  const columns = whole < 700 ? 1 : Math.min(targets.length, 2);
  const width = whole / columns, height = width < 600 ? 360 : 520;
  const lines = Math.ceil(targets.length / columns);
  svg.setAttribute("viewBox", `0 0 ${whole} ${height * lines}`);
  svg.textContent = "";
  targets.forEach((target, n) => {
    const group = make("g", { transform: `translate(${(n % columns) * width} ${Math.floor(n / columns) * height})` }, svg);
    panel(group, target, n, width, height, targets.length > 1);
  });
}

function panel(svg, target, number, width, height, named) {
  const across = acrossOf(target), up = upOf(target);
  const left = 80, right = 14, top = named ? 30 : 12, bottom = 46;
  const { list, best } = selection(target), points = drawable(list, target);
  if (named) make("text", { x: left, y: 18, class: "name" }, svg, target);
  if (!points.length) { make("text", { x: left, y: 54 }, svg, "No point has both figures."); return; }
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
      make("text", { x: Math.min(x(value), width - 24), y: height - bottom + 17, "text-anchor": "middle" }, svg, digits(3)(value));
      last = x(value);
    }
  }
  for (const value of ticks(y0, y1)) {
    make("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: "grid" }, svg);
    make("text", { x: left - 7, y: y(value) + 4, "text-anchor": "end" }, svg, digits(3)(value));
  }
  make("path", { d: `M${left} ${top}V${height - bottom}H${width - right}`, class: "axis", fill: "none" }, svg);
  const own = axesOf(target);
  const title = (key, name) => key === own[name] ? own[name + "Title"] : COLUMNS.find(([one]) => one === key)[1];
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
    const mark = data.marks[row.multiplier], cx = x(row[across]), cy = y(row[up]);
    const look = (guessed(row) ? "mark guessed" : leading.has(row) ? "mark leading" : "mark") + (within(row) ? "" : " outside");
    const picked = state.picked.has(row.index);
    make("path", { d: SHAPES[mark.marker], ...(guessed(row) ? { style: `stroke: ${mark.colour}` } : { fill: mark.colour }), class: look,
      transform: `translate(${cx} ${cy}) scale(${picked ? 1.4 : 1})`, "data-core": row.multiplier }, svg);
    // The circle takes the pointer, and shows which point is chosen.
    const dot = make("circle", { cx, cy, r: picked ? 11 : 8.5, "data-row": row.index, "data-panel": number, tabindex: 0,
      role: "button", "aria-label": `${row.label}: ${title(across, "time")} ${digits(3)(row[across])}, ${title(up, "area")} ${digits(3)(row[up])}${stateOf(row)}` }, svg);
    make("title", {}, dot, row.label);
    if (picked) make("path", { d: `M${cx - 15} ${cy}a15 15 0 1 0 30 0a15 15 0 1 0 -30 0`, class: "pick", "pointer-events": "none" }, svg);
    for (const event of ["mouseenter", "focus"]) dot.addEventListener(event, () => hint(dot, row));
    for (const event of ["mouseleave", "blur"]) dot.addEventListener(event, () => { $("hint").hidden = true; });
    dot.addEventListener("click", () => {
      choose(row.index);
      keep();
      const line = document.querySelector(`tr[data-row="${row.index}"]`);
      if (line) line.parentElement.parentElement.parentElement.scrollTop = line.offsetTop - 80;
    });
    if (row.index === state.chosen) dot.classList.add("chosen");
  }
}

const stateOf = (row) => (guessed(row) ? " (predicted)" : "") + (within(row) ? "" : " (outside the limits)");

// The words beside the point that the pointer or the keyboard is at.
function hint(dot, row) {
  const box = $("hint"), own = dot.getBoundingClientRect(), frame = $("plot").parentElement.getBoundingClientRect();
  const named = (key) => { const [, title, print] = COLUMNS.find(([name]) => name === key); return `${title} ${print(row[key])}`; };
  box.textContent = `${row.label}: ${[acrossOf(row.target), upOf(row.target)].map(named).join(", ")}`;
  box.textContent += stateOf(row);
  box.hidden = false;
  const left = Math.min(own.left - frame.left + 14, frame.width - box.offsetWidth - 4);
  box.style.left = `${Math.max(0, left)}px`;
  box.style.top = `${own.top - frame.top - box.offsetHeight - 4}px`;
}
