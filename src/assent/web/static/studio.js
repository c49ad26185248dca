// The researchers' pages: the live panel, copying links, deciding by key. Without it everything works by reloading.

import { prepare } from "./tasks.js";

const POLL = 3000;

function live(place) {
  const ask = async () => {
    if (document.visibilityState === "visible") await refresh(place);
    setTimeout(ask, POLL);
  };
  setTimeout(ask, POLL);
}

async function refresh(place) {
  const seq = place.querySelector("[data-seq]")?.dataset.seq ?? "";
  try {
    const reply = await fetch(`${place.dataset.live ?? place.dataset.once}?seq=${seq}`, { headers: { accept: "text/html" } });
    if (reply.status === 200) put(place, await reply.text());
  } catch {
    // the server is away for a moment: the next round asks again
  }
}

function put(place, html) {
  const before = new Map(values(place).map((cell) => [name(cell), cell.textContent]));
  const opened = [...place.querySelectorAll("details")].map((one) => one.open);
  const parsed = new DOMParser().parseFromString(html, "text/html");
  place.replaceChildren(...parsed.body.childNodes);
  [...place.querySelectorAll("details")].forEach((one, i) => { one.open = opened[i] ?? false; });
  for (const cell of values(place)) {
    if (before.has(name(cell)) && before.get(name(cell)) !== cell.textContent) cell.classList.add("changed-now");
  }
}

const values = (place) => [...place.querySelectorAll(".value")];
const name = (cell) => `${cell.dataset.question} ${cell.dataset.measure}`;

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  const said = button.innerHTML;
  button.textContent = "Copied";
  setTimeout(() => { button.innerHTML = said; }, 1500);
}

// A file fills the field above it, where it can be looked at before it is sent.
function filled(from) {
  from.closest("[data-with-script]").hidden = false;
  from.addEventListener("change", async () => {
    if (from.files.length) from.form.elements[from.dataset.into].value = await from.files[0].text();
  });
}

function key(event) {
  const form = document.querySelector("form[data-keys]");
  if (!form || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("textarea, input[type=text], input[type=number], select")) return;
  const wanted = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const found = [...form.querySelectorAll("[data-key]:not([hidden])")].find((one) => one.dataset.key.split(" ").includes(wanted));
  if (found) { event.preventDefault(); found.click(); }
}

document.addEventListener("keydown", key);
for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button));
for (const field of document.querySelectorAll("[data-into]")) filled(field);
for (const form of document.querySelectorAll("form[data-keys]")) prepare(form);
for (const place of document.querySelectorAll("[data-live]")) live(place);
for (const place of document.querySelectorAll("[data-once]")) refresh(place);
