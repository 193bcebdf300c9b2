// Several recipes on one text: a column each in one scrolling box, so that every line stands beside itself.

const COMPARISONS = new WeakMap();
const CHANGES = ["kept", "moved", "added", "gone"];
const LETTERS = "ABCD";
const TRACK = 16;

function showCompare({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("[data-testid=chunklab-compare]");
  if (!root || !data) return undefined;
  let view = COMPARISONS.get(root);
  if (!view) COMPARISONS.set(root, (view = createCompare(root)));
  view.setTrigger = setTriggerValue;
  readTheme(view);
  if (view.data !== data) {
    view.data = data;
    const { head, arrays } = readArrays(data);
    view.head = head;
    view.recipes = head.recipes.map((recipe, i) => ({
      ...recipe,
      ...readFrameOf(arrays[`spans${i}`]),
      marks: readChanges(arrays[`marks${i}`]),
      evidence: sortEvidence(arrays.evidence, arrays[`verdicts${i}`]),
    }));
    view.stale = true;
  }
  presentCompare(view);
  return () => setTimeout(() => root.isConnected || destroyCompare(view));
}

const readFrameOf = (spans = new Int32Array(0)) => ({ spans, count: spans.length >> 1 });

/** The cuts of one column that are told apart: {at, kind, from}, by place. */
function readChanges(flat = []) {
  const list = [];
  for (let i = 0; i + 2 < flat.length; i += 3) {
    if (CHANGES[flat[i + 1]]) list.push({ at: flat[i], kind: CHANGES[flat[i + 1]], from: flat[i + 2] });
  }
  return list.sort((a, b) => a.at - b.at);
}

function createCompare(root) {
  const find = (selector) => root.querySelector(selector);
  const view = {
    root,
    tracks: find(".area"),
    letters: find(".letters"),
    canvas: find("canvas"),
    pane: find(".pane"),
    heads: find(".heads"),
    box: find(".columns"),
    counter: find(".counter"),
    live: find(".live"),
    loading: find(".loading"),
    rows: [],
    shown: new Set(),
    step: -1,
  };
  view.onDocument = () => presentCompare(view);
  window.addEventListener("chunklab-document", view.onDocument);
  root.addEventListener("click", (event) => {
    const act = event.target.closest("button")?.dataset.act;
    if (act) stepDifference(view, act === "next" ? 1 : -1);
  });
  view.box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    stepDifference(view, by);
  });
  view.box.addEventListener("scroll", () => requestAnimationFrame(() => drawPane(view)), { passive: true });
  view.tracks.addEventListener("pointerdown", (event) => {
    const area = view.canvas.getBoundingClientRect();
    if (view.doc) goToPoint(view, ((event.clientX - area.left) / area.width) * view.doc.length);
  });
  view.sizes = new ResizeObserver(() => drawTracks(view));
  view.sizes.observe(view.tracks);
  return view;
}

function destroyCompare(view) {
  window.removeEventListener("chunklab-document", view.onDocument);
  view.near?.disconnect();
  view.sizes.disconnect();
  COMPARISONS.delete(view.root);
}

function presentCompare(view) {
  const doc = documentsKept().get(view.head?.doc);
  view.loading.hidden = Boolean(doc);
  if (!doc || (!view.stale && view.doc === doc)) return;
  view.stale = false;
  const asBefore = view.doc === doc && view.rows[0]?.children.length === view.recipes.length;
  view.doc = doc;
  view.blocks = cutBlocks(doc);
  view.root.style.setProperty("--columns", view.recipes.length);
  showHeads(view);
  if (!asBefore) mountColumns(view);
  for (const i of view.shown) paintRow(view, i);
  view.differences = view.recipes.flatMap(({ marks }, column) =>
    marks.filter(({ kind }) => kind !== "kept").map((mark) => ({ ...mark, column })),
  ).sort((a, b) => a.at - b.at || a.column - b.column);
  view.step = Math.min(view.step, view.differences.length - 1);
  showStep(view);
  drawTracks(view);
  view.root.dataset.columns = view.recipes.length;
  view.root.dataset.differences = view.differences.length;
  const { focus_at: point, focus_seq: seq } = view.head;
  if (Number.isInteger(point) && seq !== view.focusSeq) {
    view.focusSeq = seq;
    goToPoint(view, point);
    view.heads.scrollIntoView({ block: "nearest" });
  }
}

