const dialog = () => document.getElementById("keys");

/** Keyboard shortcuts in a list, here of repositories, while no field has the focus. */
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
    #nextRows = [];

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

    /** The row with the focus, else the one whose details are shown. */
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

    /** Remembers the rows from the focused one on. If it disappears, the next remaining one gets the focus. */
    #remember = () => {
        const row = document.activeElement.closest(this.rows);
        const rows = row ? this.#rows() : [];
        const at = rows.indexOf(row);
        this.#nextRows = [...rows.slice(at), ...rows.slice(0, Math.max(0, at)).reverse()];
    };

    #refocus = () => {
        if (document.activeElement !== document.body || this.#nextRows[0]?.isConnected !== false) return;
        this.#nextRows.find((row) => row.isConnected)?.querySelector(".name").focus();
    };

    #github() {
        const { row } = this;
        const address = row
            ? row.closest("[data-web]").dataset.web + row.querySelector(".name").pathname.replace("/repositories", "")
            : document.querySelector(".detail-side [data-act=github]")?.href;
        // A repository's page on GitHub or an Enterprise host.
        if (/^https?:..[^/?#]+(\/[\w.-]+){2}$/.test(address)) open(address, "_blank", "noopener");
    }

    press(act, container = this.row) {
        const button = container?.querySelector(`[data-act=${act}]`);
        button?.form?.requestSubmit(button);
    }

    #tags() {
        this.row?.querySelector(".note-edit")?.click();
    }
}

/** Starts with the first key events and stays active while the page is open. */
export function start(events, keys = new RowKeys()) {
    keys.start();
    for (const event of events) keys.key(event);
}
