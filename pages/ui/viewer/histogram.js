// How long the chunks are: bars, the size limit and a model's limit. Redrawn by changing attributes only.

const SVG = "http://www.w3.org/2000/svg";
const CHART_HEIGHT = 132;
const INSET = { left: 6, right: 10, top: 30, bottom: 20 };

function showHistogram(view, histogram) {
  view.lengths.hidden = !histogram;
  view.histogram = histogram ?? null;
  if (histogram) drawHistogram(view);
}

function drawHistogram(view) {
  const { histogram } = view;
  const width = view.lengthsWidth;
  if (!histogram || !width) return;
  const { edges = [], counts = [], unit = "", limit = null, model = null, model_label = "" } = histogram;
  const parts = (view.chart ??= makeChart(view));
  const low = edges[0] ?? 0;
  const high = Math.max(edges.at(-1) ?? 1, limit ?? 0, model ?? 0, low + 1);
  const x = (value) => INSET.left + ((value - low) / (high - low)) * (width - INSET.left - INSET.right);
  const most = Math.max(1, ...counts);
  const base = CHART_HEIGHT - INSET.bottom;
  const y = (count) => base - (count / most) * (base - INSET.top);
  parts.svg.setAttribute("viewBox", `0 0 ${width} ${CHART_HEIGHT}`);
  let path = "";
  counts.forEach((count, i) => {
    if (!count) return;
    const left = x(edges[i]);
    const right = Math.max(left + 1, x(edges[i + 1]) - 1);
    const top = Math.min(base - 1.5, y(count));
    path += `M${left.toFixed(1)} ${base}V${top.toFixed(1)}H${right.toFixed(1)}V${base}Z`;
  });
  parts.bars.setAttribute("d", path);
  parts.base.setAttribute("d", `M${INSET.left} ${base + 0.5}H${width - INSET.right}`);
  const total = counts.reduce((sum, count) => sum + count, 0);
  placeLine(parts.limit, limit, limit !== null && `limit ${counted(limit)}`, x, 11, width, base);
  placeLine(parts.model, model, `${model_label} ${model === null ? "" : counted(model)}`, x, 24, width, base);
  placeTicks(parts.ticks, low, high, x, width);
  setText(view.lengthsUnit, unit);
  parts.svg.setAttribute("aria-label", describeHistogram({ edges, counts, unit, limit, total, most }));
  parts.scale = { edges, counts, unit, x };
}

function makeChart(view) {
  const svg = view.root.querySelector("svg.histogram");
  const make = (name, className, parent = svg) => {
    const node = document.createElementNS(SVG, name);
    node.setAttribute("class", className);
    parent.append(node);
    return node;
  };
  const line = (className) => ({ line: make("path", className), text: make("text", className) });
  const parts = { svg, bars: make("path", "bars"), base: make("path", "base") };
  parts.limit = line("limit");
  parts.model = line("model");
  parts.ticks = Array.from({ length: 6 }, () => make("text", "tick"));
  svg.addEventListener("pointermove", (event) => readBar(view, event));
  svg.addEventListener("pointerleave", () => setText(view.lengthsRead, ""));
  return parts;
}

function placeLine({ line, text }, value, label, x, top, width, base) {
  const shown = value !== null && value !== undefined;
  line.style.display = text.style.display = shown ? "" : "none";
  if (!shown) return;
  const at = x(value);
  const flip = at > width * 0.55;
  line.setAttribute("d", `M${at.toFixed(1)} ${top - 8}V${base}`);
  text.setAttribute("x", (flip ? at - 4 : at + 4).toFixed(1));
  text.setAttribute("y", top);
  text.setAttribute("text-anchor", flip ? "end" : "start");
  setText(text, label);
}

function placeTicks(nodes, low, high, x, width) {
  const rough = (high - low) / Math.max(2, Math.min(5, Math.floor(width / 60)));
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].find((factor) => factor * power >= rough) * power);
  const first = Math.ceil(low / step) * step;
  nodes.forEach((node, i) => {
    const value = first + i * step;
    const shown = value <= high;
    node.style.display = shown ? "" : "none";
    if (!shown) return;
    const at = x(value);
    node.setAttribute("x", at.toFixed(1));
    node.setAttribute("y", CHART_HEIGHT - 5);
    node.setAttribute("text-anchor", at < 16 ? "start" : at > width - 16 ? "end" : "middle");
    setText(node, counted(value));
  });
}

function describeHistogram({ edges, counts, unit, limit, total, most }) {
  const peak = counts.indexOf(most);
  const edge = (i) => counted(Math.round(edges[i]));
  const often = peak < 0 ? "" : `, most often ${edge(peak)} to ${edge(peak + 1)}`;
  const allowed = limit === null ? "" : `; limit ${counted(limit)}`;
  return `Lengths of ${counted(total)} chunks in ${unit}${often}${allowed}`;
}

/** Says what the bar under the pointer counts. */
function readBar(view, event) {
  const { edges, counts, x } = view.chart.scale;
  const at = event.clientX - view.chart.svg.getBoundingClientRect().left;
  const bar = counts.findIndex((_, i) => at >= x(edges[i]) && at < x(edges[i + 1]));
  if (bar < 0) return setText(view.lengthsRead, "");
  const range = `${counted(Math.round(edges[bar]))}–${counted(Math.round(edges[bar + 1]))}`;
  setText(view.lengthsRead, `${range}: ${counted(counts[bar])}`);
}
