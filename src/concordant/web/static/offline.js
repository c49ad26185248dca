// Going on without the network: the screens fetched early are kept on this device, so that a reload finds them again.
//
// They are kept under the mark of their owner, one rater at a time: opening the page as somebody else throws them away.

import { inStore } from "./outbox.js";

export const screens = {
  keep: (owner, ahead) => inStore("screens", "readwrite", (store) => store.put(ahead, owner)),
  find: (owner) => inStore("screens", "readonly", (store) => store.get(owner)),
  drop: () => inStore("screens", "readwrite", (store) => store.clear()),
};

// Throw away what another rater left here.
export async function keepOnly(owner) {
  const owners = await inStore("screens", "readonly", (store) => store.getAllKeys());
  if (owners.some((other) => other !== owner)) await screens.drop();
}

// Let the worker in: only where the browser has one (https, or this very machine).
export function employWorker(path) {
  return navigator.serviceWorker?.register(path, { scope: location.pathname }).catch((error) => console.warn(error));
}
