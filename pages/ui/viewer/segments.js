// What covers which stretch of a block: the block cut at every chunk edge, evidence edge and search hit.

const FIELDS = 7; // start, end (units), first and last chunk covering, worst verdict, verdict beginning, flags
const LABEL = 1;
const CUT = 2;
const HIT = 4;
const HIT_NOW = 8;
const UNREAD = 16;
const NO_VERDICT = -1;

const BLANK = /\s/;

/** A flat Int32Array of FIELDS numbers per stretch, in order and without gaps over block `index`. */
function segmentsOf(view, index) {
  const { doc, frame, blocks } = view;
  const { text } = doc;
  const from = blocks.units[index];
  const to = blocks.units[index + 1];
  const inside = (unit) => unit >= from && unit < to;
  const first = firstEndingAfter(frame, blocks.points[index]);
  const beyond = Math.max(first, startingBefore(frame, blocks.points[index + 1]));
  const edges = [from, to];
  const labels = new Set();
  const cuts = new Set();
  const struck = [];
  const starts = new Int32Array(beyond - first);
  const ends = new Int32Array(beyond - first);
  for (let chunk = first; chunk < beyond; chunk++) {
    const start = toUnits(doc, chunkStart(frame, chunk));
    const end = toUnits(doc, chunkEnd(frame, chunk));
    starts[chunk - first] = start;
    ends[chunk - first] = end;
    if (inside(start)) {
      edges.push(start);
      if (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") cuts.add(start);
    }
    if (inside(end)) edges.push(end);
    const unread = frame.unread && frame.unread[chunk] >= 0 ? toUnits(doc, frame.unread[chunk]) : end;
    if (unread < end) {
      struck.push([unread, end]);
      if (inside(unread)) edges.push(unread);
    }
    const label = firstVisible(text, start, end);
    if (inside(label)) {
      labels.add(label);
      edges.push(label);
    }
  }
  const evidence = evidenceIn(view, index);
  for (const { start, end } of evidence) {
    if (inside(start)) edges.push(start);
    if (inside(end)) edges.push(end);
  }
  const hits = hitsIn(view, from, to);
  for (const [start, end] of hits) {
    if (inside(start)) edges.push(start);
    if (inside(end)) edges.push(end);
  }

  const sorted = Int32Array.from(edges).sort();
  const out = [];
  let low = 0;
  let high = -1;
  let hit = 0;
  for (let k = 0; k + 1 < sorted.length; k++) {
    const start = sorted[k];
    const end = sorted[k + 1];
    if (start === end) continue;
    while (low < ends.length && ends[low] <= start) low++;
    while (high + 1 < starts.length && starts[high + 1] <= start) high++;
    let worst = NO_VERDICT;
    let begins = NO_VERDICT;
    for (const piece of evidence) {
      if (piece.start > start) break;
      if (piece.end <= start) continue;
      if (worst === NO_VERDICT || piece.verdict < worst) worst = piece.verdict;
      if (piece.start === start && (begins === NO_VERDICT || piece.verdict < begins)) begins = piece.verdict;
    }
    while (hit < hits.length && hits[hit][1] <= start) hit++;
    let flags = 0;
    if (labels.has(start)) flags |= LABEL;
    if (cuts.has(start)) flags |= CUT;
    if (hit < hits.length && hits[hit][0] <= start) flags |= hits[hit][2] ? HIT | HIT_NOW : HIT;
    if (struck.some(([low, high]) => low <= start && start < high)) flags |= UNREAD;
    out.push(start, end, first + low, first + high, worst, begins, flags);
  }
  return Int32Array.from(out);
}

/** The first character of [start, end) that is not blank, where a chunk's number hangs. */
function firstVisible(text, start, end) {
  let at = start;
  while (at < end && BLANK.test(text[at])) at++;
  return at < end ? at : start;
}

/** The evidence that reaches into a block, in units. */
function evidenceIn(view, index) {
  const { doc, frame, blocks } = view;
  const found = [];
  for (const { start, end, verdict } of frame.evidence) {
    if (start >= blocks.points[index + 1]) break;
    if (end > blocks.points[index]) found.push({ start: toUnits(doc, start), end: toUnits(doc, end), verdict });
  }
  return found;
}

function sameNumbers(a, b) {
  if (!a || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
