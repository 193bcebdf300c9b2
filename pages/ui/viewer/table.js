// Questions as a table: one row each, filtered by verdict, by reason and by kind; a row can be taken.

const TABLES = new WeakMap();
const FILTERS = new Map();
const ANY = "";

function showTable({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("[data-testid=chunklab-table]");
  if (!root || !data) return undefined;
  let table = TABLES.get(root);
  if (!table) TABLES.set(root, (table = makeTable(root)));
  table.setTrigger = setTriggerValue;
  table.filter = FILTERS.get(data.key) ?? { verdict: ANY, reason: ANY, kind: ANY };
  FILTERS.set(data.key, table.filter);
  readInk(root);
  if (table.data !== data) {
    table.data = data;
    drawTable(table);
  }
  return undefined;
}

/** Light or dark by the background that is really there. */
function readInk(root) {
  const [red, green, blue] = (getComputedStyle(root).backgroundColor.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  root.dataset.theme = 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128 ? "dark" : "light";
}

function makeTable(root) {
  const make = (tag, className, parent) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    parent.append(node);
    return node;
  };
  const bar = make("div", "filters", root);
  const chips = make("div", "chips", bar);
  chips.setAttribute("role", "group");
  chips.setAttribute("aria-label", "Show only");
  const kinds = make("select", "kinds", bar);
  kinds.setAttribute("aria-label", "Kind of question");
  const shown = make("output", "unseen", bar);
  const scroll = make("div", "rows", root);
  const grid = make("table", "", scroll);
  const head = make("tr", "", make("thead", "", grid));
  const body = make("tbody", "", grid);
  const none = make("p", "none", scroll);
  const table = { root, bar, chips, kinds, shown, scroll, grid, head, body, none };
  kinds.addEventListener("change", () => setFilter(table, "kind", kinds.value));
  body.addEventListener("click", (event) => takeRow(table, event.target.closest("tr")));
  body.addEventListener("keydown", (event) => rowKey(event, body));
  return table;
}

function setFilter(table, field, value) {
  table.filter[field] = table.filter[field] === value ? ANY : value;
  drawTable(table);
}

function drawTable(table) {
  const { data, filter } = table;
  const rows = data.rows ?? [];
  for (const field of ["verdict", "reason", "kind"]) {
    if (filter[field] && !rows.some((row) => row[field] === filter[field])) filter[field] = ANY;
  }
  drawChips(table, rows);
  drawKinds(table, rows);
  table.bar.hidden = !rows.length;
  drawHead(table);
  const kept = rows.filter((row) => ["verdict", "reason", "kind"].every((field) => !filter[field] || row[field] === filter[field]));
  const focused = table.body.getRootNode().activeElement?.dataset?.question;
  table.body.replaceChildren(...kept.map((row) => makeLine(table, row)));
  if (focused) [...table.body.querySelectorAll("button")].find((each) => each.dataset.question === focused)?.focus();
  setText(table.shown, `${kept.length} of ${rows.length} questions shown`);
  table.grid.hidden = !kept.length;
  table.none.hidden = kept.length > 0;
  if (rows.length > table.count) table.scroll.scrollTop = table.scroll.scrollHeight;
  table.count = rows.length;
  setText(table.none, rows.length ? "No question is like that." : data.empty);
  table.root.dataset.rows = kept.length;
}

/** The counts, each of them a filter: all, then by verdict, then by the reason of what is not whole. */
function drawChips(table, rows) {
  const { filter, chips } = table;
  const count = (field, value) => rows.filter((row) => row[field] === value).length;
  const all = { field: null, value: ANY, text: `${rows.length} ${rows.length === 1 ? "question" : "questions"}` };
  const verdicts = VERDICTS.toReversed().map((value) => ({ field: "verdict", value, text: `${count("verdict", value)} ${value}` }));
  const reasons = [...new Set(rows.map((row) => row.reason).filter(Boolean))].sort();
  const wanted = [
    all,
    ...(rows.some((row) => row.verdict) ? verdicts : []),
    ...reasons.map((value) => ({ field: "reason", value, text: `${count("reason", value)} ${table.data.reasons?.[value] ?? value}` })),
  ];
  const names = wanted.map((chip) => `${chip.field} ${chip.value}`).join("\n");
  if (table.chipNames !== names) {
    table.chipNames = names;
    chips.replaceChildren(...wanted.map((chip) => makeChip(table, chip)));
  }
  wanted.forEach((chip, i) => {
    const node = chips.children[i];
    const on = chip.field ? filter[chip.field] === chip.value : !Object.values(filter).some(Boolean);
    setText(node.querySelector("span"), chip.text);
    node.setAttribute("aria-pressed", on);
    node.disabled = chip.field === "verdict" && !count("verdict", chip.value) && !on;
  });
}

function makeChip(table, { field, value }) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.filter = value || "all";
  if (field === "verdict") {
    const shape = document.createElement("i");
    shape.className = `shape ${value}`;
    button.append(shape);
  }
  if (field === "reason") button.className = "reason";
  button.append(document.createElement("span"));
  button.addEventListener("click", () => {
    if (field) return setFilter(table, field, value);
    Object.assign(table.filter, { verdict: ANY, reason: ANY, kind: ANY });
    return drawTable(table);
  });
  return button;
}

