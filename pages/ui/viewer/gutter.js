// The numbers at the left. Style alone puts each on the line where its chunk begins; where several chunks
// begin on one line their numbers are joined into one ("12–14"), once things have come to rest.

const REST_BEFORE_SETTLING = 120;

function settleLabels(view) {
  clearTimeout(view.settling);
  view.settling = setTimeout(() => joinNumbers(view), REST_BEFORE_SETTLING);
}

function joinNumbers(view) {
  measureWindow(view);
  for (const i of view.shown) {
    const labels = [...view.nodes[i].querySelectorAll(".number")];
    const tops = labels.map((label) => label.getBoundingClientRect().top);
    for (let from = 0, to = 0; from < labels.length; from = to) {
      while (to < labels.length && Math.abs(tops[to] - tops[from]) < 4) to++;
      joinLine(labels.slice(from, to));
    }
  }
  markCurrent(view);
}

function joinLine(labels) {
  if (labels[0].ranks) return joinRanks(labels);
  const first = labels[0].chunk + 1;
  const last = labels.at(-1).chunk + 1;
  const joined = `${first}–${last}`;
  const text = first === last ? String(first) : joined.length <= 5 ? joined : `${first}+${labels.length - 1}`;
  labels.forEach((label, i) => {
    if (label.dataset.n !== text) label.dataset.n = text;
    label.classList.toggle("joined", i > 0);
    label.lastChunk = last - 1;
  });
}

function joinRanks(labels) {
  const text = labels.flatMap((label) => label.ranks).join(" ");
  labels.forEach((label, i) => {
    if (label.dataset.n !== text) label.dataset.n = text;
    label.classList.toggle("joined", i > 0);
  });
}

/** Shows which chunk the counter speaks of. */
function markCurrent(view) {
  if (view.mode !== "cuts") return;
  for (const label of view.box.querySelectorAll(".number.current")) label.classList.remove("current");
  for (const i of view.shown) {
    for (const label of view.nodes[i].querySelectorAll(".number:not(.joined)")) {
      const last = label.lastChunk ?? label.chunk;
      label.classList.toggle("current", view.current >= label.chunk && view.current <= last);
    }
  }
}