function showHeads(view) {
  view.letters.replaceChildren(...view.recipes.map((_, i) => {
    const letter = document.createElement("b");
    letter.textContent = LETTERS[i];
    return letter;
  }));
  view.heads.replaceChildren(...view.recipes.map(({ name, facts, says }, i) => {
    const head = document.createElement("div");
    const letter = head.appendChild(document.createElement("b"));
    letter.textContent = LETTERS[i];
    const code = head.appendChild(document.createElement("code"));
    code.textContent = name;
    code.title = name;
    const line = head.appendChild(document.createElement("small"));
    line.textContent = facts;
    if (says) line.title = says;
    return head;
  }));
}

function mountColumns(view) {
  view.near?.disconnect();
  view.shown = new Set();
  view.rows = [];
  const { units, lines, count } = view.blocks;
  const columns = Math.max(16, view.box.clientWidth / view.recipes.length / 7.5);
  for (let i = 0; i < count; i++) {
    const row = document.createElement("div");
    row.className = "row";
    row.index = i;
    const guess = Math.max(lines[i], (units[i + 1] - units[i]) / columns + lines[i] / 2);
    row.style.containIntrinsicBlockSize = `auto ${Math.round(guess * 22)}px`;
    for (let column = 0; column < view.recipes.length; column++) {
      const cell = row.appendChild(document.createElement("div"));
      cell.className = "cell";
      cell.dir = "auto";
      cell.textContent = view.doc.text.slice(units[i], units[i + 1]);
    }
    view.rows.push(row);
  }
  view.box.replaceChildren(...view.rows);
  view.near = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) view.shown.delete(target.index);
      else if (!view.shown.has(target.index)) {
        view.shown.add(target.index);
        paintRow(view, target.index);
      }
    }
    drawPane(view);
  }, { root: view.box, rootMargin: NEAR_WINDOW });
  for (const row of view.rows) view.near.observe(row);
}

function paintRow(view, index) {
  view.recipes.forEach((recipe, column) => paintCell(view, recipe, view.rows[index].children[column], index));
}

/** One block in one column: its stretches tinted by chunk, evidence underlined, and its cuts as signs. */
function paintCell(view, recipe, cell, index) {
  const { doc, blocks } = view;
  const [from, to] = [blocks.units[index], blocks.units[index + 1]];
  const inside = (unit) => unit >= from && unit < to;
  const first = firstEndingAfter(recipe, blocks.points[index]);
  const beyond = Math.max(first, startingBefore(recipe, blocks.points[index + 1]));
  const chunks = [];
  const edges = new Set([from, to]);
  for (let chunk = first; chunk < beyond; chunk++) {
    const pair = [toUnits(doc, chunkStart(recipe, chunk)), toUnits(doc, chunkEnd(recipe, chunk))];
    chunks.push(pair);
    for (const edge of pair) if (inside(edge)) edges.add(edge);
  }
  const evidence = recipe.evidence.map(({ start, end, verdict }) => [toUnits(doc, start), toUnits(doc, end), verdict])
    .filter(([start, end]) => start < to && end > from);
  for (const [start, end] of evidence) for (const edge of [start, end]) if (inside(edge)) edges.add(edge);
  const signs = new Map();
  for (const mark of recipe.marks) {
    const unit = toUnits(doc, mark.at);
    if (!inside(unit)) continue;
    signs.set(unit, mark);
    edges.add(unit);
  }
  const sorted = [...edges].sort((a, b) => a - b);
  const nodes = [];
  for (let k = 0; k + 1 < sorted.length; k++) {
    const [start, end] = [sorted[k], sorted[k + 1]];
    const covering = chunks.flatMap(([low, high], i) => (low <= start && start < high ? [first + i] : []));
    const span = document.createElement("span");
    span.className = covering.length === 1 ? (covering[0] % 2 ? "odd" : "even") : COVER_CLASS[Math.min(covering.length, 3)];
    const asked = evidence.find(([low, high]) => low <= start && start < high);
    if (asked) span.className += ` evidence ${VERDICTS[asked[2]] ?? ""}`;
    if (signs.has(start)) span.append(signOf(signs.get(start)));
    span.append(doc.text.slice(start, end));
    span.start = start;
    nodes.push(span);
  }
  cell.replaceChildren(...nodes);
}

