// One update from Python: a JSON head, a zero byte, then int32 arrays. Nothing in it is trusted.

const MISSED = 0;
const SPLIT = 1;
const WHOLE = 2;
const VERDICTS = ["missed", "split", "whole"];
const MARKED = 3; // evidence on the page where it is marked: nothing was retrieved, so there is no verdict
const SIGNS = [...VERDICTS, "marked"];

/** The head of an update, and its arrays by name. */
function readArrays(data) {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const zero = bytes.indexOf(0);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, zero)));
  const body = new Int32Array(bytes.slice((zero + 4) & ~3).buffer);
  const arrays = {};
  let from = 0;
  for (const [name, length] of head.arrays ?? []) {
    arrays[name] = body.subarray(from, from + length);
    from += length;
  }
  return { head, arrays };
}

/** The head and its arrays, made safe to draw: every array has the length that the spans ask for. */
function readFrame(data) {
  const { head, arrays } = readArrays(data);
  const spans = arrays.spans ?? new Int32Array(0);
  const count = spans.length >> 1;
  const perChunk = (name) => (arrays[name]?.length === count ? arrays[name] : null);
  return {
    head,
    count,
    spans,
    reasons: perChunk("reasons"),
    tokens: perChunk("tokens"),
    paths: perChunk("paths"),
    unread: perChunk("unread"),
    evidence: sortEvidence(arrays.evidence, arrays.verdicts),
    ranked: readRanked(arrays.ranked, count),
  };
}

/** What was retrieved of this document, by rank: {rank, start, end, chunk}, the place returned and its chunk or -1. */
function readRanked(flat = [], count = 0) {
  const list = [];
  for (let i = 0; i + 3 < flat.length; i += 4) {
    const [rank, start, end, chunk] = flat.subarray(i, i + 4);
    if (rank >= 1 && rank <= MOST_RANKED && start < end && chunk >= -1 && chunk < count) {
      list.push({ rank, start, end, chunk });
    }
  }
  return list;
}

/** Evidence by start: a list of {start, end, verdict} in code points. */
function sortEvidence(places = [], verdicts = []) {
  const list = [];
  for (let i = 0; 2 * i + 1 < places.length; i++) {
    const verdict = verdicts[i] >= MISSED && verdicts[i] <= MARKED ? verdicts[i] : MISSED;
    list.push({ start: places[2 * i], end: places[2 * i + 1], verdict });
  }
  return list.sort((a, b) => a.start - b.start || a.end - b.end);
}

const chunkStart = (frame, i) => frame.spans[2 * i];
const chunkEnd = (frame, i) => frame.spans[2 * i + 1];

/** The first chunk that ends behind a code point; `count` when none does. */
function firstEndingAfter(frame, point) {
  return firstNotBelow(frame.count, (i) => frame.spans[2 * i + 1], point + 1);
}

/** The number of chunks that start before a code point. */
function startingBefore(frame, point) {
  return firstNotBelow(frame.count, (i) => frame.spans[2 * i], point);
}

/** Titles from the outermost heading down to the one a chunk lies under. */
function headingPath(doc, frame, chunk) {
  const titles = [];
  let at = frame.paths ? frame.paths[chunk] : -1;
  for (let depth = 0; at >= 0 && at < doc.headings.length && depth < 12; depth++) {
    titles.unshift(doc.headings[at][2]);
    at = doc.headings[at][3];
  }
  return titles;
}
