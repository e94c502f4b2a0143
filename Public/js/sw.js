// Roost's service worker: the newest unread articles and gists can be read without a network, and what is saved
// meanwhile is sent later. It keeps nothing of other features, and forgets everything when somebody signs in or out.

const FORM = "reading-1-"; // caches of another form are deleted; what follows names the user and the session
const INDEX = "/reading/offline";
const WAIT = 3_000; // milliseconds that a page may take where a kept one is there
const MOST = 300; // pages
const SOON = 300_000; // milliseconds after which a page is looked at again of which pictures are still to come
const ROOM = 500_000_000; // bytes, of which pictures take no more
const OUT = [502, 503, 504]; // a proxy answers that Roost does not
const LATER = [401, 403, 429, ...OUT]; // nobody is signed in, a form is too old, too much came at once
const DOOR = /^\/(login|logout|join|reset|setup)(\/|$)/;
const PAGE = /^\/(reading|gists)(\/\d+)?$/;
const FILE = /^\/(static|pictures)\/(?!.*\.\.)[\w.~%/-]+$/;
const LOOSE = { ignoreSearch: true, ignoreVary: true };
/** So that Roost neither counts it as read nor shows secret links in it. */
const KEEPING = { headers: { "X-Roost-Offline": "1", Accept: "text/html" }, cache: "no-store" };
const POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

let forgotten = 0;
let keeping = null;
let sending = null;

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const plain = (text) => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code))
    .replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: "<", gt: ">", quot: '"', amp: "&" })[name]);

// Who it is kept for: one person in one session.

/** The name of the one cache; undefined while nobody has asked for one. */
const owner = async () => (await caches.keys()).find((name) => name.startsWith(FORM));

/** Deletes what is kept and what waits to be sent, except this one's. */
async function forget(except) {
    if (!except) forgotten += 1;
    for (const name of await caches.keys()) if (name !== except) await caches.delete(name);
    for (const item of await saves.all()) if (item.owner !== except) await saves.remove(item.id);
    if (!except) await tell();
}

// Keeping.

/** One at a time; who asks meanwhile gets the same. */
const keep = () => (keeping ??= fetchAll().catch(() => {}).finally(() => (keeping = null)));

async function fetchAll() {
    const begun = forgotten;
    const response = await fetch(INDEX, { cache: "no-store" });
    if (response.status === 401 || response.redirected) return forget();
    if (!response.ok) return;
    const { owner: whose, version, articles, gists, assets } = await response.json();
    if (begun !== forgotten) return;
    const name = FORM + whose;
    await forget(name);
    // Where it is deleted meanwhile, what is put into it is lost, as it should be.
    const cache = await caches.open(name);
    const lists = [{ path: "/reading", address: "/reading?pages=2" }, { path: "/gists" }];
    const pages = [...lists, ...articles, ...gists].filter(({ path }) => PAGE.test(path));
    const wanted = new Set([INDEX, ...assets.filter((path) => FILE.test(path))]);
    const keepFiles = async () => { for (const path of wanted) if (begun === forgotten && FILE.test(path)) await keepFile(cache, path); };
    // First the scripts and styles of all pages, last the pictures: what is kept by then can be read.
    await keepFiles();
    for (const { path, stamp, address } of pages.slice(0, MOST)) {
        if (begun !== forgotten) return;
        const needs = await keepPage(cache, path, stamp && `${version} ${stamp}`, address);
        for (const each of needs ? [path, ...needs] : []) wanted.add(each);
    }
    await keepFiles();
    for (const { url } of await cache.keys()) {
        const { pathname } = new URL(url);
        if (!wanted.has(pathname)) await cache.delete(url, LOOSE);
    }
    const kept = articles.filter(({ path }) => wanted.has(path)).length;
    await cache.put(INDEX, Response.json({ at: new Date().toISOString(), articles: kept }));
    await tell();
}

