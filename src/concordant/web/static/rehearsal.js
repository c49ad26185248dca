// A rater's page that somebody tries while building a study: every form is posted plainly, and nothing is kept.

import { listenToKeys } from "./keys.js";
import { load, prepare, unfinished } from "./tasks.js";

const task = document.getElementById("task");
const bench = document.getElementById("bench");
await load(bench.dataset.scripts.split(" ").filter(Boolean));
listenToKeys(() => document.getElementById("content"));
prepare(task);
document.getElementById("guide-text")?.toggleAttribute("open", window.matchMedia("(min-width: 62rem)").matches);
task.addEventListener("submit", (event) => {
  const fault = event.submitter?.value === "next" ? unfinished(task) : null;
  if (!fault) return;
  event.preventDefault();
  task.querySelector("[data-complaint]")?.remove();
  const note = Object.assign(document.createElement("p"), { className: "note warn", textContent: fault.said });
  note.setAttribute("role", "alert");
  note.dataset.complaint = "";
  (fault.question?.firstElementChild ?? task.querySelector(".steps") ?? task).before(note);
});
