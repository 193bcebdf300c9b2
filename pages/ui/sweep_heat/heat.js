// The heatmap: a table for each strategy, sizes across and overlaps down, every cell a link to its cuts.

const SAID = {
  best: "the best",
  tied: "not distinguishable from the best",
  below: "distinguishable from the best",
};
const [FEW, WIDE] = [4, 9];
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("[data-testid=chunklab-heat]");
  // While the code itself is still loading, an older state may be handed over after a newer one.
  if (!root || !data || data.at < root.at) return;
  root.at = data.at;
  root.pick = (recipe) => setTriggerValue("pick", recipe);
  if (!root.made) {
    root.made = true;
    root.addEventListener("click", (event) => open(root, event));
    root.addEventListener("keydown", (event) => step(root, event));
  }
  const words = JSON.stringify([data.metric, data.chosen, data.link, data.questions, data.panels]);
  if (root.words === words) return;
  root.words = words;
  const focused = root.getRootNode().activeElement?.dataset?.recipe;
  const moved = [...root.querySelectorAll(".panel")].map((panel) => panel.scrollLeft);
  root.replaceChildren(...data.panels.map((panel) => makePanel(panel, data)), ...makeLegend(data));
  root.querySelectorAll(".panel").forEach((panel, at) => (panel.scrollLeft = moved[at] ?? 0));
  root.dataset.filled = root.querySelectorAll("a[data-value]").length;
  root.dataset.settings = root.querySelectorAll("a").length;
  const cells = [...root.querySelectorAll("a")];
  root.setAttribute("aria-label", `${data.metric} of every setting; arrow keys go from cell to cell`);
  stopAt(root, cells.find((each) => each.dataset.recipe === (focused ?? data.chosen)) ?? cells[0]);
  if (focused) cells.find((each) => each.dataset.recipe === focused)?.focus();
}

/** Within this session, so that the results stay; with a key held down the browser makes a new tab of the link. */
function open(root, event) {
  const cell = event.target.closest("a");
  if (!cell || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  root.pick(cell.dataset.recipe);
}

/** The one cell that Tab stops at. */
function stopAt(root, cell) {
  for (const each of root.querySelectorAll("a")) each.tabIndex = each === cell ? 0 : -1;
}

/** Arrows go from cell to cell, past what is empty. */
function step(root, event) {
  const by = STEPS[event.key];
  const cell = event.target.closest("td");
  if (!by || !cell || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const lines = [...root.querySelectorAll("tbody tr")].map((line) => [...line.cells].map((each) => each.querySelector("a")));
  let row = lines.findIndex((line) => line.includes(event.target.closest("a")));
  let column = cell.cellIndex;
  for (;;) {
    row += by[0];
    column += by[1];
    if (!lines[row] || column < 0 || column >= lines[row].length) return;
    if (lines[row][column]) {
      stopAt(root, lines[row][column]);
      return void lines[row][column].focus();
    }
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
  if (panel.sizes.length && panel.sizes.length < FEW) box.classList.add("list");
  if (panel.sizes.length > WIDE) box.classList.add("wide");
  else if (panel.sizes.length) box.style.flexBasis = `${84 + 43 * panel.sizes.length}px`;
  const table = make("table", "", "", box);
  make("caption", "", panel.name || (panel.rows.some((row) => row.name.includes("/")) ? "beside, size/overlap" : "beside"), table);
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
  const link = make("a", cell.mark || "", "", place);
  link.href = `./?${data.link}&recipe=${encodeURIComponent(cell.recipe)}`;
  link.dataset.recipe = cell.recipe;
  if (cell.shade !== undefined) link.dataset.value = cell.text;
  link.style.setProperty("--shade", cell.shade ?? 0);
  if (cell.recipe === data.chosen) link.setAttribute("aria-current", "true");
  make("span", "value", cell.text, link);
  make("span", "word", cell.mark === "below" ? "" : cell.mark, link);
  const said = [`${cell.name}: ${data.metric} ${cell.text}`, cell.says, SAID[cell.mark]].filter(Boolean).join(", ");
  link.title = `${said}. Opens its cuts in Inspect.`;
  link.setAttribute("aria-label", said);
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
  make("span", "", "click a cell to see its cuts", legend);
  return [legend];
}
