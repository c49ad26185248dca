// The judging page. Without this script every screen is a plain form; with it, screens follow each other at once.
//
// An answer goes into the outbox (this device), the next screen is shown from those fetched early, and the answer travels
// meanwhile. The server's reply says which screens come next and brings the ones that are not here yet.

import { Outbox, drafts, newId } from "./outbox.js";
import { listenToKeys } from "./keys.js";
import { employWorker, keepOnly, screens } from "./offline.js";
import { load, prepare, unfinished } from "./tasks.js";
import { showState } from "./tray.js";

const bench = document.getElementById("bench");
const words = bench.dataset;
const fetched = new Map();  // screens fetched early: key -> HTML
const made = new Map();  // screen and question -> the forms in which this page has answered it
const leaving = new Set();  // screens answered here whose answers are still on their way
let order = [];  // keys of the screen on display and of those that follow it
let here = document.getElementById("content").outerHTML;  // the screen on display as it came
let busy = false;
let answered = 0;  // how often a screen was left: what was asked before the last time is out of date
const clock = stopwatch();

const outbox = new Outbox(words.owner, {
  onState: tellState,
  onReply: (reply, entry) => { if (entry.action !== "save") arrived(reply, entry); },
  onRefusal: (reply, entry) => leaving.delete(entry.key),
  // the screen on display is never "here": a late reply may have brought it as it was before a decision
  headers: () => ({ "x-have": [...fetched.keys()].filter((key) => key !== stage().dataset.key).join(" ") }),
  renewed,
});

// A form that has waited, with the token of the page that sends it: the browser may have been given another one since.
function renewed(body) {
  const fields = new URLSearchParams(body);
  const now = document.querySelector("#leave [name=form_token]")?.value;
  if (now && fields.has("form_token")) fields.set("form_token", now);
  return fields.toString();
}

// The bar grows when it has more to say: what stays in sight below it moves along.
new ResizeObserver(([bar]) => {
  document.documentElement.style.setProperty("--bar", `${bar.borderBoxSize[0].blockSize}px`);
}).observe(document.querySelector(".bar"));

const stage = () => document.getElementById("content");
const task = () => document.getElementById("task");

// ---- what the server says ----

function arrived(reply, entry) {
  leaving.delete(entry.key);
  takeIn(reply);
}

function takeIn(reply) {
  order = reply.order ?? order;
  for (const [key, html] of Object.entries(reply.stages ?? {})) {
    fetched.set(key, html);
    fetchMedia(html);
  }
  keepScreens();
}

function fetchMedia(html) {
  for (const medium of parsed(html).querySelectorAll("img[src], audio[src]")) {
    if (medium.localName === "img") new Image().src = medium.getAttribute("src");
    else fetch(medium.getAttribute("src")).catch(() => {});
  }
}

async function ask(before = answered) {
  const response = await fetch(location.pathname, { headers: { accept: "application/json", "x-have": "" } });
  if (!response.ok) throw new Error(String(response.status));
  const reply = await response.json();
  if (answered !== before) return;  // the answer's own reply is newer and says what follows it
  fetched.clear();
  takeIn(reply);
}

function tellState(state, details) {
  if (state === "saved") leaving.clear();
  if (state === "signed-out") screens.drop().catch(() => {});
  showState(state, details);
}

// ---- showing a screen ----

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function show(key) {
  const html = fetched.get(key);
  const isSame = stage().dataset.key === key;  // drawn anew after a decision on it: the eyes stay where they are
  fetched.delete(key);
  stage().replaceWith(parsed(html));
  here = html;
  keepScreens();
  const now = stage().dataset;
  document.getElementById("progress").hidden = now.total === "0";
  document.getElementById("meter").max = Math.max(1, Number(now.total));
  document.getElementById("meter").value = Number(now.done);
  document.getElementById("round").textContent = now.round;
  document.getElementById("round").hidden = !now.round;
  document.getElementById("count").textContent = `${now.n}/${now.total}`;
  document.getElementById("leave").hidden = now.quit === "0";
  document.getElementById("guide")?.toggleAttribute("hidden", now.guided === "0");
  begin();
  if (!isSame) window.scrollTo(0, 0);
  focusOnTask();
}

// The cursor goes into a field only where that is what is asked first: no key may write into a field further down, out of sight.
function focusOnTask() {
  (stage().querySelector(".asked")?.querySelector("[data-focus]") ?? stage().querySelector("h1") ?? stage()).focus({ preventScroll: true });
}