/** The files that a page needs; null where there is no such page. `stamp` is another one when the page has changed. */
async function keepPage(cache, path, stamp, address = path) {
    const old = await cache.match(path, LOOSE);
    const soon = `${stamp} ${Math.floor(Date.now() / SOON)}`;
    if (stamp && [stamp, soon].includes(old?.headers.get("X-Kept-Stamp"))) return JSON.parse(old.headers.get("X-Kept-Needs"));
    const response = await fetch(address, KEEPING);
    if (response.status === 401) await forget();
    if (response.status >= 500) throw new Error("later");
    if (!response.ok || response.redirected) return null;
    const text = await response.text();
    const places = [...text.matchAll(/ (?:href="(?!\/pictures\/)|src=")(\/[^"?#]+)/g)].map(([, place]) => plain(place));
    const needs = [...new Set(places.filter((place) => FILE.test(place)))];
    const headers = new Headers(response.headers);
    for (const name of ["Content-Encoding", "Content-Length", "Vary"]) headers.delete(name);
    headers.set("X-Kept-At", new Date().toISOString());
    headers.set("X-Kept-Stamp", (/<img (?![^>]*\bsrc=)/.test(text) ? soon : stamp) ?? "");
    headers.set("X-Kept-Needs", JSON.stringify(needs));
    await cache.put(path, new Response(text, { headers }));
    return needs;
}

async function keepFile(cache, path) {
    if (await cache.match(path, LOOSE)) return;
    const { usage = 0, quota = Infinity } = (await navigator.storage?.estimate?.()) ?? {};
    if (path.startsWith("/pictures/") && usage > Math.min(ROOM, quota / 2)) return;
    const response = await fetch(path);
    if (response.ok && !response.redirected) await cache.put(path, response);
}

/** Any site may lead somebody who is signed in to the page for signing in. */
const forgetUnlessSignedIn = async () =>
    (await fetch(INDEX, { cache: "no-store" }).catch(() => null))?.status === 401 && forget();

// Answering.

async function kept(path) {
    const name = await owner();
    return name && (await caches.open(name)).match(path, LOOSE);
}

/** From Roost; where that does not answer, or not soon, as it was kept. */
async function answer(request, path, without) {
    const fresh = fetch(request);
    const first = await Promise.race([fresh.catch(() => null), new Promise((resolve) => setTimeout(resolve, WAIT))]);
    if (first?.status === 401) await forget();
    if (first && !OUT.includes(first.status)) return first;
    const page = PAGE.test(path) && (await kept(path));
    if (page) return withAge(page);
    return fresh.then((late) => (OUT.includes(late.status) ? without(late) : late), () => without());
}

/** The page says since when it was kept, and no longer what time it is at Roost. */
async function withAge(page) {
    const at = page.headers.get("X-Kept-At");
    const text = await page.text();
    const body = text.replace(/<body ([^>]*?)data-server-time="[^"]*"/, (_, before) => `<body ${before}data-kept="${at}"`);
    return new Response(body, { headers: page.headers });
}

/** A file of Roost's: of an older Roost, too, where a kept page needs it. */
async function file(request) {
    const response = await fetch(request).catch(() => null);
    return response?.ok ? response : ((await kept(new URL(request.url).pathname)) ?? response ?? Response.error());
}

/** A page of the worker's own. */
async function page(title, ...content) {
    const name = await owner();
    const keys = name ? await (await caches.open(name)).keys() : [];
    const style = keys.map(({ url }) => new URL(url).pathname).find((path) => path.endsWith("/css/roost.css"));
    const lines = [
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        `<title>${title} · Roost</title>`,
        style ? `<link rel="stylesheet" href="${style}">` : "",
        `<body class="bare"><main><section class="error-page"><h1>${title}</h1>`,
        ...content,
        '<p><a href="/reading">What is kept on this device</a></p></section></main>',
    ];
    return new Response(lines.join("\n"), {
        status: 503, headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY },
    });
}

const absent = (late) => late ?? page("Not on this device", "<p>Roost does not answer, and this page is not kept here.</p>");

/** What the phone's share menu or the bookmarklet would have opened. */
async function saveForm({ searchParams }, late) {
    if (!(await owner())) return late ?? Response.error();
    const [text, url, title] = ["text", "url", "title"].map((name) => searchParams.get(name) ?? "");
    const found = url || (text.match(/https?:\/\/\S+/)?.[0] ?? "");
    return page(
        "Save for later",
        "<p>Roost does not answer. What you save now is sent when it does.</p>",
        '<form method="post" action="/reading/save">',
        `<p><label for="url">Address</label><input id="url" name="url" type="url" required value="${escaped(found)}"></p>`,
        `<p><label for="title">Title</label><input id="title" name="title" value="${escaped(title)}"></p>`,
        '<button class="button">Save</button></form>',
    );
}

// Saving without a network.

/** The queue: one row for each save, as the form had it. */
const saves = {
    async run(mode, act) {
        const opening = indexedDB.open("reading", 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore("saves", { keyPath: "id", autoIncrement: true });
        const database = await new Promise((resolve, reject) => {
            opening.onsuccess = () => resolve(opening.result);
            opening.onerror = () => reject(opening.error);
        });
        const change = database.transaction("saves", mode);
        const request = act(change.objectStore("saves"));
        return new Promise((resolve, reject) => {
            change.oncomplete = () => resolve(request.result);
            change.onabort = () => reject(change.error);
        }).finally(() => database.close());
    },
    all: () => saves.run("readonly", (rows) => rows.getAll()),
    put: (row) => saves.run("readwrite", (rows) => rows.put(row)),
    remove: (id) => saves.run("readwrite", (rows) => rows.delete(id)),
};

/** What another site's form sends goes its way without the worker, which would send it as if Roost's own page had. */
const isOwn = ({ mode, referrer }) => mode !== "navigate" || referrer.startsWith(`${location.origin}/`);

async function save(request) {
    const copy = request.clone();
    const response = await fetch(request).catch(() => null);
    if (response && !OUT.includes(response.status)) return response;
    const name = await owner();
    if (!name) return response ?? Response.error();
    const fields = [...(await copy.formData())].filter(([, value]) => typeof value === "string" && value);
    await saves.put({ owner: name, at: Date.now(), fields });
    self.registration.sync?.register("saves").catch(() => {});
    await tell();
    if (!request.headers.has("X-Roost-Parts")) return Response.redirect("/reading", 303);
    const words = "Roost does not answer. This is kept on this device and sent when it does.";
    const headers = { "Content-Type": "text/html; charset=utf-8", "X-Roost-Parts": "1" };
    return new Response(`<div id="notice" role="status"><div class="notice"><p>${words}</p></div></div>`, { headers });
}

/** Sends what waits, the oldest first; `token` is that of a page that is open. True if nothing is left to be sent. */
const send = (token) => (sending ??= deliver(token).finally(() => (sending = null)));

async function deliver(token) {
    const waiting = (await saves.all()).filter(({ why }) => !why);
    if (!waiting.length) return true;
    const response = await fetch(INDEX, { cache: "no-store" }).catch(() => null);
    if (!response?.ok || response.redirected) return false;
    // Another person's or another session's are not sent in this one's name.
    await forget(FORM + (await response.json()).owner);
    const name = await owner();
    for (const item of waiting) {
        if (item.owner !== name) continue;
        const body = new URLSearchParams(item.fields);
        const headers = { Accept: "text/html", "X-Roost-Parts": "1", ...(token && { "X-Roost-Token": token }) };
        const response = await fetch("/reading/save", { method: "POST", body, headers }).catch(() => null);
        const isLater = !response || LATER.includes(response.status) || DOOR.test(new URL(response.url).pathname);
        if (isLater) return tell().then(() => false);
        if (response.ok) await saves.remove(item.id);
        else await saves.put({ ...item, why: await reason(response) });
    }
    await tell();
    return true;
}

async function reason(response) {
    const [, words] = (await response.text()).match(/class="field-error"[^>]*>([^<]+)/) ?? [];
    return words ? plain(words).trim() : "Roost refused it.";
}

// Pages.

/** How much is kept, and what waits, for the pages to show. */
async function tell() {
    const name = await owner();
    const index = await kept(INDEX);
    const items = (await saves.all()).filter((item) => item.owner === name);
    const shown = items.map(({ id, at, fields, why }) => {
        const { url = "", title = "" } = Object.fromEntries(fields);
        return { id, at, url, title, why };
    });
    const state = { type: "reading-offline", ...(index && (await index.json())), saves: shown };
    for (const client of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) client.postMessage(state);
}

async function hear({ type, owner: whose, token, id }) {
    // A page of somebody else's.
    if (whose && (await owner()) && (await owner()) !== FORM + whose) await forget();
    if (type === "forget") return forget();
    if (type === "discard") await saves.remove(id);
    const again = type === "retry" ? (await saves.all()).find((item) => item.id === id) : null;
    if (again) await saves.put({ ...again, why: null });
    await tell();
    if (type === "keep" || type === "retry") await send(token);
    if (type === "keep") await keep();
}

addEventListener("message", (event) => event.waitUntil(hear(event.data ?? {})));
addEventListener("sync", (event) => event.waitUntil(send().then((isDone) => isDone || Promise.reject(new Error("later")))));

// It takes over at once: it serves no files that an open page of an older Roost could miss.
addEventListener("install", () => self.skipWaiting());

addEventListener("activate", (event) => event.waitUntil((async () => {
    for (const name of await caches.keys()) if (!name.startsWith(FORM)) await caches.delete(name);
    await self.clients.claim();
})()));

addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    const isPage = request.mode === "navigate" && request.destination === "document";
    if (url.origin !== location.origin) return;
    if (isPage && DOOR.test(url.pathname)) event.waitUntil(request.method === "POST" && isOwn(request) ? forget() : forgetUnlessSignedIn());
    else if (request.method === "POST" && url.pathname === "/reading/save" && isOwn(request)) event.respondWith(save(request));
    else if (request.method !== "GET") return;
    else if (isPage && PAGE.test(url.pathname)) event.respondWith(answer(request, url.pathname, absent));
    else if (isPage && /^\/reading\/(save|share)$/.test(url.pathname)) event.respondWith(answer(request, url.pathname, (late) => saveForm(url, late)));
    else if (!isPage && FILE.test(url.pathname)) event.respondWith(file(request));
});
