// What a page needs is kept when it was opened once: afterwards it works without a network. Above stand VERSION and FILES.

// One address may hold several sites, and other pages: each keeps to what it named itself.
const OWN = `gametree ${self.registration.scope} `;
const KEPT = OWN + VERSION;

self.addEventListener("install", (event) => {
  const fresh = FILES.map((name) => new Request(name, { cache: "reload" })); // not what the browser has of an old version
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith(OWN) && name !== KEPT).map((name) => caches.delete(name));
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  const find = () => caches.open(KEPT).then((files) => files.match(event.request, { ignoreSearch: true }));
  const kept = () => find().then((answer) => answer ?? Response.error());
  const load = async () => {
    const answer = await fetch(event.request);
    if (!answer.ok) return answer;
    const copy = answer.clone();
    event.waitUntil(caches.open(KEPT).then((files) => files.put(event.request, copy)));
    return answer;
  };
  // The page itself is asked for first, so that a new one is seen; what lies beside it has its version.
  if (event.request.mode === "navigate") event.respondWith(load().catch(kept));
  else event.respondWith(find().then((answer) => answer ?? load()));
});
