// Draws blocks. Every block always holds its text; only the blocks near the window carry spans.

const NEAR_WINDOW = "500px 0px";
const COVER_CLASS = ["gap", "", "over", "over more"];
const EVERY_MARK = /\r\n|[\n\r\t \u00a0]/;
const LONE_RETURN = /\r(?!\n)/;
const MARK_CLASS = { "\n": "nl", "\r": "cr", "\r\n": "crlf", "\t": "tab", " ": "sp", "\u00a0": "nbsp" };

/** Lays out a document's blocks as plain text and watches which come near the window. */
function mountDocument(view, doc) {
  view.doc = doc;
  view.blocks = cutBlocks(doc);
  view.near?.disconnect();
  view.shown = new Set();
  view.nodes = [];
  view.hits = [];
  clearHot(view);
  const all = document.createDocumentFragment();
  for (let i = 0; i < view.blocks.count; i++) {
    const node = document.createElement("div");
    node.className = "block";
    node.dir = "auto";
    node.index = i;
    fillPlain(view, node);
    view.nodes.push(node);
    all.append(node);
  }
  view.box.replaceChildren(all);
  view.box.scrollTop = 0;
  estimateHeights(view);
  view.near = new IntersectionObserver((entries) => blocksMoved(view, entries), {
    root: view.box,
    rootMargin: NEAR_WINDOW,
  });
  for (const node of view.nodes) view.near.observe(node);
  if (view.nodes.length) view.shown.add(0);
}

/** A guess at each block's height, so that the scroll bar is about right before a block is ever laid out. */
function estimateHeights(view) {
  const style = getComputedStyle(view.box);
  const size = parseFloat(style.fontSize) || 15;
  const line = parseFloat(style.lineHeight) || size * 1.6;
  const columns = Math.min(90, Math.max(20, (view.box.clientWidth - 70) / (size * (view.prose ? 0.47 : 0.6))));
  view.nodes.forEach((node, i) => {
    const units = view.blocks.units[i + 1] - view.blocks.units[i];
    const lines = Math.max(view.blocks.lines[i], units / columns + view.blocks.lines[i] / 2);
    node.style.containIntrinsicBlockSize = `auto ${Math.round(lines * line)}px`;
  });
}

function blocksMoved(view, entries) {
  const added = [];
  for (const { target, isIntersecting } of entries) {
    const i = target.index;
    if (view.nodes[i] !== target) continue;
    if (isIntersecting) {
      if (!view.shown.has(i) || !target.segments) added.push(i);
      view.shown.add(i);
    } else if (!view.selecting && view.shown.delete(i) && target.segments) {
      target.segments = null;
      target.spans = null;
      fillPlain(view, target);
    }
  }
  for (const i of added) paintBlock(view, i);
  if (!added.length) return;
  windowMoved(view);
  settleLabels(view);
}

/** Paints what is near the window; returns the number of blocks whose spans changed. */
function paintShown(view) {
  let changed = 0;
  for (const i of view.shown) if (paintBlock(view, i)) changed++;
  if (changed) settleLabels(view);
  return changed;
}

/** Paints one block before the browser has noticed that it comes into the window. */
function paintNow(view, index) {
  if (view.shown.has(index)) return;
  view.shown.add(index);
  paintBlock(view, index);
  settleLabels(view);
}

function repaintAll(view) {
  for (const i of view.shown) view.nodes[i].segments = null;
  paintShown(view);
}

function fillPlain(view, node) {
  const { units, loneReturn } = view.blocks;
  const text = view.doc.text.slice(units[node.index], units[node.index + 1]);
  if (loneReturn[node.index]) {
    node.replaceChildren();
    fillMarked(node, text, LONE_RETURN, "");
  } else node.textContent = text;
}

function paintBlock(view, index) {
  const node = view.nodes[index];
  const segments = segmentsOf(view, index);
  if (sameNumbers(node.segments, segments)) return false;
  const { text } = view.doc;
  const pattern = view.marks ? EVERY_MARK : view.blocks.loneReturn[index] ? LONE_RETURN : null;
  const all = document.createDocumentFragment();
  const spans = [];
  for (let k = 0; k < segments.length; k += FIELDS) {
    const span = makeSpan(view, segments, k);
    const piece = text.slice(segments[k], segments[k + 1]);
    if (pattern) fillMarked(span, piece, pattern, text[segments[k + 1]]);
    else span.append(piece);
    span.segment = k;
    spans.push(span);
    all.append(span);
  }
  node.replaceChildren(all);
  node.segments = segments;
  node.spans = spans;
  if (view.hot >= 0) heat(view, node);
  if (view.rank) raise(view, node);
  return true;
}

/** How a stretch is tinted: by the chunks that hold it or, where something was retrieved, by how many places do. */
function tintOf(view, segments, k) {
  const covered = Math.max(0, segments[k + 3] - segments[k + 2] + 1);
  if (view.mode === "cuts") return covered === 1 ? (segments[k + 2] % 2 ? "odd" : "even") : COVER_CLASS[Math.min(covered, 3)];
  const places = countBits(segments[k + 7]) + countBits(segments[k + 8]);
  if (!places) return "rest";
  const part = segments[k + 6] & FOUND ? "held" : "held around";
  return places > 1 ? `${part} twice` : part;
}

function countBits(bits) {
  let count = 0;
  for (let rest = bits; rest; rest &= rest - 1) count++;
  return count;
}

function makeSpan(view, segments, k) {
  const high = segments[k + 3];
  const verdict = segments[k + 4];
  const begins = segments[k + 5];
  const flags = segments[k + 6];
  const span = document.createElement("span");
  let names = tintOf(view, segments, k);
  if (flags & UNREAD) names += " unread";
  if (flags & HIT) names += flags & HIT_NOW ? " hit now" : " hit";
  if (verdict !== NO_VERDICT) names += ` evidence ${SIGNS[verdict]}`;
  span.className = names;
  if (flags & CUT) addSign(span, "cut");
  if (view.mode === "cuts" && flags & LABEL && high >= segments[k + 2]) {
    const number = addSign(span, high === view.current ? "number current" : "number");
    number.dataset.n = high + 1;
    number.chunk = high;
  }
  if (flags & RANK) addRank(view, span, segments[k]);
  if (begins !== NO_VERDICT) addSign(span, `shape ${SIGNS[begins]}`);
  return span;
}

/** An element without text, taken out of the line by its style: it shows a sign and moves nothing. */
function addSign(span, className) {
  const sign = document.createElement("i");
  sign.className = className;
  span.append(sign);
  return sign;
}

const MARKS = new Map();

/** A copy of a ready-made element: there may be thousands of blanks near the window. */
function makeMark(sign, name) {
  if (!MARKS.has(name)) {
    const mark = document.createElement("i");
    mark.className = `mark ${name}`;
    mark.textContent = sign;
    MARKS.set(name, mark);
  }
  return MARKS.get(name).cloneNode(true);
}

/** Appends a text, each special character in an element of its own that draws its sign by style alone.
 *  `next` is the character behind it: a return before a newline is half a line end. */
function fillMarked(parent, text, pattern, next) {
  let rest = text;
  for (let found = pattern.exec(rest); found; found = pattern.exec(rest)) {
    const [sign] = found;
    if (found.index) parent.append(rest.slice(0, found.index));
    rest = rest.slice(found.index + sign.length);
    const halved = sign === "\r" && !rest && next === "\n";
    parent.append(makeMark(sign, halved ? "half" : MARK_CLASS[sign]));
  }
  if (rest) parent.append(rest);
}
