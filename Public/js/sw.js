// Roost's service worker: makes the newest unread articles and gists readable offline, and sends offline saves later.
// It caches nothing of other features, and deletes everything when a user signs in or out.

const CACHE_PREFIX = "reading-1-"; // cache version, followed by user and session; others are deleted
const INDEX = "/reading/offline";
const WAIT = 3_000; // milliseconds to wait before showing a cached page
const LIMIT = 300; // pages
const RECHECK = 300_000; // milliseconds after which a page with missing pictures is checked again
const PICTURE_QUOTA = 500_000_000; // bytes for pictures
const GATEWAY_ERRORS = [502, 503, 504]; // a proxy reports that Roost does not respond
const RETRY_STATUSES = [401, 403, 429, ...GATEWAY_ERRORS]; // signed out, an expired form, or too many requests
const AUTH_PATH = /^\/(login|logout|join|reset|setup)(\/|$)/;
const PAGE = /^\/(reading|gists)(\/\d+)?$/;
const FILE = /^\/(static|pictures)\/(?!.*\.\.)[\w.~%/-]+$/;
const MATCH_OPTIONS = { ignoreSearch: true, ignoreVary: true };
/** Tells Roost not to count it as read and not to include secret links. */
const FETCH_OPTIONS = { headers: { "X-Roost-Offline": "1", Accept: "text/html" }, cache: "no-store" };
const POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

let generation = 0;
let updating = null;
let isOutdated = false;
let sending = null;

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const unescaped = (text) => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code))
    .replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: "<", gt: ">", quot: '"', amp: "&" })[name]);

// Ownership: the cache belongs to one user in one session.

/** The name of the only cache, or undefined before the first one. */
const owner = async () => (await caches.keys()).find((name) => name.startsWith(CACHE_PREFIX));

/** Deletes all caches and waiting saves except this owner's. */
async function forget(except) {
    if (!except) generation += 1;
    for (const name of await caches.keys()) if (name !== except) await caches.delete(name);
    for (const item of await saves.all()) if (item.owner !== except) await saves.remove(item.id);
    if (!except) await report();
}

/** Runs one at a time, and once more for calls in the meantime: another user may have signed in. */
function updateCache() {
    isOutdated = Boolean(updating);
    return (updating ??= fetchPages().catch(() => {}).then(() => {
        updating = null;
        return isOutdated && updateCache();
    }));
}

async function fetchPages() {
    const startGeneration = generation;
    const response = await fetch(INDEX, { cache: "no-store" });
    if (response.status === 401 || response.redirected) return forget();
    if (!response.ok) return;
    const { owner: ownerId, version, articles, gists, assets } = await response.json();
    if (startGeneration !== generation) return;
    const name = CACHE_PREFIX + ownerId;
    await forget(name);
    // If the cache is deleted in the meantime, later writes to it are lost, as intended.
    const cache = await caches.open(name);
    const lists = [{ path: "/reading", address: "/reading?pages=2" }, { path: "/gists" }];
    const pages = [...lists, ...articles, ...gists].filter(({ path }) => PAGE.test(path));
    const needed = new Set([INDEX, ...assets.filter((path) => FILE.test(path))]);
    const cacheFiles = async () => { for (const path of needed) if (startGeneration === generation && FILE.test(path)) await cacheFile(cache, path); };
    // Scripts and styles first, pictures last, so that pages cached by then are readable.
    await cacheFiles();
    for (const { path, stamp, address } of pages.slice(0, LIMIT)) {
        if (startGeneration !== generation) return;
        const needs = await cachePage(cache, path, stamp && `${version} ${stamp}`, address);
        for (const each of needs ? [path, ...needs] : []) needed.add(each);
    }
    await cacheFiles();
    for (const { url } of await cache.keys()) {
        const { pathname } = new URL(url);
        if (!needed.has(pathname)) await cache.delete(url, MATCH_OPTIONS);
    }
    const articleCount = articles.filter(({ path }) => needed.has(path)).length;
    await cache.put(INDEX, Response.json({ at: new Date().toISOString(), articles: articleCount }));
    await report();
}

