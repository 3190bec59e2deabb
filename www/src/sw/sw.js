/*
 * Serves the app without a network, by version.
 *
 * The build puts in the list of files and its hash. A new version waits until every tab is closed,
 * or until the only open tab says that no room is open in it: nothing changes during a run.
 */
const BUILD = "__BUILD__";
const FILES = ["__FILES__"];

const PREFIX = "undertone-";
const CACHE = PREFIX + BUILD;
const TAKE_OVER = "take-over";

self.addEventListener("install", (event) => event.waitUntil(precache()));
self.addEventListener("activate", (event) => event.waitUntil(dropOldCaches()));
self.addEventListener("message", (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(takeOverIfAlone());
});
self.addEventListener("fetch", (event) => {
  const file = fileOf(event.request);
  if (file) event.respondWith(fromCache(file, event.request));
});

async function precache() {
  const cache = await caches.open(CACHE);
  // Past the HTTP cache: a half-updated set of files would not fit together.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
}

async function dropOldCaches() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function takeOverIfAlone() {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (tabs.length <= 1) await self.skipWaiting();
}

/** The cached file that answers a request; undefined leaves it to the network. */
function fileOf(request) {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return undefined;
  if (request.mode === "navigate") return url.pathname === "/" ? "/" : undefined;
  return FILES.includes(url.pathname) ? url.pathname : undefined;
}

async function fromCache(file, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(file)) ?? fetch(request);
}
