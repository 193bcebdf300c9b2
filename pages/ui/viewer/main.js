// The view: made once for its place on the page, then given frames by `showView`.

const VIEWS = new WeakMap();
const MEMORIES = new Map();

const documentsKept = () => (window.__chunklabDocuments ??= new Map());

function createView(root) {
  const find = (selector) => root.querySelector(selector);
  const view = {
    root,
    stage: find(".stage"),
    box: find(".box"),
    overview: find(".overview"),
    canvas: find("canvas"),
    pane: find(".pane"),
    tip: find(".tip"),
    live: find(".live"),
    help: find("dialog"),
    counter: find(".counter"),
    title: find(".title"),
    empty: find(".empty"),
    notices: find(".notices"),
    searchInput: find("input[type=search]"),
    searchCount: find(".search output"),
    numbersBox: find(".numbers"),
    slidersBox: find(".sliders"),
    lengths: find(".lengths"),
    lengthsUnit: find(".lengths .unit"),
    lengthsRead: find(".lengths .read"),
    questionsBox: find(".questions"),
    questionsTitle: find(".questions .against"),
    questionsList: find(".questions ul"),
    questionTotals: Object.fromEntries(VERDICTS.map((verdict) => [verdict, find(`.totals .${verdict} b`)])),
    drag: createDrag(),
    cells: [],
    sliders: [],
    hits: [],
    hit: 0,
    hot: -1,
    rank: 0,
    mode: "cuts",
    cards: [],
    current: 0,
    window: [0, 0],
    steering: 0,
    tipScroll: 0,
    shown: new Set(),
    nodes: [],
  };
  watchPointer(view);
  watchOverview(view);
  watchSearch(view);
  watchKeys(view);
  watchToolbar(view);
  watchSelection(view);
  watchScroll(view);
  watchSizes(view);
  view.onDocument = () => view.latest && view.doc?.digest !== view.latest.head.doc && present(view);
  window.addEventListener("chunklab-document", view.onDocument);
  return view;
}

function watchScroll(view) {
  let waiting = false;
  const takeOver = () => view.steering++;
  for (const by of ["wheel", "touchmove"]) view.box.addEventListener(by, takeOver, { passive: true });
  view.box.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (view.doc) windowMoved(view);
    });
  }, { passive: true });
}

function watchSizes(view) {
  view.sizes = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      if (target === view.overview) {
        view.overviewSize = { width: contentRect.width, height: contentRect.height };
        drawOverview(view);
        drawWindow(view);
      } else if (target === view.lengths) {
        view.lengthsWidth = Math.round(contentRect.width);
        drawHistogram(view);
      } else if (view.boxWidth !== contentRect.width) {
        view.boxWidth = contentRect.width;
        settleLabels(view);
      }
    }
  });
  for (const node of [view.overview, view.lengths, view.box]) view.sizes.observe(node);
}

function destroyView(view) {
  window.removeEventListener("chunklab-document", view.onDocument);
  document.removeEventListener("selectionchange", view.onSelection);
  view.near?.disconnect();
  view.sizes.disconnect();
  const { rest, watchdog, release } = view.drag;
  for (const timer of [view.settling, rest, watchdog, release]) clearTimeout(timer);
  VIEWS.delete(view.root);
}