function begin() {
  clock.lap();
  prepare(task());
  restoreDraft();
}

function following() {
  const here = stage().dataset.key;
  return order.find((key) => key !== here && !leaving.has(key) && fetched.has(key));
}

// ---- answering ----

function entryOf(submitter, more = {}) {
  const data = new FormData(task());
  if (submitter?.name) data.append(submitter.name, submitter.value);
  for (const [name, value] of Object.entries(more)) data.set(name, value);
  const id = newId(), at = new Date().toISOString();
  data.set("event", id);
  data.set("at", at);
  data.set("seconds", clock.lap().toFixed(3));
  const { key, n, total } = stage().dataset;
  for (const box of questionsOn(task())) tellSeen(data, key, box.dataset.question);
  const action = data.getAll("action").at(-1) ?? "answer";
  const asked = ["answer", "next", "save", "mark"].includes(action) ? questionsOn(task(), more.only) : [];
  for (const box of asked) noteMade(key, box.dataset.question, id);
  const about = [total === "0" ? "" : `${n}/${total}`, asked.length === 1 ? asked[0].querySelector(".question").innerText : ""].filter(Boolean).join(" · ");
  return { id, at, key, about, url: location.pathname, body: new URLSearchParams(data).toString(), action, step: data.get("step") ?? "", questions: asked.map((box) => box.dataset.question) };
}

// An answer names the versions that the rater has seen: what the page came with, and what was answered on it since.
function tellSeen(data, key, question) {
  for (const form of made.get(`${key} ${question}`) ?? []) data.append(`saw:${question}`, `form:${form}`);
}

function noteMade(key, question, form) {
  made.set(`${key} ${question}`, [...(made.get(`${key} ${question}`) ?? []), form].slice(-8));
}

function questionsOn(form, only) {
  return [...form.querySelectorAll(".asked")].filter((box) => only === undefined || box.dataset.question === only);
}

async function submit(submitter) {
  if (busy) return;
  const entry = entryOf(submitter);
  const fault = entry.action === "next" ? unfinished(task()) : null;
  if (fault) return complain(fault.said, fault.question);
  busy = true;
  submitter?.setAttribute("aria-busy", "true");
  try {
    await leave(entry);
  } finally {
    busy = false;
    submitter?.removeAttribute("aria-busy");
  }
}

async function leave(entry) {
  answered += 1;
  const { kind } = stage().dataset;
  const mayRun = kind === "judging" && ["answer", "next"].includes(entry.action);
  const next = mayRun ? following() : undefined;
  if (!mayRun && entry.action !== "mark") fetched.clear();  // screens fetched early hold only while one answer follows another
  dropDraft();
  showState("saving");
  const { delivered } = await outbox.put(entry);
  if (next) {
    leaving.add(entry.key);
    show(next);
    return;
  }
  const { reply, stored } = await patiently(delivered);
  if (stored) await arrive();
  else complain(reply.receipt.reason ?? words.refusedText);
}

// This device keeps nothing for us (a private window, a full disk): post the form as any page does.
function sendPlainly(submitter) {
  if (submitter?.name) {
    task().append(Object.assign(document.createElement("input"), { type: "hidden", name: submitter.name, value: submitter.value }));
  }
  HTMLFormElement.prototype.submit.call(task());
}

// A choice could not be put into the outbox: nothing is lost yet, since leaving the page sends the whole form.
function cannotKeep(error) {
  console.error(error);
  showState("unkept");
}

// The way back to the question of a refused entry.
async function goTo({ key, step }) {
  if (stage().dataset.key === key) { focusOnTask(); return; }
  if (!busy) await leave(entryOf(null, { action: "back", to: step }));
}

async function patiently(delivered) {
  const note = setTimeout(() => complain(words.wait), 1500);
  const result = await delivered;
  clearTimeout(note);
  return result;
}

async function arrive() {
  if (!fetched.has(order[0])) await ask();
  show(order[0]);
}

// Say what is wrong where it is: at the question it is about, and go there.
function complain(text, question) {
  task().querySelector("[data-complaint]")?.remove();
  const note = document.createElement("p");
  Object.assign(note, { className: "note warn", textContent: text });
  note.setAttribute("role", "alert");
  note.dataset.complaint = "";
  (question?.firstElementChild ?? task().querySelector(".steps") ?? task()).before(note);
  if (!question) return;
  question.querySelector(".question").focus({ preventScroll: true });
  note.scrollIntoView({ block: "center" });
}

