// What the richer tasks need beyond plain fields: a slider, a list to order, spans to mark, limits on how much is filled.

import { prepareParses } from "./parses.js";
import { prepareSpans } from "./spans.js";

export function prepare(form) {
  form.querySelectorAll("[data-slider]").forEach(prepareSlider);
  form.querySelectorAll("[data-ranking]").forEach(prepareRanking);
  form.querySelectorAll("[data-at-most]").forEach(prepareLabels);
  form.querySelectorAll("[data-fill-at-most]").forEach(preparePatterns);
  form.querySelectorAll("[data-spans]").forEach(prepareSpans);
  form.querySelectorAll("[data-parses]").forEach(prepareParses);
}

// What is wrong with the answers on the form, in words; "" when nothing is. `partly`: an unfinished answer is no fault.
export function unfinished(form, { partly = false } = {}) {
  for (const list of form.querySelectorAll("[data-fill-at-most]")) {
    const most = Number(list.dataset.fillAtMost) || Infinity;
    if (filledIn(list).length > most) return list.dataset.tooMany;
  }
  const undecided = form.querySelector("[data-undecided]");
  if (!partly && undecided) return undecided.dataset.undecided;
  const asked = [...form.querySelectorAll(".asked")];
  if (!partly && asked.some((question) => !isEnough(question))) return form.dataset.unfinished;
  const wrong = [...form.querySelectorAll("input[type=number]")].find((field) => !field.checkValidity());
  return wrong ? wrong.validationMessage : "";
}

// Whether a question has as much of an answer as it needs (data-at-least on its box; 0 where it is optional).
function isEnough(question) {
  const least = Number(question.dataset.atLeast);
  return answersIn(question) >= least;
}

function answersIn(question) {
  if (question.querySelector("[data-ranking]")) return 1;
  const checked = question.querySelectorAll("input:checked").length;
  const written = [...question.querySelectorAll("input[type=text], input[type=number], textarea")].filter((field) => field.name && !field.disabled && field.value.trim()).length;
  return checked + written + question.querySelectorAll("input[type=hidden][name]:not(:disabled)").length;
}

const changed = (element) => element.dispatchEvent(new Event("change", { bubbles: true }));

// The slider is the number field's companion: no value is chosen until one of them is touched.
function prepareSlider(box) {
  const [range, number] = box.querySelectorAll("input");
  range.hidden = false;
  const mark = () => box.classList.toggle("untouched", number.value === "");
  mark();
  range.addEventListener("input", () => { number.value = range.value; mark(); });
  range.addEventListener("change", () => { number.value = range.value; changed(number); });
  number.addEventListener("input", () => { if (number.value) range.value = number.value; mark(); });
}

// Places become the order of the list, changed with two buttons beside each entry.
function prepareRanking(list) {
  for (const entry of list.children) {
    entry.querySelector("select").hidden = true;
    entry.prepend(Object.assign(document.createElement("span"), { className: "place" }));
    entry.append(mover(list, entry, "↑", list.dataset.up, -1), mover(list, entry, "↓", list.dataset.down, 1));
  }
  number(list);
}

function mover(list, entry, sign, label, by) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign });
  button.setAttribute("aria-label", `${label}: ${entry.querySelector(".what").textContent}`);
  button.addEventListener("click", () => {
    const other = by < 0 ? entry.previousElementSibling : entry.nextElementSibling;
    if (!other) return;
    if (by < 0) other.before(entry); else other.after(entry);
    number(list);
    button.focus();
    changed(entry.querySelector("select"));
  });
  return button;
}

function number(list) {
  [...list.children].forEach((entry, index) => {
    entry.querySelector("select").value = String(index + 1);
    entry.querySelector(".place").textContent = `${index + 1}.`;
  });
}

// Once as many labels are ticked as allowed, the others rest.
function prepareLabels(group) {
  const most = Number(group.dataset.atMost) || Infinity;
  const boxes = [...group.querySelectorAll("input[type=checkbox]")];
  const limit = () => {
    const full = boxes.filter((box) => box.checked).length >= most;
    for (const box of boxes) box.disabled = full && !box.checked;
  };
  group.addEventListener("change", limit);
  limit();
}

const filledIn = (list) => [...list.querySelectorAll("input")].filter((field) => field.value.trim());

function preparePatterns(list) {
  const mark = () => {
    for (const field of list.querySelectorAll("input")) field.closest(".pattern").classList.toggle("filled", field.value.trim() !== "");
  };
  list.addEventListener("input", mark);
  mark();
}
