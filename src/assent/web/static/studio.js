// The researchers' pages: the live panel, copying links, deciding by key. Without it everything works by reloading.

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
for (const place of document.querySelectorAll("[data-live]")) live(place);
for (const place of document.querySelectorAll("[data-once]")) refresh(place);