/** Returns the files that a page needs, or null without such a page. `stamp` changes with the page. */
async function cachePage(cache, path, stamp, address = path) {
    const old = await cache.match(path, MATCH_OPTIONS);
    const recheckStamp = `${stamp} ${Math.floor(Date.now() / RECHECK)}`;
    if (stamp && [stamp, recheckStamp].includes(old?.headers.get("X-Kept-Stamp"))) return JSON.parse(old.headers.get("X-Kept-Needs"));
    const response = await fetch(address, FETCH_OPTIONS);
    if (response.status === 401) await forget();
    if (response.status >= 500) throw new Error("later");
    if (!response.ok || response.redirected) return null;
    const text = await response.text();
    const links = [...text.matchAll(/ (?:href="(?!\/pictures\/)|src=")(\/[^"?#]+)/g)].map(([, link]) => unescaped(link));
    const needs = [...new Set(links.filter((link) => FILE.test(link)))];
    const headers = new Headers(response.headers);
    for (const name of ["Content-Encoding", "Content-Length", "Vary"]) headers.delete(name);
    headers.set("X-Kept-At", new Date().toISOString());
    headers.set("X-Kept-Stamp", (/<img (?![^>]*\bsrc=)/.test(text) ? recheckStamp : stamp) ?? "");
    headers.set("X-Kept-Needs", JSON.stringify(needs));
    await cache.put(path, new Response(text, { headers }));
    return needs;
}

async function cacheFile(cache, path) {
    if (await cache.match(path, MATCH_OPTIONS)) return;
    const { usage = 0, quota = Infinity } = (await navigator.storage?.estimate?.()) ?? {};
    if (path.startsWith("/pictures/") && usage > Math.min(PICTURE_QUOTA, quota / 2)) return;
    const response = await fetch(path);
    if (response.ok && !response.redirected) await cache.put(path, response);
}

/** Any site can lead a signed-in user to the sign-in page. */
const forgetUnlessSignedIn = async () =>
    (await fetch(INDEX, { cache: "no-store" }).catch(() => null))?.status === 401 && forget();

async function cached(path) {
    const name = await owner();
    return name && (await caches.open(name)).match(path, MATCH_OPTIONS);
}

/** Returns Roost's response, or the cached page if Roost fails or is slow. */
async function respond(request, path, fallback) {
    const network = fetch(request);
    const first = await Promise.race([network.catch(() => null), new Promise((resolve) => setTimeout(resolve, WAIT))]);
    if (first?.status === 401) await forget();
    if (first && !GATEWAY_ERRORS.includes(first.status)) return first;
    const page = PAGE.test(path) && (await cached(path));
    if (page) return withAge(page);
    return network.then((response) => (GATEWAY_ERRORS.includes(response.status) ? fallback(response) : response), () => fallback());
}

/** Marks the page with the time it was cached, and removes the server's time. */
async function withAge(page) {
    const at = page.headers.get("X-Kept-At");
    const text = await page.text();
    const body = text.replace(/<body ([^>]*?)data-server-time="[^"]*"/, (_, before) => `<body ${before}data-kept="${at}"`);
    return new Response(body, { headers: page.headers });
}

/** Returns a file of Roost. Cached pages may need files of older versions. */
async function file(request) {
    const response = await fetch(request).catch(() => null);
    return response?.ok ? response : ((await cached(new URL(request.url).pathname)) ?? response ?? Response.error());
}

/** Builds one of the worker's own pages. */
async function page(title, ...content) {
    const name = await owner();
    const keys = name ? await (await caches.open(name)).keys() : [];
    const styles = keys.map(({ url }) => new URL(url).pathname).filter((path) => /\/css\/(tokens|roost)\.css$/.test(path));
    const lines = [
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        `<title>${title} · Roost</title>`,
        ...styles.map((style) => `<link rel="stylesheet" href="${style}">`),
        `<body class="bare"><main><section class="error-page"><h1>${title}</h1>`,
        ...content,
        '<p><a href="/reading">Pages on this device</a></p></section></main>',
    ];
    return new Response(lines.join("\n"), {
        status: 503, headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY },
    });
}

const offlinePage = (response) => response ?? page("Not on this device", "<p>Roost does not answer, and this page isn’t stored on this device.</p>");

/** Replaces the page that the phone's share menu or the bookmarklet opens. */
async function saveForm({ searchParams }, response) {
    if (!(await owner())) return response ?? Response.error();
    const [text, url, title] = ["text", "url", "title"].map((name) => searchParams.get(name) ?? "");
    const found = url || (text.match(/https?:\/\/\S+/)?.[0] ?? "");
    return page(
        "Save for later",
        "<p>Roost does not answer. What you save now will be sent when it does.</p>",
        '<form method="post" action="/reading/save">',
        `<p><label for="url">Address</label><input id="url" name="url" type="url" required value="${escaped(found)}"></p>`,
        `<p><label for="title">Title</label><input id="title" name="title" value="${escaped(title)}"></p>`,
        '<button class="button">Save</button></form>',
    );
}

/** The queue, with one record of form fields per save. */
const saves = {
    async run(mode, act) {
        const openRequest = indexedDB.open("reading", 1);
        openRequest.onupgradeneeded = () => openRequest.result.createObjectStore("saves", { keyPath: "id", autoIncrement: true });
        const database = await new Promise((resolve, reject) => {
            openRequest.onsuccess = () => resolve(openRequest.result);
            openRequest.onerror = () => reject(openRequest.error);
        });
        const transaction = database.transaction("saves", mode);
        const request = act(transaction.objectStore("saves"));
        return new Promise((resolve, reject) => {
            transaction.oncomplete = () => resolve(request.result);
            transaction.onabort = () => reject(transaction.error);
        }).finally(() => database.close());
    },
    all: () => saves.run("readonly", (store) => store.getAll()),
    put: (row) => saves.run("readwrite", (store) => store.put(row)),
    remove: (id) => saves.run("readwrite", (store) => store.delete(id)),
};

/** Other sites' forms bypass the worker, which would send them as if they came from Roost's own page. */
const isOwn = ({ mode, referrer }) => mode !== "navigate" || referrer.startsWith(`${location.origin}/`);

async function save(request) {
    const copy = request.clone();
    const response = await fetch(request).catch(() => null);
    if (response && !GATEWAY_ERRORS.includes(response.status)) return response;
    const name = await owner();
    if (!name) return response ?? Response.error();
    const fields = [...(await copy.formData())].filter(([, value]) => typeof value === "string" && value);
    await saves.put({ owner: name, at: Date.now(), fields });
    self.registration.sync?.register("saves").catch(() => {});
    await report();
    if (!request.headers.has("X-Roost-Parts")) return Response.redirect("/reading", 303);
    const text = "Roost does not answer. This is saved on this device and will be sent when it does.";
    const headers = { "Content-Type": "text/html; charset=utf-8", "X-Roost-Parts": "1" };
    return new Response(`<div id="notice" role="status"><div class="notice"><p>${text}</p></div></div>`, { headers });
}

/** Sends waiting saves, oldest first. `token` is an open page's. Returns true if none is left. */
const send = (token) => (sending ??= deliver(token).finally(() => (sending = null)));

async function deliver(token) {
    const pending = (await saves.all()).filter(({ why }) => !why);
    if (!pending.length) return true;
    const response = await fetch(INDEX, { cache: "no-store" }).catch(() => null);
    if (!response?.ok || response.redirected) return false;
    // Saves of another user or session are not sent with this one.
    await forget(CACHE_PREFIX + (await response.json()).owner);
    const name = await owner();
    for (const item of pending) {
        if (item.owner !== name) continue;
        const body = new URLSearchParams(item.fields);
        const headers = { Accept: "text/html", "X-Roost-Parts": "1", ...(token && { "X-Roost-Token": token }) };
        const response = await fetch("/reading/save", { method: "POST", body, headers }).catch(() => null);
        const mustRetry = !response || RETRY_STATUSES.includes(response.status) || AUTH_PATH.test(new URL(response.url).pathname);
        if (mustRetry) return report().then(() => false);
        if (response.ok) await saves.remove(item.id);
        else await saves.put({ ...item, why: await reason(response) });
    }
    await report();
    return true;
}

async function reason(response) {
    const [, text] = (await response.text()).match(/class="field-error"[^>]*>([^<]+)/) ?? [];
    return text ? unescaped(text).trim() : "Roost refused it.";
}

/** Reports to the pages how much is cached and which saves wait. */
async function report() {
    const name = await owner();
    const index = await cached(INDEX);
    const items = (await saves.all()).filter((item) => item.owner === name);
    const shown = items.map(({ id, at, fields, why }) => {
        const { url = "", title = "" } = Object.fromEntries(fields);
        return { id, at, url, title, why };
    });
    const state = { type: "reading-offline", ...(index && (await index.json())), saves: shown };
    for (const client of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) client.postMessage(state);
}

async function receive({ type, owner: ownerId, token, id }) {
    // The page belongs to another user.
    if (ownerId && (await owner()) && (await owner()) !== CACHE_PREFIX + ownerId) await forget();
    if (type === "forget") return forget();
    if (type === "discard") await saves.remove(id);
    const retried = type === "retry" ? (await saves.all()).find((item) => item.id === id) : null;
    if (retried) await saves.put({ ...retried, why: null });
    await report();
    if (type === "keep" || type === "retry") await send(token);
    if (type === "keep") await updateCache();
}

addEventListener("message", (event) => event.waitUntil(receive(event.data ?? {})));
addEventListener("sync", (event) => event.waitUntil(send().then((isDone) => isDone || Promise.reject(new Error("later")))));

// Activates immediately: it serves no files that a page of an older version could miss.
addEventListener("install", () => self.skipWaiting());

addEventListener("activate", (event) => event.waitUntil((async () => {
    for (const name of await caches.keys()) if (!name.startsWith(CACHE_PREFIX)) await caches.delete(name);
    await self.clients.claim();
})()));

addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    const isPage = request.mode === "navigate" && request.destination === "document";
    if (url.origin !== location.origin) return;
    if (isPage && AUTH_PATH.test(url.pathname)) event.waitUntil(request.method === "POST" && isOwn(request) ? forget() : forgetUnlessSignedIn());
    else if (request.method === "POST" && url.pathname === "/reading/save" && isOwn(request)) event.respondWith(save(request));
    else if (request.method !== "GET") return;
    else if (isPage && PAGE.test(url.pathname)) event.respondWith(respond(request, url.pathname, offlinePage));
    else if (isPage && /^\/reading\/(save|share)$/.test(url.pathname)) event.respondWith(respond(request, url.pathname, (response) => saveForm(url, response)));
    else if (!isPage && FILE.test(url.pathname)) event.respondWith(file(request));
});
