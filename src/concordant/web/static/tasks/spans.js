// Marking spans: choose words with the pointer (drag, or tap first and last), or with the keyboard, then press a category.
//
// The text is split into tokens for pointing; what is stored are character offsets. The offsets of the server count code
// points and those of JavaScript UTF-16 units, so they are converted here.

const points = (text) => [...text].length;

const markers = new WeakMap();

export function prepare(box) {
  const marker = new SpanMarker(box);
  markers.set(box, marker);
  marker.start();
}

export function clear(box) {
  const marker = markers.get(box);
  marker.spans = [];
  marker.draw();
}

class SpanMarker {
  constructor(box) {
    this.box = box;
    this.passage = box.querySelector("[data-text]");
    this.text = this.passage.textContent;
    this.list = box.querySelector("[data-marks]");
    this.spans = [...box.querySelectorAll("[data-span]")].map((field) => spanOf(field.value));
    this.from = this.to = null;
  }

  start() {
    this.box.querySelector("[data-without-script]").remove();
    this.box.querySelectorAll("[data-with-script]").forEach((part) => { part.hidden = false; });
    this.box.querySelectorAll("[data-span]").forEach((field) => field.remove());
    this.list.hidden = false;
    this.split();
    this.listen();
    this.draw();
  }

  // Tokens are runs of word characters or single signs; spaces stay between them as text.
  split() {
    let at = 0;
    const pieces = this.text.match(/\s+|[\p{L}\p{N}\p{M}_'’-]+|[^\s]/gu) ?? [];
    this.passage.replaceChildren(...pieces.map((piece) => {
      const begin = at;
      at += points(piece);
      if (!piece.trim()) return document.createTextNode(piece);
      const token = Object.assign(document.createElement("span"), { className: "token", textContent: piece });
      Object.assign(token.dataset, { begin, end: at });
      return token;
    }));
    this.tokens = [...this.passage.querySelectorAll(".token")];
  }

  listen() {
    this.passage.tabIndex = 0;
    this.passage.setAttribute("role", "application");
    this.passage.setAttribute("aria-label", this.text);
    this.passage.setAttribute("aria-roledescription", this.box.querySelector(".hint").textContent);
    this.passage.addEventListener("pointerdown", (event) => this.pointed(event));
    this.passage.addEventListener("pointermove", (event) => { if (event.buttons) this.dragged(event); });
    this.passage.addEventListener("keydown", (event) => this.key(event));
    this.box.querySelectorAll("[data-category]").forEach((button) => button.addEventListener("click", () => this.mark(button)));
  }

  indexAt(event) {
    return this.tokens.indexOf(document.elementFromPoint(event.clientX, event.clientY)?.closest(".token"));
  }

  pointed(event) {
    const index = this.indexAt(event);
    if (index < 0) return;
    event.preventDefault();
    this.passage.focus();
    const extends_ = event.shiftKey || (this.from !== null && this.from === this.to && index !== this.from);
    this.choose(extends_ ? this.from : index, index);
  }

  dragged(event) {
    const index = this.indexAt(event);
    if (index >= 0 && this.from !== null) this.choose(this.from, index);
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const to = Math.max(0, Math.min(this.tokens.length - 1, this.to === null ? 0 : this.to + step));
    this.choose(event.shiftKey && this.from !== null ? this.from : to, to);
  }

  choose(from, to) {
    [this.from, this.to] = [from, to];
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    this.tokens.forEach((token, index) => {
      token.classList.toggle("chosen", index >= first && index <= last);
      token.classList.toggle("at", index === to);
    });
    this.passage.setAttribute("aria-label", this.tokens.slice(first, last + 1).map((token) => token.textContent).join(" "));
  }

  mark(button) {
    if (this.from === null) return;
    const first = this.tokens[Math.min(this.from, this.to)];
    const last = this.tokens[Math.max(this.from, this.to)];
    const span = { begin: Number(first.dataset.begin), end: Number(last.dataset.end), category: button.dataset.category };
    if (!this.spans.some((other) => value(other) === value(span))) this.spans.push(span);
    this.from = this.to = null;
    this.changed();
  }

  changed() {
    this.spans.sort((a, b) => a.begin - b.begin || a.end - b.end);
    this.draw();
    this.box.dispatchEvent(new CustomEvent("spans-changed", { bubbles: true }));
  }

  draw() {
    for (const token of this.tokens) {
      const span = this.spans.find((s) => s.begin <= Number(token.dataset.begin) && Number(token.dataset.end) <= s.end);
      token.className = span ? `token tone-${this.tone(span)}` : "token";
    }
    this.list.replaceChildren(...this.spans.map((span) => this.entry(span)));
  }

  tone(span) {
    return this.button(span)?.dataset.tone ?? "0";
  }

  button(span) {
    return [...this.box.querySelectorAll("[data-category]")].find((button) => button.dataset.category === span.category);
  }

  entry(span) {
    const quote = [...this.text].slice(span.begin, span.end).join("");
    const label = this.button(span)?.querySelector("span").textContent ?? span.category;
    const item = Object.assign(document.createElement("li"), { className: `tone-${this.tone(span)}`, textContent: `${quote} · ${label}` });
    const remove = Object.assign(document.createElement("button"), { type: "button", textContent: "×" });
    remove.setAttribute("aria-label", `${this.box.dataset.remove}: ${quote}`);
    remove.addEventListener("click", () => { this.spans = this.spans.filter((other) => other !== span); this.changed(); this.passage.focus(); });
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: this.box.dataset.field, value: value(span) });
    item.append(remove, field);
    return item;
  }
}

const value = (span) => `${span.begin}:${span.end}:${span.category}`;

function spanOf(text) {
  const [begin, end, ...category] = text.split(":");
  return { begin: Number(begin), end: Number(end), category: category.join(":") };
}
