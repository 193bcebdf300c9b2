// Keys inside the document. Paging keys keep their meaning, and nothing is taken while somebody types.

const KEYS = {
  j: (view) => step(view, 1),
  k: (view) => step(view, -1),
  n: goToProblem,
  "/": (view) => view.searchInput.focus(),
  "?": openHelp,
  w: toggleMarks,
  f: toggleFont,
  Escape: (view) => (hideTip(view), setHot(view, -1)),
};
for (const [alias, key] of [["ArrowDown", "j"], ["ArrowRight", "j"], ["ArrowUp", "k"], ["ArrowLeft", "k"]]) {
  KEYS[alias] = KEYS[key];
}

/** To the next or previous chunk, hit or mark, by what the view shows. */
function step(view, by) {
  if (view.mode === "ranked") stepRank(view, by);
  else if (view.mode === "marks") stepMark(view, by);
  else goToChunk(view, view.current + by);
}

function watchKeys(view) {
  view.stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !view.frame || !view.doc) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const inDocument = event.target === view.box;
    const act = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
    if (!act || (event.key.length > 1 && !inDocument)) return;
    event.preventDefault();
    event.stopPropagation();
    act(view);
  });
}

function openHelp(view) {
  if (!view.help.open) view.help.showModal();
}

function watchToolbar(view) {
  const press = (name, act) => {
    view.root.querySelector(`[data-act=${name}]`).addEventListener("click", () => act(view));
  };
  press("previous", KEYS.k);
  press("next", KEYS.j);
  press("marks", toggleMarks);
  press("font", toggleFont);
  press("help", openHelp);
  press("close-help", () => view.help.close());
  view.help.addEventListener("click", (event) => event.target === view.help && view.help.close());
  view.box.addEventListener("click", (event) => pickChunk(view, event));
}

/** A plain click on a chunk; a click that ends a selection of text is none. */
function pickChunk(view, event) {
  if (event.detail !== 1) return;
  const selection = view.box.getRootNode().getSelection?.() ?? document.getSelection();
  if (selection && selection.toString()) return;
  const found = segmentNear(view, { target: event.target, x: event.clientX, y: event.clientY });
  if (view.mode === "ranked") {
    if (found?.rank) takeRank(view, found.rank);
    return;
  }
  if (view.mode === "marks") {
    if (found && found.verdict !== NO_VERDICT) pickMark(view, toPoints(view.doc, found.unit));
    return;
  }
  if (!found || found.low > found.high) return;
  const chunk = view.hot >= found.low && view.hot <= found.high ? view.hot : found.low;
  view.current = chunk;
  view.visited = toPoints(view.doc, found.unit);
  showCounter(view);
  markCurrent(view);
  setHot(view, chunk);
  showTip(view, chunk, found, event.clientX, event.clientY);
  view.setTrigger("pick", { chunk });
}

function toggleMarks(view) {
  view.marks = view.memory.marks = !view.marks;
  showSwitches(view);
  if (view.doc) repaintAll(view);
}

function toggleFont(view) {
  view.prose = view.memory.prose = !view.prose;
  showSwitches(view);
  keepPlace(view, () => view.doc && estimateHeights(view));
}

function showSwitches(view) {
  view.root.dataset.font = view.prose ? "prose" : "fixed";
  view.root.toggleAttribute("data-marks", view.marks);
  view.root.querySelector("[data-act=marks]").setAttribute("aria-pressed", view.marks);
  view.root.querySelector("[data-act=font]").setAttribute("aria-pressed", !view.prose);
}

/** Does something that changes every line's place and comes back to the same text. */
function keepPlace(view, act) {
  const [from] = view.window;
  act();
  if (!view.doc) return;
  if (from > 0) scrollToUnit(view, toUnits(view.doc, Math.floor(from)), 0);
  settleLabels(view);
}
