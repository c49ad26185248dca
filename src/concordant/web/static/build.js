// The study builder: what is typed is saved after a moment as a draft; the outline, what is to mend and the preview follow.
// Without this script every page is a form with a button.

const form = document.querySelector("form[data-saves]");
const frame = document.getElementById("preview");
const FOLLOWING = ["outline", "standing", "design", "items-sentence", "items-says"];
let timer, running;

function save() { // one after the other, so that no older draft arrives after a newer one
  clearTimeout(timer);
  timer = undefined;
  const mine = (running = (running ?? Promise.resolve()).then(send).finally(() => { if (running === mine) running = undefined; }));
  return mine;
}

async function send() {
  say(form.dataset.saving);
  try {
    const reply = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
    if (!fresh.getElementById("part")) throw new Error(String(reply.status));
    follow(fresh);
    frame?.contentWindow.location.replace(frame.src);
    return true;
  } catch {
    say(form.dataset.unsaved); // who goes on all the same loses it
    return false;
  }
}

function follow(fresh) {
  for (const id of FOLLOWING) {
    const [old, now] = [document.getElementById(id), fresh.getElementById(id)];
    if (old && now && !old.contains(document.activeElement)) old.replaceWith(now);
  }
  for (const place of document.querySelectorAll("[data-place]")) {
    const now = fresh.querySelector(`[data-place="${CSS.escape(place.dataset.place)}"]`);
    const [old, said] = [saysOf(place), now && saysOf(now)];
    if (old && said) old.innerHTML = said.innerHTML;
    if (now) place.classList.toggle("bad", now.classList.contains("bad"));
  }
  const alert = fresh.querySelector(".edit > [role=alert]");
  document.querySelector(".edit > [role=alert]")?.remove();
  if (alert) document.querySelector(".edit").prepend(alert);
  say(alert ? "" : fresh.querySelector("[data-saved]")?.textContent ?? "");
}

const saysOf = (place) => (place.classList.contains("says") ? place : place.querySelector(":scope > .says"));

function say(text) {
  form.querySelector("[data-saved]").textContent = text;
}

if (form) {
  form.addEventListener("input", (event) => {
    if (event.target.name === "pasted") return;
    clearTimeout(timer);
    if (event.target.matches("[data-redraws]")) { form.requestSubmit(); return; }
    timer = setTimeout(save, 400);
  });
  form.addEventListener("submit", (event) => {
    clearTimeout(timer);
    timer = undefined;
    if (!running) return;
    event.preventDefault();
    running.then(() => form.requestSubmit(event.submitter));
  });
  const isTyped = (one) => "defaultValue" in one && one.name !== "pasted" && one.value !== one.defaultValue;
  if ([...form.elements].some(isTyped)) timer = setTimeout(save, 400); // before this script was there
  document.addEventListener("click", (event) => { // whoever goes on before the draft is saved takes what was typed along
    const link = event.target.closest("a[href]");
    if (!link || link.target || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!timer && !running) return;
    event.preventDefault();
    (timer ? save() : running).then((is_saved) => is_saved && location.assign(link.href));
  });
}

const sizes = document.querySelector("[data-sizes]");
if (sizes) {
  sizes.hidden = false;
  sizes.addEventListener("click", (event) => {
    const chosen = event.target.closest("[data-size]");
    if (!chosen) return;
    for (const one of sizes.querySelectorAll("[data-size]")) one.setAttribute("aria-pressed", String(one === chosen));
    document.querySelector(".phone").classList.toggle("desktop", chosen.dataset.size === "desktop");
  });
}
