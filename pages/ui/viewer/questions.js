// The questions and what became of each at this cut: shape, verdict, rank. A press goes to the evidence.

function showQuestions(view, head) {
  const questions = head.questions ?? [];
  view.questions = questions;
  view.questionsBox.hidden = !questions.length;
  setText(view.questionsTitle, head.questions_title ?? "");
  const ids = questions.map((question) => question.id).join("\n");
  if (view.questionIds !== ids) {
    view.questionIds = ids;
    view.rows = questions.map((question) => makeRow(view, question));
    view.questionsList.replaceChildren(...view.rows.map((row) => row.item));
  }
  const totals = { whole: 0, split: 0, missed: 0 };
  questions.forEach((question, i) => {
    totals[question.verdict]++;
    fillRow(view, view.rows[i], question);
  });
  for (const verdict of VERDICTS) setText(view.questionTotals[verdict], `${totals[verdict]} ${verdict}`);
}

function makeRow(view, { id }) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const [shape, text, facts] = ["i", "span", "span"].map((name) => document.createElement(name));
  button.type = "button";
  button.dataset.question = id;
  shape.setAttribute("aria-hidden", "true");
  text.className = "text";
  facts.className = "facts";
  button.append(shape, text, facts);
  item.append(button);
  button.addEventListener("click", () => pickQuestion(view, id));
  return { item, button, shape, text, facts };
}

function fillRow(view, row, { text, kind, verdict, rank, start, document: where }) {
  const shape = `shape ${VERDICTS.includes(verdict) ? verdict : "missed"}`;
  if (row.shape.className !== shape) row.shape.className = shape;
  setText(row.text, text);
  const elsewhere = start === null || start === undefined;
  const facts = [verdict, rank ? `rank ${rank}` : "", elsewhere ? `in ${where}` : kind];
  setText(row.facts, facts.filter(Boolean).join(" · "));
  if (row.button.title !== text) row.button.title = text;
  row.button.classList.toggle("elsewhere", elsewhere);
}

function pickQuestion(view, id) {
  const question = view.questions.find((candidate) => candidate.id === id);
  for (const row of view.rows) {
    if (row.button.dataset.question === id) row.button.setAttribute("aria-current", "true");
    else row.button.removeAttribute("aria-current");
  }
  if (question && Number.isInteger(question.start) && view.doc) goToEvidence(view, question.start);
  view.setTrigger("pick", { question: id });
}

/** The questions whose evidence in this document holds a code point. */
function questionsAt(view, point) {
  const holds = ({ start, end }) => Number.isInteger(start) && start <= point && point < end;
  return (view.questions ?? []).filter(holds);
}
