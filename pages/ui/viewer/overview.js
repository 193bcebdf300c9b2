// The strip at the right: the whole document, its cuts, its evidence and the part in the window.

const LANE = 15;
const MARK_X = 20.5;

/** Draws cuts and evidence. From a few thousand chunks on, only how dense they lie in each row of pixels. */
function drawOverview(view) {
  const { canvas, frame, doc, overviewSize: size } = view;
  if (!size || !doc || !frame) return;
  const ratio = window.devicePixelRatio || 1;
  const width = Math.round(size.width * ratio);
  const height = Math.round(size.height * ratio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, size.width, size.height);
  const scale = size.height / Math.max(1, doc.length);
  if (view.mode === "ranked") drawRanked(view, pen, scale);
  else if (frame.count * 3 < size.height) drawBands(view, pen, scale);
  else drawDensity(view, pen, scale, size.height);
  drawEvidence(view, pen, scale);
}

function drawBands(view, pen, scale) {
  const { frame, ink } = view;
  for (let i = 0; i < frame.count; i++) {
    const top = chunkStart(frame, i) * scale;
    pen.fillStyle = i % 2 ? ink.odd : ink.even;
    pen.fillRect(2, top, LANE - 2, chunkEnd(frame, i) * scale - top);
  }
  pen.fillStyle = ink.tick;
  for (let i = 1; i < frame.count; i++) pen.fillRect(2, Math.round(chunkStart(frame, i) * scale), LANE - 2, 1);
}

function drawRanked(view, pen, scale) {
  const { frame, ink } = view;
  pen.fillStyle = ink.tick;
  pen.globalAlpha = 0.25;
  if (frame.count * 3 < view.overviewSize.height) {
    for (let i = 1; i < frame.count; i++) pen.fillRect(2, Math.round(chunkStart(frame, i) * scale), LANE - 2, 1);
  }
  pen.globalAlpha = 1;
  pen.fillStyle = ink.even;
  for (const { start, end } of frame.ranked) {
    pen.fillRect(2, start * scale, LANE - 2, Math.max(2, (end - start) * scale));
  }
}

function drawDensity(view, pen, scale, height) {
  const rows = new Uint32Array(Math.ceil(height / 2) + 1);
  let most = 1;
  for (let i = 0; i < view.frame.count; i++) {
    const row = (chunkStart(view.frame, i) * scale) >> 1;
    if (row >= 0 && row < rows.length && ++rows[row] > most) most = rows[row];
  }
  pen.fillStyle = view.ink.even;
  pen.fillRect(2, 0, LANE - 2, height);
  pen.fillStyle = view.ink.tick;
  rows.forEach((count, row) => {
    if (!count) return;
    pen.globalAlpha = 0.7 * (count / most) ** 2;
    pen.fillRect(2, row * 2, LANE - 2, 2);
  });
  pen.globalAlpha = 1;
}

function drawEvidence(view, pen, scale) {
  pen.strokeStyle = pen.fillStyle = view.ink.evidence;
  pen.lineWidth = 1.2;
  for (const { start, end, verdict } of view.frame.evidence) {
    const y = Math.min(Math.max(4, ((start + end) / 2) * scale), view.overviewSize.height - 4);
    pen.beginPath();
    pen.arc(MARK_X, y, 2.8, 0, 2 * Math.PI);
    pen.stroke();
    if (verdict === MISSED) continue;
    pen.beginPath();
    pen.arc(MARK_X, y, 2.8, Math.PI / 2, verdict === SPLIT ? 1.5 * Math.PI : 2.5 * Math.PI);
    pen.fill();
  }
}

function drawWindow(view) {
  if (!view.doc || !view.overviewSize) return;
  const [from, to] = view.window;
  const scale = view.overviewSize.height / Math.max(1, view.doc.length);
  const height = Math.max(10, (to - from) * scale);
  const top = Math.min(from * scale, view.overviewSize.height - height);
  view.pane.style.transform = `translateY(${top.toFixed(1)}px)`;
  view.pane.style.height = `${height.toFixed(1)}px`;
}

/** A press or a drag on the strip goes to that place. */
function watchOverview(view) {
  const strip = view.overview;
  let waiting = false;
  let y = 0;
  const go = () => {
    waiting = false;
    if (!view.doc) return;
    const share = Math.min(1, Math.max(0, y / view.overviewSize.height));
    scrollToUnit(view, toUnits(view.doc, Math.round(share * (view.doc.length - 1))), 0.5);
  };
  const move = (event) => {
    if (!(event.buttons & 1)) return;
    y = event.clientY - strip.getBoundingClientRect().top;
    if (!waiting) requestAnimationFrame(go);
    waiting = true;
  };
  strip.addEventListener("pointerdown", (event) => {
    strip.setPointerCapture(event.pointerId);
    event.preventDefault();
    move(event);
  });
  strip.addEventListener("pointermove", move);
}
