// The outbox: an answer is written to this device first and leaves it only with the server's receipt, which names it.
//
// Entries keep their order, are delivered one after the other, and carry the id that was made with the answer, so a
// delivery that is repeated (the reply got lost, two tabs are open) is stored once. Whatever else comes back (a portal's
// page, a proxy's error, half a reply) is no receipt: the entry stays and is sent again.

const RETRY_AFTER = [500, 1000, 2000, 4000, 8000, 15000];
const PATIENCE = 30_000;  // for one reply, in milliseconds: what a proxy has swallowed is sent again

export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));  // plain http in a local network has no randomUUID
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const STORES = {  // every one that is missing is made, whatever version the database has come from
  outbox: { keyPath: "place", autoIncrement: true },
  refused: { keyPath: "place" },
  drafts: {},
  screens: {},
};

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("rater", 3);
    request.onupgradeneeded = () => {
      const { result } = request;
      for (const [name, options] of Object.entries(STORES)) {
        if (!result.objectStoreNames.contains(name)) result.createObjectStore(name, options);
      }
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

// What `ask` does with the stores happens in one transaction; resolves when it is complete, that is, when the data are on disk.
export async function inStores(names, mode, ask) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(names, mode, { durability: "strict" });
      const request = ask(...names.map((name) => transaction.objectStore(name)));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

export const inStore = (name, mode, ask) => inStores([name], mode, ask);

export const drafts = {
  keep: (key, fields) => inStore("drafts", "readwrite", (store) => store.put(fields, key)),
  find: (key) => inStore("drafts", "readonly", (store) => store.get(key)),
  drop: (key) => inStore("drafts", "readwrite", (store) => store.delete(key)),
};

// The server's receipt for an entry, with the rest of its reply; null for anything else that came back: another
// server's page, a proxy's excuse, half a reply.
async function receiptFor(entry, response) {
  const reply = await response.json().catch(() => null);
  const { id, state } = reply?.receipt ?? {};
  return id === entry.id && ["stored", "known", "refused"].includes(state) ? reply : reply && { problem: reply.problem };
}

export class Outbox {
  // `owner` names the study and the rater: on a shared computer nobody delivers another person's answers.
  // `headers` and `renewed` are asked with every try: what a page needs to be believed may have changed since the answer.
  constructor(owner, { onState, onReply, onRefusal, headers, renewed }) {
    this.owner = owner;
    this.tell = { onState, onReply, onRefusal, headers, renewed };
    this.failures = 0;
    this.putting = 0;
    this.count = 0;
    this.running = null;
    this.isWanted = false;
    this.waiting = new Map();  // id -> the entry and who waits for its reply
    this.channel = new BroadcastChannel("outbox");
    this.channel.onmessage = ({ data }) => this.settle(data.id, data.reply);
    window.addEventListener("online", () => this.deliver());
  }

  // Keep the entry on this device; the promise inside the result settles when the server has said what became of it.
  async put(entry) {
    this.putting += 1;
    this.count += 1;
    const delivered = new Promise((resolve) => this.waiting.set(entry.id, { entry, resolve }));
    try {
      await inStore("outbox", "readwrite", (store) => store.add({ ...entry, owner: this.owner }));
    } catch (error) {
      this.waiting.delete(entry.id);
      throw error;
    } finally {
      this.putting -= 1;
    }
    this.deliver();
    return { delivered };
  }

  pending() {
    return this.own("outbox");
  }

  // What the server did not take, with its reasons.
  refused() {
    return this.own("refused");
  }

  async own(name) {
    const all = await inStore(name, "readonly", (store) => store.getAll());
    return all.filter((entry) => entry.owner === this.owner);
  }

  // Let go of refused entries: the rater says so, or has answered again.
  async dismiss(entries) {
    if (!entries.length) return;
    await inStore("refused", "readwrite", (store) => entries.map((entry) => store.delete(entry.place)).at(-1));
    await this.report("saved");
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
    return navigator.locks ? navigator.locks.request("outbox", work) : work();
  }

  async drain() {
    this.isWanted = false;
    for (let [entry] = await this.pending(); entry; [entry] = await this.pending()) {
      await this.report("saving");
      if (!(await this.send(entry))) return;
    }
    this.failures = 0;
    await this.report("saved");
  }

  async send(entry) {
    let response, reply;
    try {
      response = await fetch(entry.url, {
        method: "POST",
        headers: {
          accept: "application/json",
          "content-type": "application/x-www-form-urlencoded",
          "x-event": entry.id,  // so that a receipt can be given where the form itself cannot be read
          ...this.tell.headers(),
        },
        body: this.tell.renewed(entry.body),
        redirect: "error",
        signal: AbortSignal.timeout?.(PATIENCE),
      });
      reply = await receiptFor(entry, response);
    } catch {
      return this.later("offline");
    }
    if (!reply?.receipt) {
      const isSignedOut = [401, 403].includes(response.status) && reply?.problem !== undefined;
      return this.later(isSignedOut ? "signed-out" : "offline");
    }
    await this.take(entry, reply);
    return true;
  }

  // A receipt has come: only now the entry goes, and what was refused goes where the rater sees it.
  async take(entry, reply) {
    const { state, reason = "" } = reply.receipt;
    await inStores(["outbox", "refused"], "readwrite", (outbox, refused) => {
      if (state === "refused") refused.put({ ...entry, reason });
      return outbox.delete(entry.place);
    });
    this.failures = 0;
    if (state !== "refused") await this.dismiss((await this.refused()).filter((one) => isAnsweredBy(one, entry)));
    this.channel.postMessage({ id: entry.id, reply });  // the tab that made it may be another one
    this.settle(entry.id, reply);
  }

  // Tell whoever made the entry in this tab what became of it.
  settle(id, reply) {
    const made = this.waiting.get(id);
    const stored = reply.receipt.state !== "refused";
    if (made) {
      this.waiting.delete(id);
      if (stored) this.tell.onReply(reply, made.entry);
      else this.tell.onRefusal(reply, made.entry);
      made.resolve({ reply, stored });
    }
    if (!this.running) this.report("saved");
  }

  // Say how things are, by what is on this device: nothing is called saved while anything waits or was refused.
  async report(state) {
    const before = this.count;
    const waiting = await this.pending();
    const refused = await this.refused();
    if (before !== this.count) { await this.report(state); return; }  // something was put in while looking
    const isBusy = waiting.length || this.putting || this.isWanted;
    const isDone = state === "saved" && !isBusy;
    const shown = state === "saved" && isBusy ? "saving" : isDone && refused.length ? "refused" : state;
    this.tell.onState(shown, { waiting, refused, failures: this.failures });
  }

  async later(state) {
    this.isWanted = false;
    const delay = RETRY_AFTER[Math.min(this.failures++, RETRY_AFTER.length - 1)];
    this.timer = setTimeout(() => this.deliver(), delay);
    await this.report(state);
    return false;
  }
}

// Whether a stored entry answers again what another one was refused for.
function isAnsweredBy(refused, stored) {
  return refused.key === stored.key && (refused.questions ?? []).every((question) => (stored.questions ?? []).includes(question));
}