// ---- choices are saved at once; words as soon as the field is left, and on this device with every letter ----

const isAnswer = (field) => field.name?.startsWith("q:");
const draftKey = () => `${words.owner} ${stage().dataset.key}`;

async function save(field) {
  task().querySelector("[data-complaint]")?.remove();
  const only = field.closest(".asked").dataset.question;
  if (unfinished(task(), { partly: true })) return;
  showState("saving");
  await outbox.put(entryOf(null, { action: "save", only }));
  keepScreens();
}

function keepDraft() {
  const fields = [...task().querySelectorAll("input[type=text], textarea")].filter(isAnswer);
  drafts.keep(draftKey(), Object.fromEntries(fields.map((field) => [field.name, field.value]))).catch(() => {});
}

async function restoreDraft() {
  const draft = await drafts.find(draftKey()).catch(() => undefined);
  for (const [name, value] of Object.entries(draft ?? {})) {
    const field = task().elements[name];
    if (field && !field.value) field.value = value;
  }
}

function dropDraft() {
  drafts.drop(draftKey()).catch(() => {});
}

// ---- a reload without the network goes on with the screens kept on this device ----

const isFrame = () => stage().dataset.kind === "offline";

function keepScreens() {
  if (isFrame()) return;
  const ahead = { order, fetched: [...fetched], here: [stage().dataset.key, here], made: [...made] };
  screens.keep(words.owner, ahead).catch(() => {});
}

async function restoreScreens() {
  const kept = await screens.find(words.owner).catch(() => undefined);
  if (!kept) return;
  for (const entry of await outbox.pending()) if (entry.action !== "save") leaving.add(entry.key);
  order = kept.order;
  for (const [place, forms] of kept.made ?? []) made.set(place, forms);
  for (const [key, html] of [...kept.fetched, kept.here]) fetched.set(key, html);
  const [key] = kept.here;
  const next = leaving.has(key) ? following() : key;
  if (next) show(next);
}

// Deliver first, then ask: what the server says before it has all answers is out of date.
async function catchUp() {
  const before = answered;
  const hadSome = (await outbox.pending()).length > 0;
  await outbox.deliver();
  if ((await outbox.pending()).length || answered !== before) return;
  await ask(before);
  if (answered !== before) return;  // the rater has gone on meanwhile: no screen may change under their hands
  if ((hadSome || isFrame()) && order[0] !== stage().dataset.key && fetched.has(order[0])) show(order[0]);
}

// ---- time on a screen, only while it can be seen; a lap ends with every event, so that the laps add up ----

function stopwatch() {
  let total = 0;
  let since = document.hidden ? null : performance.now();
  const pause = () => { if (since !== null) total += performance.now() - since; since = null; };
  const run = () => { since ??= document.hidden ? null : performance.now(); };
  document.addEventListener("visibilitychange", () => (document.hidden ? pause() : run()));
  return {
    lap() {
      pause();
      const seconds = total / 1000;
      total = 0;
      run();
      return seconds;
    },
  };
}

// ---- beginning ----

document.addEventListener("submit", (event) => {
  if (!["task", "leave"].includes(event.target.getAttribute("id"))) return;
  event.preventDefault();
  submit(event.submitter).catch((error) => { console.error(error); sendPlainly(event.submitter); });
});
document.addEventListener("change", (event) => { if (event.target.form === task() && isAnswer(event.target)) save(event.target).catch(cannotKeep); });
document.addEventListener("input", (event) => { if (event.target.form === task() && isAnswer(event.target)) keepDraft(); });
document.addEventListener("spans-changed", (event) => save(event.target).catch(cannotKeep));
document.addEventListener("tray-dismiss", ({ detail }) => outbox.dismiss([detail]));
document.addEventListener("tray-back", ({ detail }) => goTo(detail));
await load(words.scripts.split(" ").filter(Boolean));  // before anything is shown as ready
listenToKeys(stage);
document.getElementById("guide-text")?.toggleAttribute("open", window.matchMedia("(min-width: 62rem)").matches);
begin();
if (document.activeElement === document.body) focusOnTask();

window.addEventListener("online", () => { if (isFrame()) catchUp().catch(() => {}); });
await keepOnly(words.owner).catch(() => {});
employWorker(words.worker);

if (isFrame()) await restoreScreens();
await catchUp().catch(() => {});
fetched.delete(stage().dataset.key);
