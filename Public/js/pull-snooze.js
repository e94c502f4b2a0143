import { RowPanel } from "./rowpanel.js";

/** The inbox's menu of snooze durations. */
export class SnoozeMenu {
    #menu = document.getElementById("snooze");
    #panel = new RowPanel(this.#menu);
    #life = new AbortController();

    start() {
        const { signal } = this.#life;
        document.addEventListener("click", this.#click, { signal });
        document.addEventListener("submit", this.#submit, { signal });
        this.#panel.start();
    }

    stop() {
        this.#life.abort();
        this.#panel.stop();
    }

    #open(link) {
        // Forms find a button's subject by the closest element with a key.
        const row = link.closest(".pull");
        this.#menu.dataset.key = row.dataset.key;
        this.#menu.querySelector("a").search = `?text=${encodeURIComponent(row.querySelector(".out").href)}`;
        this.#panel.open(link);
    }

    #click = (event) => {
        const link = event.target.closest(".pull .actions a:not(.out)");
        if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
        event.preventDefault();
        this.#open(link);
    };

    #submit = ({ submitter }) => {
        if (this.#menu.contains(submitter)) this.#panel.close();
    };
}
