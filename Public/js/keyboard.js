const dialog = () => document.getElementById("keys");

/** What the keyboard does in a list of repositories, while nothing is being typed. */
class RowKeys {
    #places = [];
    #acts = {
        j: () => this.#move(1),
        k: () => this.#move(-1),
        o: () => this.#github(),
        b: () => this.#press(this.#row() ?? document.querySelector(".detail-side"), "bookmark"),
        t: () => this.#tags(),
        x: () => this.#row()?.querySelector(".choose input")?.click(),
        r: () => this.#press(document.querySelector(".list-side"), "refresh"),
        "/": () => document.getElementById("text")?.focus(),
        "?": () => dialog()?.showModal(),
    };

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
        const act = this.#acts[event.key];
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
        return [...document.querySelectorAll(".list-side .repo:has(a.name)")].filter((row) =>
            row.querySelector(".name").checkVisibility());
    }

    /** The row with the focus, else the one that is shown beside the list. */
    #row() {
        const shown = document.querySelector(".list-side a.name[aria-current]");
        return document.activeElement.closest(".repo") ?? shown?.closest(".repo");
    }

    #move(step) {
        const rows = this.#rows();
        const at = rows.indexOf(this.#row());
        const row = at < 0 ? rows[0] : rows[at + step];
        row?.querySelector(".name").focus({ preventScroll: true });
        row?.scrollIntoView({ block: "nearest" });
    }

    /** The rows from the one with the focus on: when it goes, the next that stays takes the focus. */
    #remember = () => {
        const row = document.activeElement.closest(".list-side .repo");
        const rows = row ? this.#rows() : [];
        const at = rows.indexOf(row);
        this.#places = [...rows.slice(at), ...rows.slice(0, Math.max(0, at)).reverse()];
    };

    #refocus = () => {
        if (document.activeElement !== document.body || this.#places[0]?.isConnected !== false) return;
        this.#places.find((row) => row.isConnected)?.querySelector(".name").focus();
    };

    #github() {
        const row = this.#row();
        const address = row
            ? row.closest("[data-web]").dataset.web + row.querySelector(".name").pathname.replace("/repositories", "")
            : document.querySelector(".detail-side [data-act=github]")?.href;
        // A repository's page, at GitHub or at a host of one's own.
        if (/^https?:..[^/?#]+(\/[\w.-]+){2}$/.test(address)) open(address, "_blank", "noopener");
    }

    #press(place, act) {
        const button = place?.querySelector(`[data-act=${act}]`);
        button?.form?.requestSubmit(button);
    }

    #tags() {
        this.#row()?.querySelector(".note-edit")?.click();
    }
}

/** From the first keys on, which are these, for as long as the page is open. */
export function start(events) {
    const keys = new RowKeys();
    keys.start();
    for (const event of events) keys.key(event);
}
