/** What the keyboard does in a list of repositories, while nothing is being typed. */
export class RowKeys {
    #dialog = document.getElementById("keys");
    #acts = {
        j: () => this.#move(1),
        k: () => this.#move(-1),
        o: () => this.#github(),
        b: () => this.#press("bookmark"),
        t: () => this.#tags(),
        x: () => this.#row()?.querySelector("[data-act=choose]")?.click(),
        r: () => document.querySelector(".explorer [data-act=refresh]")?.click(),
        "/": () => document.getElementById("text")?.focus(),
        "?": () => this.#dialog?.showModal(),
    };

    start() {
        document.addEventListener("keydown", this.#key);
        document.addEventListener("click", this.#click);
    }

    stop() {
        document.removeEventListener("keydown", this.#key);
        document.removeEventListener("click", this.#click);
    }

    #click = (event) => {
        for (const menu of document.querySelectorAll(".view[open]")) {
            if (!menu.contains(event.target)) menu.open = false;
        }
        if (!this.#dialog || !event.target.closest("[data-keys]")) return;
        event.preventDefault();
        this.#dialog.showModal();
    };

    #key = (event) => {
        if (event.key === "Escape") return this.#escape();
        if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || this.#dialog?.open) return;
        if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
        const act = this.#acts[event.key];
        if (!act) return;
        event.preventDefault();
        act();
    };

    #escape() {
        const open = document.querySelector(".view[open]") ?? document.activeElement.closest(".repo details[open]");
        if (open) {
            open.open = false;
            open.querySelector("summary").focus();
        } else if (document.activeElement.id === "text") {
            (this.#rows()[0]?.querySelector(".name") ?? document.activeElement).focus();
        }
    }

    #rows() {
        return [...document.querySelectorAll(".list-side .repo a.name")]
            .filter((link) => link.checkVisibility())
            .map((link) => link.closest(".repo"));
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

    #github() {
        const row = this.#row();
        const address = row
            ? row.querySelector(".name").dataset.github
            : document.querySelector(".detail-side [data-act=github]")?.href;
        if (address) open(address, "_blank", "noopener");
    }

    #press(name) {
        const place = this.#row() ?? document.querySelector(".detail-side");
        const button = place?.querySelector(`[data-act=${name}]`);
        button?.form?.requestSubmit(button);
    }

    #tags() {
        const jotter = this.#row()?.querySelector("[data-act=tags]");
        if (!jotter) return;
        jotter.open = true;
        jotter.querySelector("input")?.focus();
    }
}