function drawKinds(table, rows) {
  const kinds = [...new Set(rows.map((row) => row.kind).filter(Boolean))].sort();
  table.kinds.hidden = kinds.length < 2;
  const names = kinds.join("\n");
  if (table.kindNames !== names) {
    table.kindNames = names;
    table.kinds.replaceChildren(new Option("every kind", ANY), ...kinds.map((kind) => new Option(kind, kind)));
  }
  table.kinds.value = table.filter.kind;
}

function drawHead(table) {
  const { columns = [] } = table.data;
  const titles = columns.map(([, title]) => title).join("\n");
  if (table.titles === titles) return;
  table.titles = titles;
  table.head.replaceChildren(...columns.map(([field, title]) => {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.className = field;
    cell.textContent = title;
    return cell;
  }));
}

function makeLine(table, row) {
  const line = document.createElement("tr");
  line.dataset.question = row.id;
  const taken = row.id === table.data.current;
  line.classList.toggle("taken", taken);
  for (const [field, title] of table.data.columns ?? []) {
    const cell = document.createElement("td");
    cell.className = field;
    if (field === "text") cell.append(makeAsk(row, taken));
    else if (field === "verdict") showVerdict(cell, row.verdict, row.verdict ?? "");
    else if (row[field]?.verdict) {
      showVerdict(cell, row[field].verdict, row[field].said);
      cell.dataset.title = title;
    } else {
      cell.textContent = row[field] ?? "";
      if (row[field]) cell.dataset.title = title;
    }
    line.append(cell);
  }
  return line;
}

function showVerdict(cell, verdict, words) {
  const shape = document.createElement("i");
  shape.className = `shape ${VERDICTS.includes(verdict) ? verdict : ""}`;
  cell.append(shape, words);
}

function makeAsk(row, taken) {
  const ask = document.createElement("button");
  ask.type = "button";
  ask.dataset.question = row.id;
  ask.textContent = row.text;
  if (taken) ask.setAttribute("aria-current", "true");
  return ask;
}

function takeRow(table, line) {
  const selection = document.getSelection()?.toString();
  if (line && !selection) table.setTrigger("pick", { question: line.dataset.question });
}

/** Arrows and j, k go from row to row. */
function rowKey(event, body) {
  const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
  const asks = [...body.querySelectorAll("button")];
  const at = asks.indexOf(event.target);
  event.preventDefault();
  asks[Math.min(Math.max(0, at + by), asks.length - 1)]?.focus();
}
