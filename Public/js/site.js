import { RelativeTimes } from "./relative-time.js";
import { Banner, isSignedOut } from "./banner.js";
import { clock } from "./clock.js";
import { Forms, own } from "./forms.js";
import { LiveUpdates } from "./live-updates.js";
import { delay } from "./long-poll.js";
import { morph, parse } from "./morph.js";

/** A part of a page that is refetched when one of its topics changes. */
class LiveRegion {
    #element;
    /** Of the version that the region shows; "" during the first fetch, null after a change by other code. */
    #etag;
    #busy;
    #queued;
    #failures = 0;
    #timer;

    constructor(element) {
        this.#element = element;
        this.topics = element.dataset.topics.split(" ");
    }

    start() {
        this.#element.addEventListener("roost:refresh", this.refresh);
        document.addEventListener("roost:morphed", this.#forget);
    }

    stop() {
        this.#element.removeEventListener("roost:refresh", this.refresh);
        document.removeEventListener("roost:morphed", this.#forget);
        clearTimeout(this.#timer);
    }

    /** Fetches once more after all calls during a fetch, and not during dragging. */
    refresh = async () => {
        if (this.#busy || this.#element.querySelector(".dragged")) {
            this.#queued = true;
            return;
        }
        this.#busy = true;
        this.#queued = false;
        clearTimeout(this.#timer);
        try {
            await this.#fetch();
            this.#failures = 0;
        } catch {
            this.#failures += 1;
            this.#timer = setTimeout(this.refresh, delay(this.#failures));
        }
        this.#busy = false;
        if (this.#queued) this.refresh();
    };

    async #fetch() {
        const address = own(this.#element.dataset.live);
        if (!address) return;
        const headers = this.#etag ? { "If-None-Match": this.#etag } : {};
        this.#etag ??= "";
        const response = await fetch(address, { headers, cache: "no-store" });
        clock.sync(response);
        if (response.status === 304 || isSignedOut(response)) return;
        if (!response.ok || response.redirected) throw new Error(`status ${response.status}`);
        const fragment = parse(await response.text());
        // The region or its URL changed during the request: the response may be older.
        if (this.#etag === null || this.#element.querySelector(".dragged") || address !== own(this.#element.dataset.live)) {
            this.#queued = true;
            return;
        }
        // A refused form keeps its error until its next answer: the server's region does not have it.
        for (const form of this.#element.querySelectorAll("form[id]:has([aria-invalid=true])")) {
            fragment.getElementById(form.getAttribute("id"))?.replaceWith(form.cloneNode(true));
        }
        morph(this.#element, fragment.body);
        countInTitle();
        this.#etag = response.headers.get("ETag");
    }

    /** A change by other code makes the ETag and a response on its way invalid. */
    #forget = ({ detail }) => {
        if (detail.contains(this.#element)) this.#etag = null;
    };
}

/**
 * Shows the number of waiting items at the start of the title, also after a script has replaced it. The icon shows
 * unread messages.
 */
function countInTitle() {
    let sum = 0;
    for (const count of document.querySelectorAll(".places .in-title")) sum += +count.textContent;
    document.title = (sum ? `(${sum}) ` : "") + document.title.replace(/^\(\d+\) /, "");
    const icon = document.querySelector("[rel=icon]");
    icon.href = icon.href.replace(/(-unread)?\.svg$/, +document.querySelector(".unread-total")?.textContent ? "-unread.svg" : ".svg");
}

let keys;

/** Ctrl K opens the search. The first other key loads the code for keys; a page may have its own. */
async function press(event) {
    if (event.key === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        return (await import("./search.js")).open();
    }
    if (event.key === "/" && event.target === document.body) event.preventDefault(); // the quick find of Firefox
    keys ??= import(`./${document.getElementById("content").dataset.keyboard ?? "keyboard"}.js`);
    keys.then((script) => script.press(event), () => (keys = null));
}

/** The behaviour of every page: ages, live regions, and forms that keep the scroll position. */
class Site {
    #regions = [...document.querySelectorAll("[data-live]")].map((element) => new LiveRegion(element));
    #banner = new Banner(document.getElementById("banner"));
    #notices = document.getElementById("notice");
    #live = [...this.#regions];

    start() {
        const { serverTime, cursor } = document.body.dataset;
        document.documentElement.classList.add("js");
        clock.set(serverTime);
        // Every page watches for the end of its session, even without live regions.
        this.#live.push(new LiveUpdates([...new Set(["account", ...this.#regions.flatMap(({ topics }) => topics)])], cursor, {
            changed: (changed, chat) => {
                // A page that already shows it removes it from the list.
                dispatchEvent(new CustomEvent("roost:changed", { detail: { changed, chat } }));
                for (const region of this.#regions) {
                    if (changed.some((topic) => region.topics.includes(topic))) region.refresh();
                }
            },
            offline: (since) => this.#banner.update({ since }),
            version: (version) => this.#banner.update({ isUpdated: version !== document.body.dataset.version }),
        }));
        // The session has ended: stops all updates and leaves the page as it is.
        document.addEventListener("roost:signed-out", () => {
            this.#banner.update({ isSignedOut: true });
            for (const part of this.#live) part.stop();
        });
        document.addEventListener("keydown", press);
        new MutationObserver(this.#expire).observe(this.#notices, { childList: true });
        this.#expire();
        if (document.querySelector("[data-flash]")) import("./tints.js").then(({ Tints }) => new Tints().start(), () => {});
        for (const part of [new RelativeTimes(), new Forms(), ...this.#live]) part.start();
    }

    /** The code for notices is loaded with the first one. */
    #expire = async () => {
        if (this.#notices.children.length) (await import("./notices.js").catch(() => null))?.expire(this.#notices);
    };
}

new Site().start();
