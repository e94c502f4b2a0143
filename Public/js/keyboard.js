const WAIT = 1_500; // milliseconds between g and the letter of a place

/** The element of a row that gets the focus: its name, or its first link. */
const link = (row) => row.matches("a") ? row : row.querySelector("a.name") ?? row.querySelector("a");

/** Keyboard shortcuts of every page, while no field has the focus. Rows lack some actions, whose keys do nothing. */
export class RowKeys {
    rows = ".list-side .repo, .row, .chat-row, .alert, .display, :is(.gists, .shared, .brief) > li";
    acts = {
        j: () => this.#move(1),
        k: () => this.#move(-1),
        o: () => this.#open(),
        b: () => this.click("bookmark", this.row ?? document.querySelector(".detail-side")),
        t: () => this.row?.querySelector(".note-edit")?.click(),
        x: () => this.row?.querySelector(".choose input")?.click(),
        r: () => this.click("refresh", document.querySelector(".list-side")),
        "/": () => (document.getElementById("text") ?? document.querySelector("main [role=search] input:not([type=hidden])"))?.focus(),
        z: () => document.querySelector("#notice form button")?.click(),
        "?": async () => (await import("./key-list.js")).show(),
    };
    #nextRows = [];
    #goes = -WAIT;

    start() {
        document.addEventListener("focusin", this.#remember);
        document.addEventListener("roost:morphed", this.#refocus);
        this.#remember();
        return this;
    }

    press(event) {
        const { key, target, timeStamp: time } = event;
        if (key === "Escape") return this.escape(event);
        if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
        if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
        const isPlace = time - this.#goes < WAIT;
        this.#goes = !isPlace && key === "g" ? time : -WAIT;
        const place = () => document.querySelector(`.places [data-go="${CSS.escape(key)}"]`)?.click();
        const act = isPlace ? place : this.acts[key];
        if (!act) return;
        event.preventDefault();
        act();
    }

    escape() {
        const open = document.querySelector(".view[open]");
        if (open) {
            open.open = false;
            open.querySelector("summary").focus();
        } else if (document.activeElement.id === "text") {
            this.#focus(this.#rows()[0]);
        }
    }

    #rows() {
        return [...document.querySelectorAll(this.rows)].filter((row) => link(row)?.checkVisibility());
    }

    /** The row with the focus, else the one whose details are shown. */
    get row() {
        return document.activeElement.closest(this.rows) ?? this.#rows().find((row) => link(row).ariaCurrent);
    }

    #move(step) {
        const rows = this.#rows();
        const at = rows.indexOf(this.row);
        const row = rows[at < 0 ? 0 : at + step];
        this.#focus(row);
        row?.scrollIntoView({ block: "nearest" });
    }

    #focus(row) {
        if (row) link(row).focus({ preventScroll: true });
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
        this.#focus(this.#nextRows.find((row) => row.isConnected));
    };

    /** Follows the row's link; a repository's leads to GitHub. */
    #open() {
        const { row } = this;
        const web = document.querySelector("[data-web]")?.dataset.web;
        if (web === undefined) return row && link(row).click();
        const address = row ? web + link(row).pathname.replace("/repositories", "")
            : document.querySelector(".detail-side [data-act=github]")?.href;
        // A repository's page on GitHub or an Enterprise host.
        if (/^https?:..[^/?#]+(\/[\w.-]+){2}$/.test(address)) open(address, "_blank", "noopener");
    }

    /** Presses a button of the row. */
    click(act, container = this.row) {
        const button = container?.querySelector(`[data-act=${act}]`);
        button?.form?.requestSubmit(button);
    }
}

let keys;

/** Handles a key on a page without keys of its own. */
export const press = (event) => (keys ??= new RowKeys().start()).press(event);
