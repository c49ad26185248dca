"use strict";
// Click a header to sort its table: numbers by their full value, texts in the reader's language, blanks last.
const compare = new Intl.Collator(undefined, { numeric: true }).compare;
const keyOf = (row, column) => {
  const cell = row.cells[column];
  return cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
};
const order = (a, b) => {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return compare(a, b);
};
for (const button of document.querySelectorAll("thead button")) {
  button.addEventListener("click", () => {
    const header = button.closest("th");
    const descending = header.getAttribute("aria-sort") === "ascending";
    for (const other of header.parentElement.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const body = header.closest("table").tBodies[0];
    const rows = [...body.rows].sort((a, b) => order(keyOf(a, header.cellIndex), keyOf(b, header.cellIndex)));
    body.append(...(descending ? rows.reverse() : rows));
  });
}
// What is folded away on the screen is printed, and folded again afterwards; commands are for the screen.
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details:not([open], [data-unprinted])")];
  for (const folded of unfolded) folded.open = true;
});
addEventListener("afterprint", () => {
  for (const one of unfolded) one.open = false;
});
// A place that somebody is sent to is unfolded.
const unfold = () => {
  const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let one = place && (place.querySelector("details.folded") ?? place); one; one = one.parentElement) {
    if (one.tagName === "DETAILS") one.open = true;
  }
};
addEventListener("hashchange", unfold);
unfold();
