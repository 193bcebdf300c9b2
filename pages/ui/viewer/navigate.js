// Moving about: to a place in the text, to the next chunk, to the next evidence that was not found whole.

const SETTLE_FRAMES = 8;

/** Brings a unit offset to `share` of the window's height; heights are guesses at first, hence the tries. */
function scrollToUnit(view, unit, share = 0.25, done = null) {
  if (!view.nodes?.length) return;
  const turn = ++view.steering;
  paintNow(view, blockAt(view.blocks, unit));
  let left = SETTLE_FRAMES;
  const step = () => {
    if (view.steering !== turn) return;
    const at = unitTop(view, unit);
    const aim = at - view.box.getBoundingClientRect().top - share * view.box.clientHeight;
    const before = view.box.scrollTop;
    if (Math.abs(aim) > 2) view.box.scrollTop = before + aim;
    left--;
    if (left > 0 && Math.abs(view.box.scrollTop - before) > 2) requestAnimationFrame(step);
    else {
      done?.();
    }
  };
  step();
}

/** The top of a character on the screen. */
function unitTop(view, unit) {
  return unitBox(view, unit).top;
}

function unitBox(view, unit) {
  const i = blockAt(view.blocks, unit);
  const node = view.nodes[i];
  let rest = Math.min(unit, view.doc.text.length - 1) - view.blocks.units[i];
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (rest < text.length) {
      const range = document.createRange();
      range.setStart(text, rest);
      range.setEnd(text, rest + 1);
      const box = range.getClientRects()[0];
      if (box) return box;
      break;
    }
    rest -= text.length;
  }
  return node.getBoundingClientRect();
}

function isComfortable(view, unit) {
  const box = view.box.getBoundingClientRect();
  const place = (unitTop(view, unit) - box.top) / box.height;
  return place > 0.02 && place < 0.8;
}

/** Makes a chunk the current one and brings its beginning into view. */
function goToChunk(view, chunk, { announce = true, tip = true } = {}) {
  const { frame, doc } = view;
  if (!frame?.count) return;
  const index = Math.min(Math.max(0, chunk), frame.count - 1);
  view.current = index;
  showCounter(view);
  const [start, end] = [chunkStart(frame, index), chunkEnd(frame, index)];
  const unit = firstVisible(doc.text, toUnits(doc, start), toUnits(doc, end));
  const arrived = () => {
    markCurrent(view);
    setHot(view, index);
    if (tip) tipAtUnit(view, index, unit);
  };
  if (isComfortable(view, unit)) arrived();
  else scrollToUnit(view, unit, 0.25, arrived);
  if (announce) say(view, Object.values(describeChunk(view, index)).filter(Boolean).join(", "));
}

function tipAtUnit(view, chunk, unit) {
  const box = unitBox(view, unit);
  const low = firstEndingAfter(view.frame, toPoints(view.doc, unit));
  showTip(view, chunk, { low, high: chunk, verdict: NO_VERDICT, unit }, box.left, box.bottom);
}

/** The next evidence behind the last one visited that is split or missed, round and round. */
function goToProblem(view) {
  const problems = view.frame.evidence.filter((piece) => piece.verdict !== WHOLE);
  if (!problems.length) return say(view, "no split or missed evidence in this document");
  const [top, bottom] = view.window;
  const from = view.visited >= top && view.visited < bottom ? view.visited : top - 1;
  let at = problems.findIndex((piece) => piece.start > from);
  if (at < 0) at = 0;
  const piece = problems[at];
  view.visited = piece.start;
  goToEvidence(view, piece.start, piece.end);
  say(view, `${VERDICTS[piece.verdict]} evidence, ${at + 1} of ${problems.length}`);
}

function goToEvidence(view, start) {
  const { doc, frame } = view;
  const unit = toUnits(doc, Math.min(Math.max(0, start), doc.length));
  if (frame.count) {
    view.current = Math.min(firstEndingAfter(frame, start), frame.count - 1);
    showCounter(view);
  }
  scrollToUnit(view, unit, 0.3, () => {
    markCurrent(view);
    pulse(view, unit);
  });
}

/** Draws the eye to a place that was jumped to. */
function pulse(view, unit) {
  const node = view.nodes[blockAt(view.blocks, unit)];
  const span = node.spans?.find((s) => node.segments[s.segment] <= unit && node.segments[s.segment + 1] > unit);
  if (!span) return;
  span.classList.remove("pulse");
  void span.offsetWidth;
  span.classList.add("pulse");
}

/** The stretch of the document that the window shows, in code points. */
function windowPoints(view) {
  const box = view.box.getBoundingClientRect();
  let from = Infinity;
  let to = 0;
  for (const i of view.shown) {
    const node = view.nodes[i].getBoundingClientRect();
    if (node.bottom <= box.top || node.top >= box.bottom || !node.height) continue;
    const start = view.blocks.points[i];
    const length = view.blocks.points[i + 1] - start;
    from = Math.min(from, start + (length * Math.max(0, box.top - node.top)) / node.height);
    to = Math.max(to, start + length * Math.min(1, (box.bottom - node.top) / node.height));
  }
  return from > to ? view.window : [from, to];
}

function showCounter(view) {
  const { count, head } = view.frame;
  let text = count ? `chunk ${counted(view.current + 1)} / ${counted(count)}` : "no chunks";
  if (view.mode === "ranked") text = view.rank ? `hit ${view.rank} / ${view.cards.length}` : `${view.cards.length} hits`;
  if (view.mode === "marks") text = `${counted(head.marks.length)} marked`;
  if (view.counter.textContent !== text) view.counter.textContent = text;
}

/** Looks up the window anew; costs a layout, so frames use the last one known. */
function measureWindow(view) {
  view.window = windowPoints(view);
  drawWindow(view);
}

/** After the window moved over the text, by whatever cause. */
function windowMoved(view) {
  measureWindow(view);
  view.memory.point = view.window[0];
  followScroll(view);
  if (Math.abs(view.box.scrollTop - view.tipScroll) > 4) hideTip(view);
}

/** Keeps the counter true while the reader scrolls by hand. */
function followScroll(view) {
  const { frame } = view;
  if (!frame?.count) return;
  const [from, to] = view.window;
  const start = chunkStart(frame, Math.min(view.current, frame.count - 1));
  if (start >= from && start < to) return;
  view.current = Math.min(startingBefore(frame, Math.ceil(from)), frame.count - 1);
  showCounter(view);
  markCurrent(view);
}

function say(view, text) {
  view.live.textContent = text;
}
