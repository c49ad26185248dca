// Parses: the keys Y and N belong to one discriminant of the list at a time; the arrow keys move them up and down.

export function prepare(box) {
  const rows = [...box.querySelectorAll("[data-row]")];
  let at = 0;
  const move = (by) => {
    at = Math.min(rows.length - 1, Math.max(0, at + by));
    rows.forEach((row, place) => giveKeys(row, place === at));
    rows[at].scrollIntoView({ block: "nearest" });
    rows[at].querySelector("button").focus({ preventScroll: true });
  };
  for (const button of box.querySelectorAll("[data-move]")) {
    button.hidden = rows.length < 2;
    button.addEventListener("click", () => move(Number(button.dataset.move)));
  }
}

function giveKeys(row, isCurrent) {
  row.classList.toggle("current", isCurrent);
  [...row.querySelectorAll("button")].forEach((button, place) => {
    if (isCurrent) button.dataset.key = "yn"[place];
    else delete button.dataset.key;
  });
}

export function fault(box, { partly }) {
  return partly ? "" : box.dataset.undecided ?? "";
}

// Decided or not is all there is: a sentence with a single parse is decided without a move.
export function answers(box) {
  return box.dataset.undecided ? 0 : 1;
}
