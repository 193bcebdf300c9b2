// Find in the document: plain text, without regard to case. Enter goes on, Shift+Enter back, Escape leaves.

const MOST_HITS = 5000;
const TYPING_REST = 140;

function watchSearch(view) {
  const { searchInput: input } = view;
  let rest = 0;
  input.addEventListener("input", () => {
    clearTimeout(rest);
    rest = setTimeout(() => findAll(view, input.value), TYPING_REST);
  });
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(rest);
      if (view.searched !== input.value) findAll(view, input.value);
      else stepHit(view, event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      clearTimeout(rest);
      input.value = "";
      findAll(view, "");
      view.box.focus();
    }
  });
}

function findAll(view, wanted) {
  view.searched = wanted;
  view.hits = [];
  if (wanted && view.doc) {
    const literal = wanted.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
    for (const found of view.doc.text.matchAll(new RegExp(literal, "giu"))) {
      if (view.hits.push([found.index, found.index + found[0].length]) >= MOST_HITS) break;
    }
  }
  const unit = view.doc ? toUnits(view.doc, Math.floor(view.window[0])) : 0;
  view.hit = view.hits.findIndex(([start]) => start >= unit);
  if (view.hit < 0) view.hit = 0;
  showHit(view);
}

function stepHit(view, by) {
  if (!view.hits.length) return;
  view.hit = (view.hit + by + view.hits.length) % view.hits.length;
  showHit(view);
}

function showHit(view) {
  const { hits, hit } = view;
  const more = hits.length === MOST_HITS ? "+" : "";
  const place = hits.length ? `${counted(hit + 1)} / ${counted(hits.length)}${more}` : "none";
  setText(view.searchCount, view.searched ? place : "");
  if (view.doc) paintShown(view);
  if (hits.length) scrollToUnit(view, hits[hit][0], 0.3, () => paintShown(view));
}

/** The hits that reach into a stretch of units: [start, end, is it the current one]. */
function hitsIn(view, from, to) {
  const { hits } = view;
  if (!hits.length) return [];
  const inside = [];
  const first = firstNotBelow(hits.length, (k) => hits[k][1], from + 1);
  for (let i = first; i < hits.length && hits[i][0] < to; i++) {
    inside.push([...hits[i], i === view.hit]);
  }
  return inside;
}
