// What was retrieved: cards, best first, and the same places by their rank in the text.

const BLANK_LINES = /^\s*\n$/;
const MARKS_OF_A_PIECE = ["found", "unread", "evidence", ...VERDICTS];

/** Takes the head's cards, and says which of its three forms the view has: cuts, ranked or marks. */
function showRanked(view, head) {
  const { cards } = head;
  view.mode = cards ? "ranked" : head.marks ? "marks" : "cuts";
  if (view.root.dataset.mode !== view.mode) nameMode(view);
  showSwatches(view);
  if (!cards) return;
  view.rankedBox ??= makeRanked(view);
  showAnswer(view, head.answer);
  setText(view.cardsTitle, head.cards_title ?? "");
  if (view.asked !== head.asked) {
    view.asked = head.asked;
    view.rank = 0;
    view.cardsList.scrollTop = 0;
  }
  if (!cards.some((card) => card.rank === view.rank)) view.rank = 0;
  const text = JSON.stringify(cards);
  if (view.cardsText === text) return;
  view.cardsText = text;
  const focused = view.cardsList.getRootNode().activeElement?.dataset?.rank;
  view.cards = cards;
  view.cardsList.replaceChildren(...cards.map((card) => makeCard(view, card)));
  view.cardsEmpty.hidden = cards.length > 0;
  setText(view.cardsEmpty, head.cards_empty ?? "");
  if (focused) cardButton(view, Number(focused))?.focus({ preventScroll: true });
  markCard(view);
}

/** Signs that not every frame has are explained only where they are there. */
function showSwatches(view) {
  const { ranked, unread, spans } = view.latest;
  const wider = ({ start, end, chunk }) => start < spans[2 * chunk] || end > spans[2 * chunk + 1];
  const twice = ranked.some((one, i) => ranked.slice(0, i).some((other) => one.start < other.end && other.start < one.end));
  view.root.toggleAttribute("data-around", ranked.some(wider));
  view.root.toggleAttribute("data-twice", twice);
  view.root.toggleAttribute("data-unread", Boolean(unread?.some((from) => from >= 0)));
}

const STEPS = { cuts: ["chunk", "its chunks"], ranked: ["hit", "what was retrieved"], marks: ["mark", "its marked answers"] };

const HELP = {
  ranked:
    "What was retrieved is tinted, and its rank stands at the left; a thin bar marks a cut. Where more is returned than was " +
    "found, the chunk that was found is tinted more strongly; hatching is text of two hits. Text that is struck out is past " +
    "what the model reads. Underlined text answers the question: whole when one hit holds all of it, split when hits hold " +
    "only part of it, missed when none of it was retrieved.",
  marks:
    "Underlined text answers a question; click it to open that question. Select text with the mouse to mark it: it is tinted " +
    "until the question is saved, with the number of its part at the left.",
};

function nameMode(view) {
  const [what, shown] = STEPS[view.mode];
  view.root.dataset.mode = view.mode;
  for (const [act, name, keys] of [["previous", "Previous", "k or ↑"], ["next", "Next", "j or ↓"]]) {
    const button = view.root.querySelector(`[data-act=${act}]`);
    button.title = `${name} ${what} (${keys})`;
    button.setAttribute("aria-label", `${name} ${what}`);
  }
  if (HELP[view.mode]) setText(view.help.querySelector("p"), HELP[view.mode]);
  view.box.setAttribute("aria-label", `Document text with ${shown}; j and k step, question mark for help`);
}

function makeRanked(view) {
  const box = document.createElement("section");
  const title = document.createElement("h2");
  const against = document.createElement("span");
  const empty = document.createElement("p");
  box.className = "ranked";
  box.setAttribute("aria-label", "Retrieved, best first");
  title.className = "toolbar";
  title.append("retrieved ", against);
  against.className = "against";
  empty.className = "none";
  view.cardsTitle = against;
  view.cardsEmpty = empty;
  view.cardsList = document.createElement("ol");
  view.cardsList.className = "cards";
  view.cardsList.addEventListener("keydown", (event) => cardKey(view, event));
  box.append(title, empty, view.cardsList);
  view.answerBox = makeAnswer(view);
  view.stage.before(view.answerBox.box, box);
  return box;
}

/** The line that says what became of the question: shape, verdict, and the one reason in a sentence. */
function makeAnswer(view) {
  const box = document.createElement("p");
  const [shape, verdict, sentence] = ["i", "b", "span"].map((name) => document.createElement(name));
  box.className = "answer";
  box.setAttribute("role", "status");
  const go = document.createElement("button");
  go.type = "button";
  go.textContent = "Show the answer";
  go.addEventListener("click", () => view.setTrigger("pick", { question: view.answerBox.question }));
  box.append(shape, verdict, sentence, go);
  return { box, shape, verdict, sentence, go };
}

function showAnswer(view, answer) {
  const { box, shape, verdict, sentence, go } = view.answerBox;
  box.hidden = !answer;
  if (!answer) return;
  const known = VERDICTS.includes(answer.verdict);
  shape.hidden = !known;
  shape.className = known ? `shape ${answer.verdict}` : "";
  setText(verdict, answer.title);
  setText(sentence, answer.sentence);
  go.hidden = !answer.question;
  view.answerBox.question = answer.question;
}

