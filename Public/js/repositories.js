import { token } from "./forms.js";
import { InfiniteList } from "./infinite-list.js";

const PAUSE = 300; // milliseconds in which the rows on the screen stay the same

/** Tells which rows on the screen lack their details: they are asked for, and no others. */
class Wants {
    #side;
    #life = new AbortController();
    #seen = new Set();
    #told;
    #pause;
    #watch = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) this.#seen[isIntersecting ? "add" : "delete"](target);
        this.#wait();
    });

    constructor(side) {
        this.#side = side;
    }

    start() {
        document.addEventListener("roost:morphed", this.#look, { signal: this.#life.signal });
        document.addEventListener("visibilitychange", this.#wait, { signal: this.#life.signal });
        this.#look();
    }

    stop() {
        this.#life.abort();
        this.#watch.disconnect();
        clearTimeout(this.#pause);
    }

    #look = () => {
        for (const row of this.#side.querySelectorAll("[data-want]")) this.#watch.observe(row);
        this.#wait();
    };

    #wait = () => {
        clearTimeout(this.#pause);
        if (!document.hidden) this.#pause = setTimeout(this.#tell, PAUSE);
    };

    /** From the bottom up: the last that is named is asked for first. */
    #tell = () => {
        const rows = [...this.#side.querySelectorAll("[data-want]")].filter((row) => this.#seen.has(row)).reverse();
        this.#seen = new Set(rows); // rows that have left the page, or have their details, are let go
        const ids = rows.map((row) => row.dataset.want).join();
        if (!ids || ids === this.#told) return;
        this.#told = ids;
        const body = new URLSearchParams({ ids });
        fetch("/repositories/wants", { method: "POST", body, headers: token() }).catch(() => (this.#told = null));
    };
}

/** The explorer: a long list and the chosen repository, or one repository alone. Both have the keys. */
const side = document.querySelector(".list-side");
if (side) {
    for (const part of [new InfiniteList(side, "browse"), new Wants(side)]) part.start();
} else {
    const key = async (event) => (await import("./keyboard.js")).start([event]);
    document.addEventListener("keydown", key, { once: true });
}
