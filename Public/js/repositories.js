import { token } from "./forms.js";
import { InfiniteList } from "./infinite-list.js";

const PAUSE = 300; // milliseconds without a change of the visible rows

/** Requests details for the visible rows that lack them. */
class DetailRequests {
    #side;
    #life = new AbortController();
    #seen = new Set();
    #requested;
    #pause;
    #observer = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) this.#seen[isIntersecting ? "add" : "delete"](target);
        this.#wait();
    });

    constructor(side) {
        this.#side = side;
    }

    start() {
        document.addEventListener("roost:morphed", this.#observe, { signal: this.#life.signal });
        document.addEventListener("visibilitychange", this.#wait, { signal: this.#life.signal });
        this.#observe();
    }

    stop() {
        this.#life.abort();
        this.#observer.disconnect();
        clearTimeout(this.#pause);
    }

    #observe = () => {
        for (const row of this.#side.querySelectorAll("[data-want]")) this.#observer.observe(row);
        this.#wait();
    };

    #wait = () => {
        clearTimeout(this.#pause);
        if (!document.hidden) this.#pause = setTimeout(this.#request, PAUSE);
    };

    /** From the bottom up, because the last id is fetched first. */
    #request = () => {
        const rows = [...this.#side.querySelectorAll("[data-want]")].filter((row) => this.#seen.has(row)).reverse();
        this.#seen = new Set(rows); // drops rows that have left the page or have details
        const ids = rows.map((row) => row.dataset.want).join();
        if (!ids || ids === this.#requested) return;
        this.#requested = ids;
        const body = new URLSearchParams({ ids });
        fetch("/repositories/wants", { method: "POST", body, headers: token() }).catch(() => (this.#requested = null));
    };
}

/** The explorer: a long list with the chosen repository, or a single repository. */
const side = document.querySelector(".list-side");
if (side) for (const part of [new InfiniteList(side, "browse"), new DetailRequests(side)]) part.start();
