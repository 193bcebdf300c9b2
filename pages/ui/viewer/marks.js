// Marking answers: a selection becomes a span in code points; what is marked can be gone to and picked.

const SELECTION_REST = 30;
const TOUCH_REST = 700;

function showMarks(view, head) {
  if (view.mode !== "marks") return;
  view.questions = head.marks.map((mark) => ({ ...mark, verdict: "marked" }));
}

/** Tells Python what was selected, once the pointer or the key is let go. */
function watchSelection(view) {
  const tell = () => {
    view.selecting = false;
    const selection = view.mode === "marks" && view.doc ? selectedPoints(view) : null;
    if (selection) view.setTrigger("pick", { selection });
  };
  const read = () => setTimeout(tell, SELECTION_REST);
  view.box.addEventListener("pointerdown", (event) => {
    view.selecting = true;
    view.touched = event.pointerType === "touch";
    window.addEventListener("pointerup", read, { once: true });
  });
  // A finger selects by a long press and then moves the ends: what counts is where they come to rest.
  let rest = 0;
  view.onSelection = () => {
    clearTimeout(rest);
    if (view.touched) rest = setTimeout(tell, TOUCH_REST);
  };
  document.addEventListener("selectionchange", view.onSelection);
  view.box.addEventListener("keyup", (event) => event.shiftKey && event.key.startsWith("Arrow") && read());
  // A drag that begins in a selection would otherwise carry the text away instead of selecting anew.
  view.box.addEventListener("dragstart", (event) => view.mode === "marks" && event.preventDefault());
}

/** The selection in this document, [start, end) in code points; null for none. */
function selectedPoints(view) {
  const root = view.root.getRootNode();
  const range = composedRange(document.getSelection(), root);
  if (!range) return null;
  const ends = [
    unitAt(view, range.startContainer, range.startOffset),
    unitAt(view, range.endContainer, range.endOffset),
  ];
  if (ends.every((end) => end === null)) return null;
  const [from, to] = view.window.map((point) => toUnits(view.doc, Math.round(point)));
  const [start, end] = [ends[0] ?? from, ends[1] ?? to].map((unit) => toPoints(view.doc, unit));
  return start < end ? [start, end] : null;
}

/** The selection's range with its ends inside the shadow tree, in order. */
function composedRange(selection, root) {
  if (!selection?.rangeCount) return null;
  if (!(root instanceof ShadowRoot)) return selection.getRangeAt(0);
  if (!selection.getComposedRanges) return root.getSelection?.()?.getRangeAt(0) ?? selection.getRangeAt(0);
  try {
    return selection.getComposedRanges({ shadowRoots: [root] })[0];
  } catch {
    return selection.getComposedRanges(root)[0]; // how it was called before 2025
  }
}

/** The unit offset in the text of a place in the page; null when it is outside the document. */
function unitAt(view, container, offset) {
  if (container === view.box) return view.blocks.units[Math.min(offset, view.blocks.count)];
  const element = container.nodeType === Node.ELEMENT_NODE ? container : container.parentElement;
  const block = element?.closest(".block");
  if (!block || !view.box.contains(block)) return null;
  const before = document.createRange();
  before.setStart(block, 0);
  before.setEnd(container, offset);
  return view.blocks.units[block.index] + before.toString().length;
}

/** The question whose evidence holds a code point. */
function pickMark(view, point) {
  const [mark] = questionsAt(view, point);
  if (mark) view.setTrigger("pick", { question: mark.id });
}

function stepMark(view, by) {
  const starts = view.frame.evidence.map((piece) => piece.start);
  if (!starts.length) return say(view, "nothing is marked in this document");
  const last = starts.length - 1;
  view.mark = view.mark === undefined ? 0 : Math.min(Math.max(0, view.mark + by), last);
  goToEvidence(view, starts[view.mark]);
  const asked = questionsAt(view, starts[view.mark]).map((mark) => mark.text);
  say(view, `mark ${view.mark + 1} of ${starts.length}, ${asked.join(", ")}`);
}
