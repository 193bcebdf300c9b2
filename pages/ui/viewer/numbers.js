// The strip of numbers: cells of one width, so that nothing jumps while values change.

function showNumbers(view, numbers = []) {
  const keys = numbers.map((number) => number.key).join("\n");
  if (view.numberKeys !== keys) {
    view.numberKeys = keys;
    view.cells = numbers.map(makeCell);
    view.numbersBox.replaceChildren(...view.cells.map((cell) => cell.box));
    view.numbersBox.hidden = !numbers.length;
  }
  numbers.forEach((number, i) => fillCell(view.cells[i], number));
}

function makeCell({ key }) {
  const box = document.createElement("div");
  box.dataset.number = key;
  const [label, value, delta, detail, help] = ["label", "value", "delta", "detail", "unseen"].map((name) => {
    const part = document.createElement("span");
    part.className = name;
    return part;
  });
  const term = document.createElement("dt");
  const definition = document.createElement("dd");
  term.append(label, delta);
  definition.append(value, detail, help);
  box.append(term, definition);
  return { box, label, value, delta, detail, help };
}

function fillCell(cell, { label, value, help, detail, delta }) {
  setText(cell.label, label);
  setText(cell.value, value);
  setText(cell.detail, detail);
  setText(cell.help, help);
  if (cell.box.title !== (help ?? "")) cell.box.title = help ?? "";
  const change = delta?.text ?? "";
  const arrow = /^\s*[-−]/.test(change) ? "▼" : "▲";
  setText(cell.delta, change && `${arrow} ${change}`);
  cell.delta.classList.toggle("good", delta?.good === true);
  cell.delta.classList.toggle("bad", delta?.good === false);
}

function setText(node, text) {
  const wanted = text === null || text === undefined ? "" : String(text);
  if (node.textContent !== wanted) node.textContent = wanted;
}
