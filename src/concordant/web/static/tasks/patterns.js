// Patterns: those that are filled are marked, and there may be a limit to them.

const filledIn = (list) => [...list.querySelectorAll("input")].filter((field) => field.value.trim());

export function prepare(list) {
  const mark = () => {
    for (const field of list.querySelectorAll("input")) {
      field.closest(".pattern").classList.toggle("filled", field.value.trim() !== "");
    }
  };
  list.addEventListener("input", mark);
  mark();
}

export function fault(list) {
  const most = Number(list.dataset.fillAtMost) || Infinity;
  return filledIn(list).length > most ? list.dataset.tooMany : "";
}
