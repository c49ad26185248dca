// Reloading without the network: this worker keeps the frame of one rater's page (no item, no answer), the scripts and the
// pictures. The screens themselves are kept by the page, under its owner's mark.
//
// It serves the raters' pages of one study only (its scope). Whoever signs in replaces the frame of whoever was here
// before; a reply that says "signed out" removes everything, and what is still on its way then is not kept.

const { pathname } = new URL(self.registration.scope);  // …/s/STUDY/judge
const CACHE = `rater ${pathname}`;
const FRAME = pathname.replace(/judge$/, "offline");
const MEDIA = pathname.replace(/judge$/, "media/");
const STATIC = pathname.replace(/s\/[^/]+\/judge$/, "static/");
let visit = {};  // another one with every page the server sends, none when signed out: what was asked for in an earlier one is not kept
const PARTS = ["tokens.css", "pages.css", "judge.js", "keys.js", "mark.svg", "offline.js", "outbox.js", "tasks.js", "tray.js", ...TASKS];  // TASKS: put before this by the server

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
  const isSignedOut = response.status === 401 || response.status === 403;
  visit = isSignedOut ? null : {};
  await forgetFrame();
  if (isSignedOut) await forgetEverything();
  else if (response.ok) event.waitUntil(keepFrame());
  return response;
}

async function part(request) {
  const during = visit;
  const response = await fetch(request).catch(() => null);
  if (response?.status === 200) await keep(request.url, response.clone(), during);
  return response ?? (await kept(request.url)) ?? Response.error();
}

async function keepFrame() {
  const during = visit;
  const response = await fetch(FRAME).catch(() => null);
  if (response?.status === 200) await keep(FRAME, response, during);
}

// The visit is looked at after the cache was opened: one that is deleted between the two lines takes this along.
async function keep(url, response, during) {
  const cache = await caches.open(CACHE);
  if (during && during === visit) await cache.put(url, response);
}

async function forgetFrame() {
  await (await caches.open(CACHE)).delete(FRAME);
}

async function forgetEverything() {
  await caches.delete(CACHE);
  await new Promise((resolve) => {
    const request = indexedDB.open("rater");  // the page's (see outbox.js): where there is none yet, none is made
    request.onupgradeneeded = () => request.transaction.abort();
    request.onerror = resolve;
    request.onsuccess = () => {
      const { result } = request;
      const done = () => { result.close(); resolve(); };
      if (!result.objectStoreNames.contains("screens")) { done(); return; }
      const transaction = result.transaction("screens", "readwrite");
      transaction.objectStore("screens").clear();
      transaction.oncomplete = transaction.onabort = done;
    };
  });
}

async function kept(url) {
  return (await caches.open(CACHE)).match(url);
}
