// Once as many labels are ticked as allowed, the others rest.
export function prepare(group) {
  const most = Number(group.dataset.atMost) || Infinity;
  const boxes = [...group.querySelectorAll("input[type=checkbox]")];
  const limit = () => {
    const full = boxes.filter((box) => box.checked).length >= most;
    for (const box of boxes) box.disabled = full && !box.checked;
  };
  group.addEventListener("change", limit);
  limit();
}
