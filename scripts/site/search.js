// The sections in which every word stands, those first that have them in their headings: as the search of the studio.
"use strict";

const MOST = 30, AROUND = 90;
const asked = (new URLSearchParams(location.search).get("q") || "").trim().slice(0, 200);
const words = asked.toLowerCase().split(/\s+/).filter(Boolean);

function rank([title, heading, path, text]) {
  const head = `${title} ${heading || title}`.toLowerCase(), body = text.toLowerCase();
  if (!words.every((word) => head.includes(word) || body.includes(word))) return null;
  const whole = new Set(head.match(/[\p{L}\p{N}_]+/gu));
  return [
    -new Set(words.filter((word) => whole.has(word))).size,
    -words.filter((word) => head.includes(word)).length,
    heading ? 1 : 0,
  ];
}

function excerpt(text) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const at = places.length ? Math.min(...places) : 0;
  const first = Math.max(0, at - AROUND), last = at + AROUND;
  return (first ? "…" : "") + text.slice(first, last).trim() + (last < text.length ? "…" : "");
}

function entry([title, heading, path, text]) {
  const item = document.createElement("li"), link = document.createElement("a"), around = document.createElement("span");
  link.href = path;
  link.textContent = heading ? `${title} · ${heading}` : title;
  around.className = "soft";
  around.textContent = excerpt(text);
  item.append(link, document.createElement("br"), around);
  return item;
}

if (words.length) {
  document.getElementById("asked").value = asked;
  const found = SECTIONS.map((section) => [rank(section), section]).filter(([place]) => place);
  found.sort(([a], [b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]); // sorting keeps the order of pages
  const most = found.slice(0, MOST);
  document.getElementById("told").textContent = most.length
    ? `In the documentation: ${asked}`
    : `No section has all of these words: ${asked}. Fewer words find more.`;
  document.getElementById("found").append(...most.map(([, section]) => entry(section)));
}
