// Reloading without the network: this worker keeps the frame of one rater's page (no item, no answer), the scripts and the
// pictures. The screens themselves are kept by the page, under its owner's mark.
//
// It serves the raters' pages of one study only (its scope). Whoever signs in replaces the frame of whoever was here
// before; a reply that says "signed out" removes everything.

const { pathname } = new URL(self.registration.scope);  // …/s/STUDY/judge
const CACHE = `assent ${pathname}`;
const FRAME = pathname.replace(/judge$/, "offline");
const MEDIA = pathname.replace(/judge$/, "media/");
const STATIC = pathname.replace(/s\/[^/]+\/judge$/, "static/");
const PARTS = ["assent.css", "judge.js", "keys.js", "mark.svg", "offline.js", "outbox.js", "parses.js", "spans.js", "tasks.js"];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(PARTS.map((name) => STATIC + name))));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), keepFrame()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname: path } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (path.startsWith(STATIC) || path.startsWith(MEDIA)) event.respondWith(part(request));
});

// The page from the server; its frame when the server cannot be reached. A new page may be another rater's: the old frame
// goes first.
async function page(event) {
  const response = await fetch(event.request).catch(() => null);
  if (!response || response.status >= 500) return (await kept(FRAME)) ?? response ?? Response.error();
  await forgetFrame();
  if (response.status === 401 || response.status === 403) await forgetEverything();
  else if (response.ok) event.waitUntil(keepFrame());
  return response;
}

async function part(request) {
  const response = await fetch(request).catch(() => null);
  if (response?.status === 200) await (await caches.open(CACHE)).put(request.url, response.clone());
  return response ?? (await kept(request.url)) ?? Response.error();
}

async function keepFrame() {
  const response = await fetch(FRAME).catch(() => null);
  if (response?.status === 200) await (await caches.open(CACHE)).put(FRAME, response);
}

async function forgetFrame() {
  await (await caches.open(CACHE)).delete(FRAME);
}

async function forgetEverything() {
  await caches.delete(CACHE);
  await new Promise((resolve) => {
    const request = indexedDB.open("assent");  // the page's: see outbox.js
    request.onerror = resolve;
    request.onsuccess = () => {
      const transaction = request.result.transaction("screens", "readwrite");
      transaction.objectStore("screens").clear();
      transaction.oncomplete = transaction.onabort = () => { request.result.close(); resolve(); };
    };
  });
}

async function kept(url) {
  return (await caches.open(CACHE)).match(url);
}
