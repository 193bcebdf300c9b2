// The sliders. While one is dragged the values go to Python one request at a time, the latest always winning;
// on release they are committed. A lost answer must never wedge them.

const ANSWER_TIMEOUT = 1500;
const KEY_REST = 300;
const SIZE_NAMES = ["size", "max_size"];

function createDrag() {
  return {
    seq: 0, // of the latest request
    flying: null, // the request that awaits its answer
    waiting: null, // values to send after it
    held: false, // a pointer is on a thumb
    moved: false, // and has moved it
    rest: 0, // timer: keys have been pressed and may be pressed again
    watchdog: 0, // timer: gives a lost answer up
    commit: null, // the commit that awaits its answer
    release: 0, // timer: gives that one up
  };
}

/** Brings the sliders up to the frame's, without touching a thumb that a hand is on. */
function showSliders(view, sliders = []) {
  const names = sliders.map((slider) => slider.name).join("\n");
  if (view.sliderNames !== names) {
    view.sliderNames = names;
    view.sliders = sliders.map((slider) => makeSlider(view, slider));
    view.slidersBox.replaceChildren(...view.sliders.map((slider) => slider.row));
    view.slidersBox.hidden = !sliders.length;
  }
  view.sliders.forEach((own, i) => {
    const { label, low, high, step, unit, help } = sliders[i];
    Object.assign(own, { low, high, step: step || 1, unit: unit ?? "" });
    own.label.textContent = label;
    own.row.title = help ?? "";
    own.help.textContent = help ?? "";
    for (const [key, value] of [["min", low], ["max", high], ["step", own.step]]) {
      if (own.input[key] !== String(value)) own.input[key] = value;
    }
  });
  if (!isHeld(view)) restoreThumbs(view, sliders);
  view.sliders.forEach(drawSlider);
}

const isHeld = ({ drag }) => drag.held || drag.rest || drag.commit !== null;

function restoreThumbs(view, sliders) {
  view.sliders.forEach((own, i) => {
    own.wanted = Number(sliders[i].value);
    if (own.input.valueAsNumber !== own.wanted) own.input.value = own.wanted;
  });
}

function makeSlider(view, { name }) {
  const row = document.createElement("div");
  const label = document.createElement("label");
  const input = document.createElement("input");
  const output = document.createElement("output");
  const help = document.createElement("span");
  row.className = "slider";
  input.type = "range";
  input.id = `slider-${name}`;
  input.dataset.slider = name;
  label.htmlFor = output.htmlFor = input.id;
  help.id = `${input.id}-help`;
  help.className = "unseen";
  input.setAttribute("aria-describedby", help.id);
  row.append(label, input, output, help);
  const own = { name, row, label, input, output, help, wanted: 0 };
  input.addEventListener("pointerdown", () => holdThumb(view));
  input.addEventListener("input", () => moved(view, own));
  input.addEventListener("change", () => settled(view));
  return own;
}

function drawSlider(own) {
  const value = own.input.valueAsNumber;
  const share = own.high > own.low ? (value - own.low) / (own.high - own.low) : 0;
  own.row.style.setProperty("--share", share.toFixed(4));
  const text = counted(value) + (own.unit ? ` ${own.unit}` : "");
  if (own.output.textContent !== text) own.output.textContent = text;
  own.input.setAttribute("aria-valuetext", text);
}

function moved(view, own) {
  own.wanted = own.input.valueAsNumber;
  view.drag.moved = true;
  keepOverlapBelowSize(view.sliders);
  view.sliders.forEach(drawSlider);
  view.drag.waiting = sliderValues(view);
  sendDrag(view);
  if (!view.drag.held) {
    clearTimeout(view.drag.rest);
    view.drag.rest = setTimeout(() => commit(view), KEY_REST);
  }
}

/** The overlap shown and sent is what the reader wants of it, as far as the size allows. */
function keepOverlapBelowSize(sliders) {
  const size = sliders.find((slider) => SIZE_NAMES.includes(slider.name));
  const overlap = sliders.find((slider) => slider.name === "overlap");
  if (!size || !overlap) return;
  const { low, step } = overlap;
  const most = low + Math.floor((size.input.valueAsNumber - 1 - low) / step) * step;
  const shown = Math.max(low, Math.min(overlap.wanted, most));
  if (overlap.input.valueAsNumber !== shown) overlap.input.value = shown;
}

function sliderValues(view) {
  return Object.fromEntries(view.sliders.map((own) => [own.name, own.input.valueAsNumber]));
}

/** Sends the latest values unless an answer is still awaited. */
function sendDrag(view) {
  const { drag } = view;
  if (drag.flying !== null || !drag.waiting) return;
  const values = drag.waiting;
  drag.waiting = null;
  drag.flying = ++drag.seq;
  clearTimeout(drag.watchdog);
  drag.watchdog = setTimeout(() => {
    drag.flying = null;
    sendDrag(view);
  }, ANSWER_TIMEOUT);
  view.setState("drag", { seq: drag.flying, values });
}

/** Takes a frame's echo: the answer to what is awaited, or to something newer, frees the way. */
function answered(view, seq) {
  const { drag } = view;
  if (!Number.isInteger(seq)) return;
  drag.seq = Math.max(drag.seq, seq);
  if (drag.commit !== null && seq >= drag.commit) endCommit(drag);
  if (drag.flying !== null && seq >= drag.flying) {
    drag.flying = null;
    clearTimeout(drag.watchdog);
    sendDrag(view);
  }
}

/** A hand is on a thumb until it lets go anywhere on the page. Back where it began there is no `change`. */
function holdThumb(view) {
  const { drag } = view;
  drag.held = true;
  drag.moved = false;
  const letGo = () =>
    setTimeout(() => {
      if (drag.held && drag.moved) commit(view);
      drag.held = false;
    });
  for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, letGo, { once: true });
}

/** `change` comes once a pointer lets go, but after every single press of a key: keys commit when they rest. */
function settled(view) {
  if (!view.drag.rest) commit(view);
}

function commit(view) {
  const { drag } = view;
  clearTimeout(drag.rest);
  clearTimeout(drag.watchdog);
  clearTimeout(drag.release);
  Object.assign(drag, { rest: 0, held: false, waiting: null, flying: null, commit: ++drag.seq });
  for (const own of view.sliders) own.wanted = own.input.valueAsNumber;
  drag.release = setTimeout(() => {
    endCommit(drag);
    showSliders(view, view.latest?.head.sliders);
  }, 2 * ANSWER_TIMEOUT);
  view.setTrigger("commit", { seq: drag.commit, values: sliderValues(view) });
}

function endCommit(drag) {
  drag.commit = null;
  clearTimeout(drag.release);
}