/** One card. Its text comes in pieces, [text, marks], and only as text. */
function makeCard(view, card) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const part = (tag, className, text, parent) => {
    const node = document.createElement(tag);
    node.className = className;
    node.textContent = text ?? "";
    parent.append(node);
    return node;
  };
  item.className = "card";
  item.dataset.rank = button.dataset.rank = card.rank;
  button.type = "button";
  part("span", "rank", card.rank, button);
  part("span", "where", card.where, button).title = card.where;
  part("span", "score", card.score, button);
  item.append(button);
  if (card.path) part("p", "path", card.path, item).title = card.path;
  const text = part("p", "text", "", item);
  text.dir = "auto";
  for (const [piece, marks] of card.pieces) {
    const classes = marks.filter((mark) => MARKS_OF_A_PIECE.includes(mark)).join(" ");
    // Blank lines stand outside of the spans: there they take less room.
    for (const line of piece.split(/((?<=\n)[^\S\n]*\n(?:[^\S\n]*\n)*)/)) {
      if (BLANK_LINES.test(line)) text.append(line);
      else if (line) part("span", classes, line, text);
    }
  }
  const facts = part("p", "facts", "", item);
  part("span", "", card.facts, facts);
  if (VERDICTS.includes(card.holds)) {
    const holds = part("span", "holds", "", facts);
    part("i", `shape ${card.holds}`, "", holds);
    holds.append(card.holds_text);
  }
  item.addEventListener("click", () => {
    const selection = item.getRootNode().getSelection?.() ?? document.getSelection();
    if (!selection?.toString()) goToRank(view, card.rank);
  });
  return item;
}

const cardButton = (view, rank) => view.cardsList.querySelector(`button[data-rank="${rank}"]`);

function cardKey(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  event.stopPropagation();
  view.rank = Number(event.target.closest("[data-rank]")?.dataset.rank ?? view.rank);
  stepRank(view, by);
  cardButton(view, view.rank)?.focus({ preventScroll: true });
}

function stepRank(view, by) {
  const at = view.cards.findIndex((card) => card.rank === view.rank);
  const next = at < 0 ? 0 : Math.min(Math.max(0, at + by), view.cards.length - 1);
  if (view.cards.length) goToRank(view, view.cards[next].rank);
}

/** Makes a hit the current one and goes to it; one in another document is Python's to open. */
function goToRank(view, rank) {
  const place = view.frame?.ranked.find((each) => each.rank === rank);
  takeRank(view, rank);
  if (!place) return view.setTrigger("pick", { rank });
  const { doc, frame } = view;
  const unit = firstVisible(doc.text, toUnits(doc, chunkStart(frame, place.chunk)), toUnits(doc, chunkEnd(frame, place.chunk)));
  view.current = place.chunk;
  if (!isComfortable(view, unit)) scrollToUnit(view, unit, 0.25);
  say(view, `rank ${rank} of ${view.cards.length}, ${Object.values(describeChunk(view, place.chunk)).filter(Boolean).join(", ")}`);
}

function takeRank(view, rank) {
  view.rank = rank;
  markCard(view);
  for (const i of view.shown) if (view.nodes[i].spans) raise(view, view.nodes[i]);
  showCounter(view);
}

function markCard(view) {
  for (const item of view.cardsList.children) {
    const taken = Number(item.dataset.rank) === view.rank;
    const button = item.querySelector("button");
    if (taken) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    if (taken) revealCard(view, item);
  }
}

/** Scrolls the list, and only the list, until a card is in it. */
function revealCard(view, item) {
  const list = view.cardsList.getBoundingClientRect();
  const card = item.getBoundingClientRect();
  if (card.top < list.top) view.cardsList.scrollTop += card.top - list.top - 6;
  else if (card.bottom > list.bottom) view.cardsList.scrollTop += Math.min(card.top - list.top - 6, card.bottom - list.bottom + 6);
}

/** Shows in one painted block which stretches belong to the current hit. */
function raise(view, node) {
  node.spans.forEach((span) => {
    span.classList.toggle("taken", view.rank > 0 && holdsRank(node.segments, span.segment, view.rank));
  });
}

/** The number of the ranks that begin at a unit offset, in the gutter. */
function addRank(view, span, unit) {
  const { doc, frame } = view;
  const ranks = frame.ranked
    .filter(({ start, end }) => firstVisible(doc.text, toUnits(doc, start), toUnits(doc, end)) === unit)
    .map((place) => place.rank);
  const badge = addSign(span, "number badge");
  badge.ranks = ranks;
  badge.dataset.n = ranks.join(" ");
}

/** The best rank that holds a painted stretch, 0 for none. */
function rankAt(segments, k) {
  for (const [field, first] of [[7, 1], [8, 1 + BITS]]) {
    const bits = segments[k + field];
    if (bits) return first + 31 - Math.clz32(bits & -bits);
  }
  return 0;
}
