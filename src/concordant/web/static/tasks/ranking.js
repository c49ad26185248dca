import { changed } from "../tasks.js";

// Places become the order of the list, changed with two buttons beside each entry, with the arrow keys on them, or by
// dragging. The order that is drawn is no answer: only one that was made or confirmed is.
export function prepare(list) {
  for (const entry of list.children) {
    entry.querySelector("select").hidden = true;
    entry.prepend(Object.assign(document.createElement("span"), { className: "place" }));
    entry.append(mover(list, entry, "↑", list.dataset.up, -1), mover(list, entry, "↓", list.dataset.down, 1));
    makeDraggable(list, entry);
  }
  const keep = Object.assign(document.createElement("button"), { type: "button", className: "keep-order", textContent: list.dataset.keep });
  keep.addEventListener("click", () => settle(list, list.firstElementChild));
  list.after(keep);
  show(list);
}

const isAnswered = (list) => list.dataset.answered !== undefined;

function mover(list, entry, sign, label, by) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign });
  button.setAttribute("aria-label", `${label}: ${entry.querySelector(".what").textContent}`);
  button.addEventListener("click", () => move(list, entry, by, button));
  button.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step) { event.preventDefault(); move(list, entry, step, button); }
  });
  return button;
}

function move(list, entry, by, button) {
  const other = by < 0 ? entry.previousElementSibling : entry.nextElementSibling;
  if (!other) return;
  if (by < 0) other.before(entry); else other.after(entry);
  button.focus();
  settle(list, entry);
}

function makeDraggable(list, entry) {
  entry.draggable = true;
  let before = [];
  const anywhere = (event) => event.preventDefault();  // so that only a drag that was given up has no effect
  entry.addEventListener("dragstart", (event) => {
    before = [...list.children];
    event.dataTransfer.effectAllowed = "move";
    entry.classList.add("dragged");
    for (const kind of ["dragover", "drop"]) document.addEventListener(kind, anywhere);
  });
  entry.addEventListener("dragover", (event) => {
    const dragged = list.querySelector(".dragged");
    if (!dragged) return;
    event.preventDefault();
    if (dragged === entry) return;
    const { top, height } = entry.getBoundingClientRect();
    if (event.clientY < top + height / 2) entry.before(dragged); else entry.after(dragged);
  });
  entry.addEventListener("drop", (event) => event.preventDefault());
  entry.addEventListener("dragend", (event) => {
    entry.classList.remove("dragged");
    for (const kind of ["dragover", "drop"]) document.removeEventListener(kind, anywhere);
    if (event.dataTransfer.dropEffect === "none") list.append(...before);
    if (before.some((one, place) => list.children[place] !== one)) settle(list, entry);
  });
}

function settle(list, entry) {
  list.dataset.answered = "";
  show(list);
  changed(entry.querySelector("select"));
}

function show(list) {
  [...list.children].forEach((entry, index) => {
    entry.querySelector("select").value = isAnswered(list) ? String(index + 1) : "";
    entry.querySelector(".place").textContent = isAnswered(list) ? `${index + 1}.` : "–";
  });
  list.nextElementSibling.hidden = isAnswered(list);
}

export const answers = (list) => Number(isAnswered(list));