function signOf({ kind, from, at }) {
  const sign = document.createElement("i");
  sign.className = `seam ${kind}`;
  sign.title = kind === "moved" ? `moved from ${from.toLocaleString("en")} to ${at.toLocaleString("en")}` : `cut ${kind}`;
  return sign;
}

function stepDifference(view, by) {
  const { differences } = view;
  if (!differences?.length) return;
  view.step = view.step < 0 && by < 0 ? differences.length - 1 : (view.step + by + differences.length) % differences.length;
  const { at, kind, column } = differences[view.step];
  goToPoint(view, at);
  showStep(view);
  view.live.textContent = `${view.counter.textContent}: ${kind} in ${LETTERS[column]} at ${at.toLocaleString("en")}`;
}

function showStep(view) {
  const count = view.differences.length;
  const what = count === 1 ? "difference" : "differences";
  setText(view.counter, view.step < 0 ? `${count} ${what}` : `${view.step + 1} of ${count} ${what}`);
}

/** Scrolls so that a code point stands in the upper third; once more when blocks have their real heights. */
function goToPoint(view, point, again = 2) {
  const unit = toUnits(view.doc, Math.min(Math.max(0, Math.round(point)), view.doc.length - 1));
  const index = blockAt(view.blocks, unit);
  if (!view.shown.has(index)) {
    view.shown.add(index);
    paintRow(view, index);
  }
  const spans = [...view.rows[index].children[0].children];
  const node = spans.filter((span) => span.start <= unit).pop() ?? view.rows[index];
  const shift = node.getBoundingClientRect().top - view.box.getBoundingClientRect().top;
  view.box.scrollTop += shift - view.box.clientHeight / 3;
  if (again) requestAnimationFrame(() => goToPoint(view, point, again - 1));
}

/** One line a recipe over the whole document: its cuts, those that changed by colour and height. */
function drawTracks(view) {
  const { canvas, recipes, doc } = view;
  if (!doc) return;
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [view.tracks.clientWidth, TRACK * recipes.length];
  canvas.style.height = view.tracks.style.height = `${height}px`;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  const own = getComputedStyle(view.root);
  const inks = Object.fromEntries(CHANGES.map((kind) => [kind, own.getPropertyValue(`--${kind}`).trim()]));
  const scale = width / Math.max(1, doc.length);
  recipes.forEach(({ marks }, row) => {
    const top = row * TRACK;
    pen.globalAlpha = 1;
    pen.fillStyle = own.getPropertyValue("--even").trim();
    pen.fillRect(0, top + 2, width, TRACK - 4);
    const kept = marks.filter(({ kind }) => kind === "kept").length;
    for (const { at, kind } of marks) {
      pen.fillStyle = inks[kind];
      // So many that they would run together are drawn faintly: what changed stays to be seen.
      pen.globalAlpha = kind === "kept" ? Math.min(1, Math.max(0.08, width / (6 * kept))) : 1;
      const tall = kind === "kept" ? 4 : 0;
      if (kind === "gone") for (let y = 1; y < TRACK - 1; y += 4) pen.fillRect(at * scale, top + y, 2, 2);
      else pen.fillRect(at * scale, top + 1 + tall, kind === "kept" ? 1 : 2, TRACK - 2 - 2 * tall);
    }
  });
  drawPane(view);
}

function drawPane(view) {
  const { doc, box, rows } = view;
  if (!doc || !rows.length) return;
  const share = (y) => {
    const at = rows.findIndex((row) => row.offsetTop + row.offsetHeight - rows[0].offsetTop > y);
    const index = at < 0 ? rows.length - 1 : at;
    const inside = Math.min(1, (y - rows[index].offsetTop + rows[0].offsetTop) / Math.max(1, rows[index].offsetHeight));
    const { points } = view.blocks;
    return (points[index] + inside * (points[index + 1] - points[index])) / Math.max(1, doc.length);
  };
  const [from, to] = [share(box.scrollTop), share(box.scrollTop + box.clientHeight)];
  view.pane.style.left = `${(from * 100).toFixed(2)}%`;
  view.pane.style.width = `${(Math.max(0.002, to - from) * 100).toFixed(2)}%`;
}
