import { changed } from "../tasks.js";

// The slider is the number field's companion: no value is chosen until one of them is touched.
export function prepare(box) {
  const [range, number] = box.querySelectorAll("input");
  range.hidden = false;
  const mark = () => box.classList.toggle("untouched", number.value === "");
  mark();
  range.addEventListener("input", () => { number.value = range.value; mark(); });
  range.addEventListener("change", () => { number.value = range.value; changed(number); });
  number.addEventListener("input", () => { if (number.value) range.value = number.value; mark(); });
}
