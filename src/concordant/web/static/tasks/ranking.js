import { changed } from "../tasks.js";

// Places become the order of the list, changed with two buttons beside each entry, with the arrow keys on them, or by
// dragging. The order that is drawn is no answer: only one that was made or confirmed is.
export function prepare(list) {
  for (const entry of list.children) {
    entry.querySelector("select").hidden = true;
    entry.prepend(Object.assign(document.createElement("span"), { className: "place" }));
    entry.append(mover(list, entry, "↑", list.dataset.up, -1), mover(list, entry, "↓", list.dataset.down, 1));
  }
  makeDraggable(list);
  const keep = Object.assign(document.createElement("button"), { type: "button", className: "keep-order", textContent: list.dataset.keep });
  keep.addEventListener("click", () => settle(list, list.firstElementChild));
  list.after(keep);
  show(list);
}

const EDGE = 60;  // pixels from the edge, in which the page goes along
const fast = (near) => Math.min(Math.max(near, 0), EDGE) / 5;
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

// A mouse takes an entry anywhere, a finger or a pen by its place: with the rest of it the page is scrolled.
function makeDraggable(list) {
  list.addEventListener("pointerdown", (event) => {
    const entry = event.target.closest("li");
    const isTaken = event.pointerType === "mouse" ? event.button === 0 && !event.target.closest("button") : event.target.closest(".place");
    if (!entry || !isTaken || list.querySelector(".dragged")) return;
    event.preventDefault();
    drag(list, entry, event);
  });
}

function drag(list, entry, { pointerId, clientY }) {
  const before = [...list.children], ending = new AbortController();
  let y = clientY;
  const end = (isGivenUp) => {
    ending.abort();
    entry.classList.remove("dragged");
    if (isGivenUp) list.append(...before);
    if (before.some((one, place) => list.children[place] !== one)) settle(list, entry);
  };
  const on = (target, kind, act) => target.addEventListener(kind, act, { signal: ending.signal, capture: true });
  const its = (act) => (event) => { if (event.pointerId === pointerId) act(event); };
  on(entry, "pointermove", its((event) => { y = event.clientY; bring(list, entry, y); }));
  on(entry, "pointerup", its(() => end(false)));
  for (const kind of ["pointercancel", "lostpointercapture"]) on(entry, kind, its(() => end(true)));
  on(window, "keydown", (event) => {  // meanwhile no key does anything else
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === "Escape") end(true);
  });
  entry.setPointerCapture(pointerId);
  entry.classList.add("dragged");
  requestAnimationFrame(function along() {
    if (ending.signal.aborted) return;
    if (!entry.isConnected) return end(true);
    const by = pull(list, y);
    if (by) { window.scrollBy(0, by); bring(list, entry, y); }
    requestAnimationFrame(along);
  });
}

// The others go around the entry that is dragged: taken out of the page, even for a moment, it would lose the pointer.
function bring(list, entry, y) {
  const others = [...list.children].filter((one) => one !== entry);
  const isAbove = (one) => { const { top, height } = one.getBoundingClientRect(); return top + height / 2 < y; };
  const n = others.filter(isAbove).length;
  if (list.children[n] === entry) return;
  entry.before(...others.slice(0, n));
  entry.after(...others.slice(n));
}

// How far the page goes along, in pixels a frame, where more of the list is behind the edge that the pointer is near.
function pull(list, y) {
  const { top, bottom } = list.getBoundingClientRect();
  const above = [...document.querySelectorAll(".bar, .item")].filter((one) => getComputedStyle(one).position === "sticky");
  const ceiling = Math.max(0, ...above.map((one) => one.getBoundingClientRect().bottom));
  const up = top < ceiling ? fast(ceiling + EDGE - y) : 0;
  const down = bottom > window.innerHeight ? fast(y - window.innerHeight + EDGE) : 0;
  return down - up;
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
