// The heatmap: a table for each strategy, sizes across and overlaps down, every cell a button.

const SAID = {
  best: "the best",
  tied: "not distinguishable from the best",
  below: "distinguishable from the best",
};
const WIDE = 9;
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("[data-testid=chunklab-heat]");
  // While the code itself is still loading, an older state may be handed over after a newer one.
  if (!root || !data || data.at < root.at) return;
  root.at = data.at;
  root.pick = (recipe) => setTriggerValue("pick", recipe);
  if (!root.made) {
    root.made = true;
    root.addEventListener("click", (event) => press(root, event));
    root.addEventListener("keydown", (event) => step(root, event));
  }
  const words = JSON.stringify([data.metric, data.chosen, data.questions, data.panels]);
  if (root.words === words) return;
  root.words = words;
  const focused = root.getRootNode().activeElement?.dataset?.recipe;
  const moved = [...root.querySelectorAll(".panel")].map((panel) => panel.scrollLeft);
  root.replaceChildren(...data.panels.map((panel) => makePanel(panel, data)), ...makeLegend(data));
  root.querySelectorAll(".panel").forEach((panel, at) => (panel.scrollLeft = moved[at] ?? 0));
  root.dataset.filled = root.querySelectorAll("button[data-value]").length;
  root.dataset.settings = root.querySelectorAll("button").length;
  if (focused) [...root.querySelectorAll("button")].find((each) => each.dataset.recipe === focused)?.focus();
}

function press(root, event) {
  const cell = event.target.closest("button");
  if (cell) root.pick(cell.dataset.recipe);
}

/** Arrows go from cell to cell, past what is empty. */
function step(root, event) {
  const by = STEPS[event.key];
  const cell = event.target.closest("td");
  if (!by || !cell || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const lines = [...root.querySelectorAll("tbody tr")].map((line) => [...line.cells].map((each) => each.querySelector("button")));
  let row = lines.findIndex((line) => line.includes(event.target.closest("button")));
  let column = cell.cellIndex;
  for (;;) {
    row += by[0];
    column += by[1];
    if (!lines[row] || column < 0 || column >= lines[row].length) return;
    if (lines[row][column]) return void lines[row][column].focus();
  }
}

function make(tag, className, text, parent) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text) node.textContent = text;
  parent?.append(node);
  return node;
}

function makePanel(panel, data) {
  const box = make("div", panel.sizes.length ? "panel" : "panel list");
  if (panel.sizes.length > WIDE) box.classList.add("wide");
  const table = make("table", "", "", box);
  make("caption", "", panel.name || "one setting each", table);
  if (panel.sizes.length) {
    const head = make("tr", "", "", make("thead", "", "", table));
    make("td", "corner", "size", head);
    for (const size of panel.sizes) make("th", "", String(size), head).scope = "col";
  }
  const body = make("tbody", "", "", table);
  for (const row of panel.rows) {
    const line = make("tr", "", "", body);
    make("th", "", row.name, line).scope = "row";
    for (const cell of row.cells) makeCell(cell, data, make("td", "", "", line));
  }
  return box;
}

function makeCell(cell, data, place) {
  if (!cell) return;
  const button = make("button", cell.mark || "", "", place);
  button.type = "button";
  button.dataset.recipe = cell.recipe;
  if (cell.shade !== undefined) button.dataset.value = cell.text;
  button.style.setProperty("--shade", cell.shade ?? 0);
  button.setAttribute("aria-pressed", cell.recipe === data.chosen);
  make("span", "value", cell.text, button);
  make("span", "word", cell.mark === "below" ? "" : cell.mark, button);
  const said = [`${cell.name}: ${data.metric} ${cell.text}`, cell.says, SAID[cell.mark]].filter(Boolean).join(", ");
  button.title = said;
  button.setAttribute("aria-label", said);
}

function makeLegend(data) {
  if (data.questions === null) return [];
  const legend = make("p", "legend");
  const asked = data.questions === 1 ? "1 question" : `${data.questions} questions`;
  for (const [mark, text] of [
    ["best", "best"],
    ["tied", `tied: not distinguishable from the best with ${asked}`],
    ["below", "below the best, and distinguishable from it"],
  ]) {
    if (!data.panels.some((panel) => panel.rows.some((row) => row.cells.some((cell) => cell?.mark === mark)))) continue;
    const item = make("span", "item", "", legend);
    make("i", mark, "", item);
    item.append(text);
  }
  return [legend];
}
