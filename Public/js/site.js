import { RelativeTimes } from "./relative-time.js";
import { Banner, isSignedOut } from "./banner.js";
import { clock } from "./clock.js";
import { Forms, own } from "./forms.js";
import { LiveUpdates } from "./live-updates.js";
import { delay } from "./long-poll.js";
import { morph, parse } from "./morph.js";

/** A part of a page that is fetched again when one of its topics changes. */
class LiveRegion {
    #element;
    #etag = null;
    #busy = false;
    #again = false;
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

    /** Fetches once, however often it is called meanwhile, and then once more. Not while something is being dragged. */
    refresh = async () => {
        if (this.#busy || this.#element.querySelector(".dragged")) {
            this.#again = true;
            return;
        }
        this.#busy = true;
        this.#again = false;
        clearTimeout(this.#timer);
        try {
            await this.#fetch();
            this.#failures = 0;
        } catch {
            this.#failures += 1;
            this.#timer = setTimeout(this.refresh, delay(this.#failures));
        }
        this.#busy = false;
        if (this.#again) this.refresh();
    };

    async #fetch() {
        const address = own(this.#element.dataset.live);
        if (!address) return;
        const headers = this.#etag ? { "If-None-Match": this.#etag } : {};
        const response = await fetch(address, { headers, cache: "no-store" });
        clock.hear(response);
        if (response.status === 304 || isSignedOut(response)) return;
        if (!response.ok || response.redirected) throw new Error(`status ${response.status}`);
        const fragment = parse(await response.text());
        // What has changed the address meanwhile asks again.
        if (this.#element.querySelector(".dragged") || address !== own(this.#element.dataset.live)) {
            this.#again = true;
            return;
        }
        morph(this.#element, fragment.body);
        countInTitle();
        this.#etag = response.headers.get("ETag");
    }

    /** What another has changed here is no longer what the ETag stands for. */
    #forget = ({ detail }) => {
        if (detail.contains(this.#element)) this.#etag = null;
    };
}

/** The tab's title begins with the number of things that wait for an answer, also after a script has replaced it; its icon shows unread messages. */
function countInTitle() {
    let sum = 0;
    for (const count of document.querySelectorAll(".places .in-title")) sum += +count.textContent;
    document.title = (sum ? `(${sum}) ` : "") + document.title.replace(/^\(\d+\) /, "");
    const icon = document.querySelector("[rel=icon]");
    icon.href = icon.href.replace(/(-unread)?\.svg$/, +document.querySelector(".unread-total")?.textContent ? "-unread.svg" : ".svg");
}

/** What every page does while it is open: ages that grow, live regions, forms that keep one's place. */
class Site {
    #regions = [...document.querySelectorAll("[data-live]")].map((element) => new LiveRegion(element));
    #banner = new Banner(document.getElementById("banner"));
    #notices = document.getElementById("notice");
    #live = [...this.#regions];

    start() {
        const { serverTime, cursor } = document.body.dataset;
        document.documentElement.classList.add("js");
        document.getElementById("banner").dataset.owned = "";
        clock.begin(serverTime);
        // Every page hears of the end of its session, whether anything on it is live or not.
        const topics = [...new Set(["account", ...this.#regions.flatMap((region) => region.topics)])];
        this.#live.push(new LiveUpdates(topics, cursor, {
            changed: (changed, chat) => {
                // Who shows it already takes it off.
                dispatchEvent(new CustomEvent("roost:changed", { detail: { changed, chat } }));
                for (const region of this.#regions) {
                    if (region.topics.some((topic) => changed.includes(topic))) region.refresh();
                }
            },
            offline: (since) => this.#banner.tell({ since }),
            version: (version) => this.#banner.tell({ isUpdated: version !== document.body.dataset.version }),
        }));
        document.addEventListener("roost:signed-out", this.#freeze);
        new MutationObserver(() => this.#keep()).observe(this.#notices, { childList: true });
        this.#keep();
        this.#tint();
        for (const part of [new RelativeTimes(), new Forms(), ...this.#live]) part.start();
    }

    /** What lets notices end comes with the first of them. */
    async #keep() {
        if (this.#notices.children.length) (await import("./notices.js").catch(() => null))?.keep(this.#notices);
    }

    #tint() {
        if (document.querySelector("[data-flash]")) import("./tints.js").then(({ Tints }) => new Tints().start(), () => {});
    }

    /** Nothing more will be told to this page, which stays as it is. */
    #freeze = () => {
        this.#banner.tell({ isSignedOut: true });
        for (const part of this.#live) part.stop();
    };
}

new Site().start();
