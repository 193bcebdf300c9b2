// What one drag step takes, measured inside the page; the same code for the floor and for the app.
// `root` carries data-painted-seq, which rises with every answer that has been drawn.

const LIMIT = 30_000;

const seqOf = (root) => Number(root.dataset.paintedSeq ?? -1);

/** Once the frame that follows the drawing is on its way to the screen. */
const afterPaint = () =>
  new Promise((resolve) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(0);
    }),
  );

const answerAfter = (root, seq) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no answer was painted")), LIMIT);
    const look = () => {
      if (seqOf(root) <= seq) return;
      watch.disconnect();
      clearTimeout(timer);
      resolve();
    };
    const watch = new MutationObserver(look);
    watch.observe(root, { attributes: true, attributeFilter: ["data-painted-seq"] });
    look();
  });

const hold = (input) =>
  input.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, composed: true, pointerId: 1 }));

const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Moves the slider through the values, each after the answer to the one before is painted. */
async function drag(root, selector, values, gap) {
  const input = root.querySelector(selector);
  const steps = [];
  hold(input);
  for (const value of values) {
    const before = seqOf(root);
    input.value = value;
    const began = performance.now();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await answerAfter(root, before);
    const painted = await afterPaint();
    steps.push({ ms: painted - began, chunks: Number(root.dataset.chunks), browser: Number(root.dataset.frameMs ?? 0) });
    await rest(gap);
  }
  return steps;
}

/** Lets go of the slider at a value: milliseconds until the address follows. */
async function release(root, selector, name, value) {
  const [step] = await drag(root, selector, [value], 0);
  const input = root.querySelector(selector);
  const there = new RegExp(`\\b${name}=${value}\\b`);
  const began = performance.now();
  input.dispatchEvent(new Event("change", { bubbles: true }));
  window.dispatchEvent(new PointerEvent("pointerup", { pointerId: 1 }));
  while (!there.test(decodeURIComponent(location.search))) {
    if (performance.now() - began > LIMIT) throw new Error("the address did not follow");
    await rest(2);
  }
  return { ms: performance.now() - began, step };
}
