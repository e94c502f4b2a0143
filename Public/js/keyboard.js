const dialog = () => document.getElementById("keys");

/** What the keyboard does in a list, here of repositories, while nothing is being typed. */
export class RowKeys {
    rows = ".list-side .repo";
    acts = {
        j: () => this.#move(1),
        k: () => this.#move(-1),
        o: () => this.#github(),
        b: () => this.press("bookmark", this.row ?? document.querySelector(".detail-side")),
        t: () => this.#tags(),
        x: () => this.row?.querySelector(".choose input")?.click(),
        r: () => this.press("refresh", document.querySelector(".list-side")),
        "/": () => document.getElementById("text")?.focus(),
        "?": () => dialog()?.showModal(),
    };
    #places = [];

    start() {
        document.addEventListener("keydown", this.key);
        document.addEventListener("focusin", this.#remember);
        document.addEventListener("roost:morphed", this.#refocus);
        this.#remember();
    }

    key = (event) => {
        if (event.key === "Escape") return this.#escape();
        if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dialog()?.open) return;
        if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
        const act = this.acts[event.key];
        if (!act) return;
        event.preventDefault();
        act();
    };

    #escape() {
        const open = document.querySelector(".view[open]");
        if (open) {
            open.open = false;
            open.querySelector("summary").focus();
        } else if (document.activeElement.id === "text") {
            (this.#rows()[0]?.querySelector(".name") ?? document.activeElement).focus();
        }
    }

    #rows() {
        return [...document.querySelectorAll(`${this.rows}:has(a.name)`)].filter((row) =>
            row.querySelector(".name").checkVisibility());
    }

    /** The row with the focus, else the one that is shown beside the list. */
    get row() {
        return document.activeElement.closest(this.rows) ?? document.querySelector(`${this.rows}:has(.name[aria-current])`);
    }

    #move(step) {
        const rows = this.#rows();
        const at = rows.indexOf(this.row);
        const row = at < 0 ? rows[0] : rows[at + step];
        row?.querySelector(".name").focus({ preventScroll: true });
        row?.scrollIntoView({ block: "nearest" });
    }

    /** The rows from the one with the focus on: when it goes, the next that stays takes the focus. */
    #remember = () => {
        const row = document.activeElement.closest(this.rows);
        const rows = row ? this.#rows() : [];
        const at = rows.indexOf(row);
        this.#places = [...rows.slice(at), ...rows.slice(0, Math.max(0, at)).reverse()];
    };

    #refocus = () => {
        if (document.activeElement !== document.body || this.#places[0]?.isConnected !== false) return;
        this.#places.find((row) => row.isConnected)?.querySelector(".name").focus();
    };

    #github() {
        const { row } = this;
        const address = row
            ? row.closest("[data-web]").dataset.web + row.querySelector(".name").pathname.replace("/repositories", "")
            : document.querySelector(".detail-side [data-act=github]")?.href;
        // A repository's page, at GitHub or at a host of one's own.
        if (/^https?:..[^/?#]+(\/[\w.-]+){2}$/.test(address)) open(address, "_blank", "noopener");
    }

    press(act, place = this.row) {
        const button = place?.querySelector(`[data-act=${act}]`);
        button?.form?.requestSubmit(button);
    }

    #tags() {
        this.row?.querySelector(".note-edit")?.click();
    }
}

/** From the first keys on, which are these, for as long as the page is open. */
export function start(events, keys = new RowKeys()) {
    keys.start();
    for (const event of events) keys.key(event);
}
