import { token } from "./forms.js";

const PAUSE = 300; // milliseconds in which the rows on the screen stay the same

/** Tells which rows on the screen lack their details: they are asked for, and no others. */
export class Wants {
    #side;
    #seen = new Set();
    #told = "";
    #pause;
    #watch = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
            if (isIntersecting) this.#seen.add(target);
            else this.#seen.delete(target);
        }
        this.#schedule();
    });

    constructor(side) {
        this.#side = side;
    }

    start() {
        document.addEventListener("roost:morphed", this.#observe);
        document.addEventListener("visibilitychange", this.#schedule);
        this.#observe();
    }

    stop() {
        document.removeEventListener("roost:morphed", this.#observe);
        document.removeEventListener("visibilitychange", this.#schedule);
        this.#watch.disconnect();
        clearTimeout(this.#pause);
    }

    #observe = () => {
        for (const row of this.#seen) {
            if (row.isConnected && row.dataset.want) continue;
            this.#watch.unobserve(row);
            this.#seen.delete(row);
        }
        for (const row of this.#side.querySelectorAll("[data-want]")) this.#watch.observe(row);
        this.#schedule();
    };

    #schedule = () => {
        clearTimeout(this.#pause);
        if (!document.hidden) this.#pause = setTimeout(this.#tell, PAUSE);
    };

    /** The topmost row is named last: the last is asked for first. */
    #tell = () => {
        const rows = [...this.#seen].filter((row) => row.isConnected && row.dataset.want);
        rows.sort((one, other) => other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1);
        const ids = rows.map((row) => row.dataset.want).join(",");
        if (!ids || ids === this.#told) return;
        this.#told = ids;
        const body = new URLSearchParams({ ids });
        fetch("/repositories/wants", { method: "POST", body, headers: token() }).catch(() => {
            this.#told = "";
        });
    };
}
