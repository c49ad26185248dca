// The researchers' pages: the live panel, copying links, deciding by key. Without it everything works by reloading.

import { load, prepare, scriptsIn } from "./tasks.js";

const POLL = 3000;

// New answers are told in a line; what somebody reads stays where it is until they ask for more.
function news(place) {
  const ask = async () => {
    if (document.visibilityState === "visible") {
      try {
        const reply = await fetch(place.dataset.news, { headers: { accept: "text/html" } });
        if (reply.status === 200) {
          const said = new DOMParser().parseFromString(await reply.text(), "text/html").body;
          if (said.textContent.trim() !== place.textContent.trim()) place.replaceChildren(...said.childNodes);
        }
      } catch {
        // the server is away for a moment: the next round asks again
      }
    }
    setTimeout(ask, POLL);
  };
  setTimeout(ask, POLL);
}

async function refresh(place) {
  const seq = place.querySelector("[data-seq]")?.dataset.seq ?? "";
  try {
    const reply = await fetch(`${place.dataset.once}?seq=${seq}`, { headers: { accept: "text/html" } });
    if (reply.status === 200) put(place, await reply.text());
  } catch {
    // the server is away for a moment: the next round asks again
  }
}

function put(place, html) {
  place.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
}

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

// Files dropped on the page are sent as if they were chosen, folders with the names of what is in them.
function dropped(form) {
  const field = form.elements.files, said = form.querySelector("[data-said]"), bar = form.querySelector("progress");
  form.querySelector("[data-with-script]").hidden = false;
  const send = (files) => {
    const body = new FormData(form);
    body.delete("files");
    for (const [name, file] of files) body.append("files", file, name);
    const request = new XMLHttpRequest();
    bar.hidden = false;
    said.textContent = form.dataset.sending;
    request.upload.onprogress = (event) => { bar.value = (100 * event.loaded) / event.total; };
    request.upload.onload = () => { said.textContent = form.dataset.reading; };
    request.onerror = () => { bar.hidden = true; said.textContent = form.dataset.unanswered; };
    request.onload = () => {
      if (request.responseURL !== form.action) return location.assign(request.responseURL);
      const told = new DOMParser().parseFromString(request.responseText, "text/html").querySelector("[role=alert], .note");
      bar.hidden = true;
      said.textContent = told?.textContent.trim() ?? form.dataset.refused;
    };
    request.open("POST", form.action);
    request.send(body);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send([...field.files].map((file) => [file.webkitRelativePath || file.name, file]));
  });
  for (const type of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(type, (event) => {
      event.preventDefault();
      form.classList.toggle("over", type === "dragover");
    });
  }
  document.addEventListener("drop", async (event) => {
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
    const found = (await Promise.all(entries.map((entry) => within(entry)))).flat();
    if (found.length) send(found);
  });
}

async function within(entry) {
  if (entry.isFile) return [[entry.fullPath.slice(1), await new Promise((done, failed) => entry.file(done, failed))]];
  const reader = entry.createReader(), found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) break;
    for (const one of some) found.push(...await within(one));
  }
  return found;
}

function key(event) {
  const form = document.querySelector("form[data-keys]");
  if (!form || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const isField = event.target.closest("textarea, input[type=text], input[type=number], input[type=search], select");
  if (isField && event.key === "Escape") { event.target.blur(); return; }
  if (isField || (event.key === "Enter" && event.target.closest("a, button, summary"))) return;
  if (event.key.length === 1 && localStorage.getItem("single-keys") === "off") return;
  const wanted = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const found = [...form.querySelectorAll("[data-key]:not([hidden])")].find((one) => one.dataset.key.split(" ").includes(wanted));
  if (!found) return;
  event.preventDefault();
  if (found.matches("textarea")) found.focus();
  else found.click();
}

// Ctrl K: studies, their pages and questions. The list is the page that the link leads to.
function jumps(dialog) {
  const field = dialog.querySelector("input"), list = dialog.querySelector(".jump-list");
  let asked = 0;
  const look = async () => {
    const turn = ++asked;
    const reply = await fetch(`${dialog.dataset.jumps}?q=${encodeURIComponent(field.value)}`, { headers: { accept: "text/html" } });
    if (!reply.ok || turn !== asked) return;
    list.replaceChildren(new DOMParser().parseFromString(await reply.text(), "text/html").getElementById("places"));
  };
  const open = () => { dialog.showModal(); field.select(); look(); };
  field.addEventListener("input", look);
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (event.key === "ArrowDown") links[at + 1]?.focus();
    else if (event.key === "ArrowUp") (links[at - 1] ?? field).focus();
    else if (event.key === "Enter" && event.target === field) links[0]?.click();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k" && !dialog.open) { event.preventDefault(); open(); }
  });
  document.querySelector("[data-jump]")?.addEventListener("click", (event) => { event.preventDefault(); open(); });
}

// A column that is something else is read anew at once.
for (const form of document.querySelectorAll("[data-roles]")) {
  form.querySelector("[data-without-script]").hidden = true;
  form.addEventListener("change", () => form.requestSubmit());
}
document.addEventListener("keydown", key);
for (const dialog of document.querySelectorAll("[data-jumps]")) jumps(dialog);
// On a phone the tab of this page is in sight from the beginning.
for (const one of document.querySelectorAll(".tabs [aria-current], .outline > ul > li > [aria-current]")) one.scrollIntoView({ block: "nearest", inline: "center" });
document.querySelector(".panes.at-case .disputes [aria-current]")?.scrollIntoView({ block: "nearest" });
for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button));
for (const field of document.querySelectorAll("[data-into]")) filled(field);
for (const form of document.querySelectorAll("[data-drop]")) dropped(form);
for (const form of document.querySelectorAll("form[data-keys]")) {
  await load(scriptsIn(form));
  prepare(form);
}
for (const place of document.querySelectorAll("[data-news]")) news(place);
for (const place of document.querySelectorAll("[data-once]")) refresh(place);
