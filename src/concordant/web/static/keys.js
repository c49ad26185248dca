// Keys for everything: an element with data-key="y 1" is pressed by Y and by 1. They can be switched off (WCAG 2.1.4).

const SHOWN = { ArrowLeft: "←", ArrowRight: "→", Enter: "↵", Backspace: "⌫" };

const isTyping = (element) => element.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=submit])");

function press(element) {
  if (element.matches("input[type=text], textarea")) element.focus();
  else element.click();
}

function keyElements(stage) {
  return [...stage().querySelectorAll("[data-key]")].filter((element) => element.matches("button, input") && !element.disabled);
}

// Enter on a button or a link is that button's own; on a heading or nowhere it means "go on".
function isOwnKey(event) {
  return (event.key === "Enter" || event.key === " ") && event.target.closest("button, a, summary, [role=option]");
}

function listKeys(stage) {
  const rows = keyElements(stage).flatMap((element) => {
    const dt = document.createElement("dt");
    const dd = document.createElement("dd");
    for (const key of element.dataset.key.split(" ")) {
      dt.append(Object.assign(document.createElement("kbd"), { textContent: SHOWN[key] ?? key.toUpperCase() }), " ");
    }
    const label = (element.closest("label") ?? element).querySelector("span");
    dd.textContent = label?.textContent ?? element.firstChild.textContent.trim();
    return [dt, dd];
  });
  document.getElementById("keys-list").replaceChildren(...rows);
}

export function listenToKeys(stage) {
  const dialog = document.getElementById("keys");
  const opener = document.getElementById("keys-open");
  const toggle = document.getElementById("keys-on");
  toggle.checked = localStorage.getItem("single-keys") !== "off";
  const reflect = () => document.body.classList.toggle("no-keys", !toggle.checked);
  reflect();
  toggle.addEventListener("change", () => { localStorage.setItem("single-keys", toggle.checked ? "on" : "off"); reflect(); });
  opener.hidden = false;
  opener.addEventListener("click", () => { listKeys(stage); dialog.showModal(); });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches("textarea")) {
      keyElements(stage).find((element) => element.dataset.key === "Enter")?.click();
      return;
    }
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (event.defaultPrevented || modified || event.repeat || dialog.open || isTyping(event.target) || isOwnKey(event)) return;
    if (!toggle.checked && event.key.length === 1) return;
    if (event.key === "?") { opener.click(); event.preventDefault(); return; }
    const guide = document.getElementById("guide-text");
    if (event.key.toLowerCase() === "g" && guide && !event.shiftKey) { guide.open = !guide.open; event.preventDefault(); return; }
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const target = keyElements(stage).find((element) => element.dataset.key.split(" ").includes(name));
    if (target) { event.preventDefault(); press(target); }
  });
}
