// Two ways to count a text: Python counts code points, the browser counts UTF-16 units. They differ by
// one for each astral character before the place, so a sorted list of those is all the map that is needed.

const BLOCK_UNITS = 8192;

/** The first index in [0, n) at which `at(index)` is not below `x`; n when there is none. */
function firstNotBelow(n, at, x) {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The code point positions of the characters that take two units, ascending. */
function astralIndex(text) {
  if (!/[\ud800-\udbff]/.test(text)) return new Int32Array(0);
  const found = [];
  for (let unit = 0, point = 0; unit < text.length; unit++, point++) {
    if (isPair(text, unit)) {
      found.push(point);
      unit++;
    }
  }
  return Int32Array.from(found);
}

function isPair(text, unit) {
  return (text.charCodeAt(unit) & 0xfc00) === 0xd800 && (text.charCodeAt(unit + 1) & 0xfc00) === 0xdc00;
}

/** Code points to units. */
function toUnits(doc, point) {
  const { astral } = doc;
  return astral.length ? point + firstNotBelow(astral.length, (i) => astral[i], point) : point;
}

/** Units to code points; a place inside a pair counts as behind its character. */
function toPoints(doc, unit) {
  const { astral } = doc;
  return astral.length ? unit - firstNotBelow(astral.length, (i) => astral[i] + i, unit) : unit;
}

/** The document cut into blocks of about 8 KB, at line ends where there are any: unit and point offsets. */
function cutBlocks(doc) {
  if (doc.blocks) return doc.blocks;
  const { text } = doc;
  const units = [0];
  const lines = [];
  const loneReturn = [];
  for (let start = 0; start < text.length; ) {
    const end = blockEnd(text, start);
    const piece = text.slice(start, end);
    let count = 1;
    for (let at = piece.indexOf("\n"); at >= 0; at = piece.indexOf("\n", at + 1)) count++;
    lines.push(count);
    loneReturn.push(/\r(?!\n)/.test(piece));
    units.push(end);
    start = end;
  }
  const points = Int32Array.from(units, (unit) => toPoints(doc, unit));
  doc.blocks = { count: units.length - 1, units: Int32Array.from(units), points, lines, loneReturn };
  return doc.blocks;
}

function blockEnd(text, start) {
  const end = start + BLOCK_UNITS;
  if (end >= text.length) return text.length;
  const from = start + (BLOCK_UNITS >> 2);
  const tail = text.slice(from, end);
  const line = tail.lastIndexOf("\n");
  if (line >= 0) return from + line + 1;
  const ret = tail.lastIndexOf("\r", tail.length - 2);
  if (ret >= 0) return from + ret + 1;
  const blank = tail.lastIndexOf(" ");
  if (blank >= 0) return from + blank + 1;
  let cut = end;
  while (cut > from && splitsCharacter(text, cut)) cut--;
  return cut;
}

function splitsCharacter(text, cut) {
  if (isPair(text, cut - 1)) return true;
  if (text[cut - 1] === "\r" && text[cut] === "\n") return true;
  return text[cut - 1] === "\u200d" || /^[\p{M}\p{EMod}\u200d\ufe0f]/u.test(text.slice(cut, cut + 2));
}

/** The block that holds a unit offset. */
function blockAt(blocks, unit) {
  const next = firstNotBelow(blocks.count, (i) => blocks.units[i + 1], unit + 1);
  return Math.min(next, blocks.count - 1);
}
