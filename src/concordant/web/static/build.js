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
    if (!old || !now || old.contains(document.activeElement)) continue;
    const along = old.scrollLeft; // of the outline on a telephone
    old.replaceWith(now);
    now.scrollLeft = along;
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
  walk();
  say(alert ? "" : fresh.querySelector("[data-saved]")?.textContent ?? "");
}

const saysOf = (place) => (place.classList.contains("says") ? place : place.querySelector(":scope > .says"));

function say(text) {
  form.querySelector("[data-saved]").textContent = text;
}

if (form) {
  form.addEventListener("input", (event) => {
    if (!event.target.name || event.target.name === "pasted") return;
    clearTimeout(timer);
    if (event.target.matches("[data-redraws]")) { form.requestSubmit(); return; }
    timer = setTimeout(save, 400);
  });
  form.addEventListener("change", (event) => { if (event.target.name === "guidelines.file") form.requestSubmit(); }); // another text
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

// The dot on the curve of the assignment: dragged, or moved by arrow keys, it says the width that the server has computed there.
function walk() {
  const box = document.querySelector("[data-walk]");
  const [slider, told, dot] = [box?.querySelector("input"), box?.querySelector("output"), document.querySelector("[data-dot]")];
  if (!slider || !box.hidden) return;
  const points = slider.dataset.points.split("|").filter(Boolean).map((one) => one.match(/^(\S+) (\S+) (.*)$/).slice(1));
  const show = () => {
    const [x, y, words] = points[slider.value];
    dot.setAttribute("cx", `${x}%`);
    dot.setAttribute("cy", y);
    told.textContent = words;
    slider.setAttribute("aria-valuetext", words);
  };
  const chart = dot.closest("svg");
  const to = (event) => {
    const at = ((event.clientX - chart.getBoundingClientRect().left) / chart.clientWidth) * 100;
    const apart = points.map(([x]) => Math.abs(x - at));
    slider.value = apart.indexOf(Math.min(...apart));
    show();
  };
  chart.addEventListener("pointerdown", (event) => { chart.setPointerCapture(event.pointerId); to(event); });
  chart.addEventListener("pointermove", (event) => { if (chart.hasPointerCapture(event.pointerId)) to(event); });
  slider.addEventListener("input", show);
  box.hidden = false;
  show();
}
walk();

// Options are put in order by dragging, too; the buttons beside them do the same.
for (const list of document.querySelectorAll(".points")) {
  const rows = [...list.children];
  rows.forEach((row, place) => {
    const grip = Object.assign(document.createElement("span"), { className: "grip", draggable: true, textContent: "⠿" });
    grip.setAttribute("aria-hidden", "true");
    row.querySelector(".row-acts").prepend(grip);
    grip.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData("text/plain", row.querySelector("[value^='up:']").value.slice(3));
      event.dataTransfer.setDragImage(row, 0, 0);
      list.dataset.dragged = place;
    });
    grip.addEventListener("dragend", () => delete list.dataset.dragged);
    row.addEventListener("dragover", (event) => { if ("dragged" in list.dataset) { event.preventDefault(); row.classList.add("over"); } });
    row.addEventListener("dragleave", () => row.classList.remove("over"));
    row.addEventListener("drop", (event) => {
      row.classList.remove("over");
      if (!("dragged" in list.dataset)) return;
      event.preventDefault();
      const what = event.dataTransfer.getData("text/plain");
      const button = Object.assign(document.createElement("button"), { name: "do", value: `move:${what}:${place}`, hidden: true });
      form.append(button);
      form.requestSubmit(button);
    });
  });
}
