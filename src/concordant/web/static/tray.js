// What is not on the server yet, in sight of the rater: the line in the bar, and a tray with what was refused (why, and the
// way back to its question) and a copy of everything unsent to take along.

const line = document.getElementById("saved");
const tray = document.getElementById("tray");
const list = document.getElementById("tray-list");
const words = document.getElementById("bench").dataset;
let unsent = [];

// How many answers entries hold: a question that is answered in two of them is one answer.
function answersIn(entries) {
  return new Set(entries.flatMap((entry) => (entry.questions ?? [entry.id]).map((question) => `${entry.key} ${question}`))).size;
}

function counted(n, none, one, many) {
  return n === 0 ? none : n === 1 ? one : many.replace("{n}", n);
}

function sentence(state, waiting, refused) {
  if (state === "saved" || state === "saving" || state === "unkept") return words[state];
  if (state === "refused") return counted(refused.length, "", words.refusedOne, words.refusedMany);
  const said = counted(answersIn(waiting), words.waitingStep, words.waitingOne, words.waitingMany);
  return state === "signed-out" ? `${said}. ${words.signedOut}` : said;
}

const LOOKS = { "signed-out": "refused", unkept: "refused" };

export function showState(state, { waiting = [], refused = [], failures } = {}) {
  const said = sentence(state, waiting, refused);
  line.dataset.state = LOOKS[state] ?? state;
  line.dataset.waiting = waiting.length;
  if (line.textContent !== said) line.textContent = said;
  if (failures === undefined) return;  // said ahead of the outbox, which looks at what there is
  unsent = [...waiting, ...refused];
  const isStuck = failures > 2 && waiting.length > 0;
  tray.hidden = !(refused.length || isStuck);
  document.getElementById("tray-title").textContent = refused.length
    ? counted(refused.length, "", words.refusedOne, words.refusedMany)
    : said;
  const shown = [...list.children].map((row) => row.dataset.id).join(" ");
  if (shown !== refused.map(({ id }) => id).join(" ")) list.replaceChildren(...refused.map(row));
}

// One refused entry: what it was about, the reason, the way back.
function row(entry) {
  const item = document.createElement("li");
  item.dataset.id = entry.id;
  const about = Object.assign(document.createElement("strong"), { textContent: entry.about ?? "" });
  const reason = Object.assign(document.createElement("span"), { textContent: entry.reason || words.refusedText });
  item.append(about, reason, button(words.wayBack, "back", entry), button(words.dismiss, "dismiss", entry));
  return item;
}

function button(text, does, entry) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, className: does === "back" ? "" : "plain" });
  made.addEventListener("click", () => made.dispatchEvent(new CustomEvent(`tray-${does}`, { bubbles: true, detail: entry })));
  return made;
}

// Everything unsent as a file: what was asked and answered, when, and why it was refused; no key of the rater's.
const PRIVATE = new Set(["form_token", "who"]);

function copy() {
  const entries = unsent.map(({ id, about, at, body, reason }) => {
    const fields = [...new URLSearchParams(body)].filter(([name]) => !PRIVATE.has(name));
    return { id, about, at, state: reason === undefined ? "waiting" : "refused", reason, fields };
  });
  const text = JSON.stringify({ study: document.title, page: location.pathname, saved_at: new Date().toISOString(), entries }, null, 2);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "unsent-answers.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

document.getElementById("tray-copy").addEventListener("click", copy);
