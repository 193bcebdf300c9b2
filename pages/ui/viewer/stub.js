// What is sent with every update: it hands over to SHOW of the code that came once, with the document.

const PATIENCE = 10000;

export default function (update) {
  let cleanup;
  let gone = false;
  const began = performance.now();
  const start = () => {
    if (gone) return;
    const kept = window.__chunklabView;
    if (kept) {
      const place = update.parentElement.getRootNode();
      if (!place.adoptedStyleSheets.includes(kept.sheet)) {
        place.adoptedStyleSheets = [...place.adoptedStyleSheets, kept.sheet];
      }
      cleanup = kept[SHOW](update);
    } else if (performance.now() - began < PATIENCE) setTimeout(start, 10);
  };
  start();
  return () => {
    gone = true;
    cleanup?.();
  };
}
