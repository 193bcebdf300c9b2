// The chunk under the pointer or reached by a key: lit wherever it is painted, and told in a small card.

/** Lights one chunk in every painted block; -1 lights none. */
function setHot(view, chunk) {
  if (view.hot === chunk) return;
  clearHot(view);
  view.hot = chunk;
  if (chunk < 0) return;
  for (const i of view.shown) if (view.nodes[i].spans) heat(view, view.nodes[i]);
}

function heat(view, node) {
  const { segments, spans } = node;
  for (let n = 0; n < spans.length; n++) {
    const low = segments[n * FIELDS + 2];
    const high = segments[n * FIELDS + 3];
    if (low > view.hot) break;
    if (high < view.hot) continue;
    spans[n].classList.add("hot");
    view.hotSpans.push(spans[n]);
  }
}

function clearHot(view) {
  for (const span of view.hotSpans ?? []) span.classList.remove("hot");
  view.hotSpans = [];
  view.hot = -1;
}

function watchPointer(view) {
  let waiting = null;
  view.box.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" || event.buttons) return;
    if (!waiting) requestAnimationFrame(() => (pointAt(view, waiting), (waiting = null)));
    waiting = { target: event.target, x: event.clientX, y: event.clientY };
  });
  view.box.addEventListener("pointerleave", () => {
    waiting = null;
    setHot(view, -1);
    hideTip(view);
  });
}

function pointAt(view, place) {
  const found = place && segmentNear(view, place);
  const marked = found && view.mode === "marks" && found.verdict !== NO_VERDICT;
  if (!found || (found.low > found.high && !marked)) {
    setHot(view, -1);
    hideTip(view);
    return;
  }
  const stays = view.hot >= found.low && view.hot <= found.high;
  const chunk = stays ? view.hot : found.low;
  setHot(view, chunk);
  showTip(view, chunk, found, place.x, place.y);
}

/** The painted stretch under a point, or that of the nearest text on the line. */
function segmentNear(view, { target, x, y }) {
  const direct = segmentOf(view, target);
  if (direct || !target.closest?.(".block")) return direct;
  const root = view.root.getRootNode();
  const shadowRoots = root instanceof ShadowRoot ? [root] : [];
  const caret = document.caretPositionFromPoint?.(x, y, { shadowRoots });
  if (!caret) return null;
  return segmentOf(view, caret.offsetNode.childNodes[caret.offset] ?? caret.offsetNode);
}

/** The painted stretch that holds a node of the document. */
function segmentOf(view, target) {
  let span = target;
  while (span && span !== view.box && span.segment === undefined) span = span.parentNode;
  const segments = span?.parentNode?.segments;
  if (!segments || span.segment === undefined) return null;
  const k = span.segment;
  return {
    span,
    low: segments[k + 2],
    high: segments[k + 3],
    verdict: segments[k + 4],
    unit: segments[k],
    rank: rankAt(segments, k),
  };
}

const COUNTED = new Intl.NumberFormat("en-US");
const counted = (number) => COUNTED.format(number);

/** What there is to say about a chunk, one short line each. */
function describeChunk(view, chunk) {
  const { frame, doc } = view;
  const start = chunkStart(frame, chunk);
  const end = chunkEnd(frame, chunk);
  const facts = [
    `chunk ${counted(chunk + 1)} of ${counted(frame.count)}`,
    `[${counted(start)} – ${counted(end)})`,
    `${counted(end - start)} chars`,
  ];
  if (frame.tokens) facts.push(`${counted(frame.tokens[chunk])} tokens`);
  if (view.mode === "ranked") {
    const place = frame.ranked.find((each) => each.chunk === chunk);
    facts.unshift(place ? `rank ${place.rank}` : "not among the hits");
  }
  const path = headingPath(doc, frame, chunk).join(" › ");
  const reason = frame.reasons ? frame.head.reason_names?.[frame.reasons[chunk]] : null;
  return { facts: facts.join(" · "), path, cut: reason ? `cut: ${reason}` : "" };
}

function showTip(view, chunk, found, x, y) {
  const { facts, path, cut } = view.mode === "marks" ? {} : describeChunk(view, chunk);
  const others = [];
  for (let i = found.low; i <= Math.min(found.high, found.low + 4); i++) if (i !== chunk) others.push(i + 1);
  const lines = { facts, path, cut, shared: others.length ? `also in chunk ${others.join(", ")}` : "" };
  for (const [name, text] of Object.entries(lines)) {
    const line = view.tip.querySelector(`.${name}`);
    setText(line, text);
    line.hidden = !text;
  }
  const asked = found.verdict === NO_VERDICT ? [] : questionsAt(view, toPoints(view.doc, found.unit));
  view.tip.querySelector(".asked").replaceChildren(...asked.slice(0, 3).map(askedLine));
  view.tip.hidden = false;
  view.tipScroll = view.box.scrollTop;
  placeTip(view, x, y);
}

function askedLine({ verdict, text }) {
  const line = document.createElement("p");
  const shape = document.createElement("i");
  shape.className = `shape ${verdict}`;
  line.append(shape, verdict === "marked" ? text : `${verdict} · ${text}`);
  return line;
}

function placeTip(view, x, y) {
  const around = view.root.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = view.tip;
  const left = Math.max(0, Math.min(x - around.left + 14, around.width - width));
  const fits = y + 20 + height < Math.min(window.innerHeight, around.bottom);
  const top = y - around.top + (fits ? 20 : -height - 14);
  view.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

function hideTip(view) {
  view.tip.hidden = true;
}
