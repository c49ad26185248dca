// The outbox: an answer is written to this device first and leaves it only when the server says it is stored.
//
// Entries keep their order, are delivered one after the other, and carry the id that was made with the answer, so a
// delivery that is repeated (the reply got lost, two tabs are open) is stored once.

const RETRY_AFTER = [500, 1000, 2000, 4000, 8000, 15000];

export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));  // plain http in a local network has no randomUUID
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("assent", 2);
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1) {
        request.result.createObjectStore("outbox", { keyPath: "place", autoIncrement: true });
        request.result.createObjectStore("drafts");
      }
      request.result.createObjectStore("screens");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

// One request in one transaction; resolves when the transaction is complete, that is, when the data are on disk.
export async function inStore(name, mode, ask) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode, { durability: "strict" });
      const request = ask(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

export const drafts = {
  keep: (key, fields) => inStore("drafts", "readwrite", (store) => store.put(fields, key)),
  find: (key) => inStore("drafts", "readonly", (store) => store.get(key)),
  drop: (key) => inStore("drafts", "readwrite", (store) => store.delete(key)),
};

export class Outbox {
  // `owner` names the study and the rater: on a shared computer nobody delivers another person's answers.
  constructor(owner, { onState, onReply, onRefusal, headers }) {
    this.owner = owner;
    this.tell = { onState, onReply, onRefusal, headers };
    this.failures = 0;
    this.putting = 0;
    this.running = null;
    this.isWanted = false;
    this.waiting = new Map();  // id -> the entry and who waits for its reply
    this.channel = new BroadcastChannel("assent-outbox");
    this.channel.onmessage = ({ data }) => this.settle(data.id, data.reply, data.stored);
    window.addEventListener("online", () => this.deliver());
  }

  // Keep the entry on this device; the promise inside the result settles when the server has it.
  async put(entry) {
    this.putting += 1;
    const delivered = new Promise((resolve) => this.waiting.set(entry.id, { entry, resolve }));
    try {
      await inStore("outbox", "readwrite", (store) => store.add({ ...entry, owner: this.owner }));
    } finally {
      this.putting -= 1;
    }
    this.deliver();
    return { delivered };
  }

  async pending() {
    const all = await inStore("outbox", "readonly", (store) => store.getAll());
    return all.filter((entry) => entry.owner === this.owner);
  }

  // Deliver everything that waits. Only one tab delivers at a time where the browser can arrange that.
  deliver() {
    clearTimeout(this.timer);
    this.isWanted = true;
    this.running ??= this.exclusively(() => this.drain()).finally(() => {
      this.running = null;
      if (this.isWanted) this.deliver();  // something came in while the last look had already been taken
    });
    return this.running;
  }

  exclusively(work) {
    return navigator.locks ? navigator.locks.request("assent-outbox", work) : work();
  }

  async drain() {
    this.isWanted = false;
    for (let [entry] = await this.pending(); entry; [entry] = await this.pending()) {
      this.tell.onState("saving", (await this.pending()).length);
      if (!(await this.send(entry))) return;
    }
    this.failures = 0;
    if (!this.putting && !this.isWanted) this.tell.onState("saved", 0);
  }

  async send(entry) {
    let response;
    try {
      response = await fetch(entry.url, {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded", ...this.tell.headers() },
        body: entry.body,
        redirect: "error",
      });
    } catch {
      return this.later("offline");
    }
    if (response.status >= 500 || response.status === 429) return this.later("offline");
    if (response.status === 401 || response.status === 403) return this.later("signed-out");
    const reply = await response.json().catch(() => ({}));
    await inStore("outbox", "readwrite", (store) => store.delete(entry.place));
    this.failures = 0;
    this.channel.postMessage({ id: entry.id, reply, stored: response.ok });  // the tab that made it may be another one
    this.settle(entry.id, reply, response.ok);
    return true;
  }

  // Tell whoever made the entry in this tab what became of it.
  settle(id, reply, stored) {
    const made = this.waiting.get(id);
    if (!made) return;
    this.waiting.delete(id);
    if (stored) this.tell.onReply(reply, made.entry);
    else this.tell.onRefusal(reply, made.entry);
    made.resolve({ reply, stored });
    if (!this.waiting.size && !this.running) this.tell.onState("saved", 0);
  }

  async later(state) {
    this.isWanted = false;
    this.tell.onState(state, (await this.pending()).length);
    const delay = RETRY_AFTER[Math.min(this.failures++, RETRY_AFTER.length - 1)];
    this.timer = setTimeout(() => this.deliver(), delay);
    return false;
  }
}