/** Light or dark by the background that is really there, and the canvas's inks with it. */
function readTheme(view) {
  const style = getComputedStyle(view.root);
  const [red, green, blue] = (style.backgroundColor.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  const theme = 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128 ? "dark" : "light";
  if (view.root.dataset.theme === theme && view.ink) return;
  view.root.dataset.theme = theme;
  const own = getComputedStyle(view.root);
  const ink = (name) => own.getPropertyValue(name).trim();
  view.ink = {
    even: ink("--even-strong"),
    odd: ink("--odd-strong"),
    tick: ink("--tick"),
    evidence: ink("--evidence"),
  };
}

/** Draws the latest frame; without its text it draws all but the document, and waits. */
function present(view) {
  const began = performance.now();
  const frame = view.latest;
  const { head } = frame;
  answered(view, head.seq);
  showSliders(view, head.sliders);
  showNumbers(view, head.numbers);
  showHistogram(view, head.histogram);
  showQuestions(view, head);
  showRanked(view, head);
  showMarks(view, head);
  showNotices(view, head.notices);
  const doc = documentsKept().get(head.doc) ?? (view.doc?.digest === head.doc ? view.doc : null);
  view.root.toggleAttribute("data-waiting", !doc);
  if (!doc) return;
  const before = view.frame;
  view.frame = frame;
  setText(view.title, head.name ?? "");
  if (view.title.title !== (head.name ?? "")) view.title.title = head.name ?? "";
  if (view.doc !== doc) openDocument(view, doc, head);
  if (view.current >= frame.count) view.current = Math.max(0, frame.count - 1);
  if (before && !sameNumbers(before.spans, frame.spans)) {
    clearHot(view);
    hideTip(view);
    followScroll(view);
  }
  widenGutter(view);
  view.root.toggleAttribute("data-evidence", frame.evidence.length > 0);
  paintShown(view);
  drawOverview(view);
  showCounter(view);
  showEmpty(view);
  view.root.dataset.chunks = frame.count;
  view.root.dataset.paintedSeq = Number.isInteger(head.seq) ? head.seq : -1;
  view.root.dataset.frameMs = (performance.now() - began + frame.readMs).toFixed(2);
  followFocus(view);
}

function openDocument(view, doc, head) {
  view.prose = view.memory.prose ?? head.prose !== false;
  view.marks = view.memory.marks ?? false;
  showSwitches(view);
  mountDocument(view, doc);
  view.current = 0;
  view.visited = -1;
  view.digits = 0;
  view.searched = view.searchInput.value = "";
  setText(view.searchCount, "");
  const back = view.memory.digest === doc.digest ? view.memory.point : 0;
  view.memory.digest = doc.digest;
  view.memory.point = back;
  if (back > 0) scrollToUnit(view, toUnits(doc, Math.floor(back)), 0);
}

/** Room for the longest number; never less than before, because every line would move. */
function widenGutter(view) {
  const digits = Math.max(3, String(view.frame.count).length);
  if (digits <= (view.digits ?? 0)) return;
  view.digits = digits;
  view.root.style.setProperty("--digits", digits);
}

function showNotices(view, notices = []) {
  const text = notices.join("\n");
  if (view.noticesText === text) return;
  view.noticesText = text;
  view.notices.hidden = !notices.length;
  view.notices.replaceChildren(...notices.map((notice) => {
    const line = document.createElement("li");
    line.textContent = notice;
    return line;
  }));
}

function showEmpty(view) {
  const none = !view.frame.count && (view.mode !== "marks" || !/\S/.test(view.doc.text));
  view.empty.hidden = !none;
  view.root.toggleAttribute("data-blank", none && !/\S/.test(view.doc.text));
  if (none) setText(view.empty, view.frame.head.empty ?? "No chunks: this text is blank.");
}

/** Goes once to the chunk, or the code point, that Python asks for. */
function followFocus(view) {
  const { focus, focus_at: point, focus_seq: seq } = view.frame.head;
  if (seq === undefined || view.memory.focusSeq === seq) return;
  if (!Number.isInteger(focus) && !Number.isInteger(point)) return;
  view.memory.focusSeq = seq;
  if (Number.isInteger(point)) goToEvidence(view, point);
  else goToChunk(view, focus, { tip: false });
}

function showView({ data, parentElement, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector("[data-testid=chunklab-view]");
  if (!root || !data) return undefined;
  let view = VIEWS.get(root);
  if (!view) VIEWS.set(root, (view = createView(root)));
  view.setState = setStateValue;
  view.setTrigger = setTriggerValue;
  readTheme(view);
  if (view.data === data) drawOverview(view);
  else {
    const began = performance.now();
    view.data = data;
    view.latest = readFrame(data);
    const { key } = view.latest.head;
    if (!MEMORIES.has(key)) MEMORIES.set(key, {});
    view.memory = MEMORIES.get(key);
    view.latest.readMs = performance.now() - began;
    present(view);
  }
  // Streamlit also runs this when a newer frame overtakes an older one: only a view that is gone may end.
  return () => setTimeout(() => root.isConnected || destroyView(view));
}
