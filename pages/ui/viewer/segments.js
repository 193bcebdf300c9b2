// What covers which stretch of a block: the block cut at every chunk edge, evidence edge and search hit.

// start, end (units), first and last chunk covering, worst verdict, verdict beginning, flags, and which ranks
// cover it: a bit each, 1 to 31 and 32 to 62
const FIELDS = 9;
const LABEL = 1;
const CUT = 2;
const HIT = 4;
const HIT_NOW = 8;
const UNREAD = 16;
const FOUND = 32; // in the very chunk that was found, not only in what is returned for it
const RANK = 64; // a place of some rank begins here
const BITS = 31;
const MOST_RANKED = 2 * BITS;
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
  const ranked = rankedIn(view, index);
  for (const { start, end, foundFrom, foundTo, label } of ranked) {
    for (const edge of [start, end, foundFrom, foundTo, label]) if (inside(edge)) edges.push(edge);
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
    let few = 0;
    let many = 0;
    for (const place of ranked) {
      if (place.label === start) flags |= RANK;
      if (place.start > start || place.end <= start) continue;
      if (place.foundFrom <= start && start < place.foundTo) flags |= FOUND;
      if (place.rank <= BITS) few |= rankBit(place.rank);
      else many |= rankBit(place.rank);
    }
    out.push(start, end, first + low, first + high, worst, begins, flags, few, many);
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

/** The ranked places that reach into a block, in units: the place, the chunk found in it, where its number hangs. */
function rankedIn(view, index) {
  const { doc, frame, blocks } = view;
  return frame.ranked
    .filter(({ start, end }) => start < blocks.points[index + 1] && end > blocks.points[index])
    .map(({ rank, start, end, chunk }) => {
      const [low, high] = [toUnits(doc, start), toUnits(doc, end)];
      return {
        rank,
        start: low,
        end: high,
        foundFrom: chunk < 0 ? low : toUnits(doc, chunkStart(frame, chunk)),
        foundTo: chunk < 0 ? high : toUnits(doc, chunkEnd(frame, chunk)),
        label: firstVisible(doc.text, low, high),
      };
    });
}

const rankBit = (rank) => 1 << ((rank - 1) % BITS);

/** Whether a painted stretch lies in the place of a rank; `k` is where its numbers begin. */
function holdsRank(segments, k, rank) {
  return (segments[k + (rank <= BITS ? 7 : 8)] & rankBit(rank)) !== 0;
}

function sameNumbers(a, b) {
  if (!a || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
