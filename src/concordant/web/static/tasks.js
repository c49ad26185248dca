// What kinds of questions need beyond plain fields. An element with data-script names the script of its kind, which exports
// prepare(element) and, where there is more to say than the fields themselves do:
//   fault(element, { partly })  what is wrong with the answer, in words; `partly`: an unfinished answer is no fault
//   answers(element)            how much of an answer there is
//   clear(element)              take the answer away

const scripts = new Map();  // address -> module

export async function load(addresses) {
  const modules = await Promise.all(addresses.map((address) => import(address).catch(() => ({}))));  // else plain fields
  addresses.forEach((address, place) => scripts.set(address, modules[place]));
}

export const scriptsIn = (form) => [...form.querySelectorAll("[data-script]")].map((element) => element.dataset.script);

const parts = (box) => [...box.querySelectorAll("[data-script]")].map((element) => [element, scripts.get(element.dataset.script) ?? {}]);

export function prepare(form) {
  for (const [element, script] of parts(form)) script.prepare?.(element);
  for (const nothing of form.querySelectorAll("[data-nothing]")) watchNothing(nothing);
}

// "Nothing" and an answer exclude each other: the one that is given last holds.
function watchNothing(nothing) {
  const question = nothing.closest(".asked");
  const untick = (event) => { if (event.target !== nothing) nothing.checked = false; };
  for (const kind of ["input", "change", "spans-changed"]) question.addEventListener(kind, untick, { capture: true });
  nothing.addEventListener("input", () => {
    if (!nothing.checked) return;
    for (const field of question.querySelectorAll("input")) {
      if (field === nothing) continue;
      if (field.type === "checkbox") field.checked = field.disabled = false;
      if (field.type === "text") field.value = "";
    }
    for (const [element, script] of parts(question)) script.clear?.(element);
  });
}

// What is wrong with the answers on the form, in words, and at which question; null when nothing is.
export function unfinished(form, { partly = false } = {}) {
  for (const [element, script] of parts(form)) {
    const said = script.fault?.(element, { partly });
    if (said) return { said, question: element.closest(".asked") };
  }
  const missing = [...form.querySelectorAll(".asked")].find((question) => !isEnough(question));
  if (!partly && missing) return { said: missing.dataset.missing, question: missing };
  const wrong = [...form.querySelectorAll("input[type=number]")].find((field) => !field.checkValidity());
  return wrong ? { said: wrong.validationMessage, question: wrong.closest(".asked") } : null;
}

// Whether a question has as much of an answer as it needs (data-at-least on its box; 0 where it is optional).
function isEnough(question) {
  return answersIn(question) >= Number(question.dataset.atLeast);
}

function answersIn(question) {
  for (const [element, script] of parts(question)) if (script.answers) return script.answers(element);
  const checked = question.querySelectorAll("input:checked").length;
  const fields = [...question.querySelectorAll("input[type=text], input[type=number], textarea")];
  const written = fields.filter((field) => field.name && !field.disabled && field.value.trim()).length;
  return checked + written + question.querySelectorAll("input[type=hidden][name^=\"q:\"]:not(:disabled)").length;
}

export const changed = (element) => element.dispatchEvent(new Event("change", { bubbles: true }));
