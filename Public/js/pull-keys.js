/** Keyboard shortcuts in the inbox, while no field has the focus. */
export class Keys {
    #dialog = document.getElementById("keys");
    #menu;
    #acts = {
        j: () => this.#move(1),
        k: () => this.#move(-1),
        o: () => this.#open(),
        s: () => this.#snooze(),
        m: () => this.#act("mute"),
        e: () => this.#act("done"),
        r: () => this.#refresh(),
        "/": () => document.getElementById("text")?.focus(),
        "?": () => this.#dialog.showModal(),
    };

    /** `menu` is opened by `s`. */
    constructor(menu) {
        this.#menu = menu;
    }

    start() {
        document.addEventListener("keydown", this.#key);
        document.addEventListener("click", this.#click);
    }

    stop() {
        document.removeEventListener("keydown", this.#key);
        document.removeEventListener("click", this.#click);
    }

    #click = (event) => {
        if (!event.target.closest("[data-keys]")) return;
        event.preventDefault();
        this.#dialog.showModal();
    };

    #key = (event) => {
        if (event.key === "Escape") return this.#escape(event);
        if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || this.#dialog.open) return;
        if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
        const act = this.#acts[event.key];
        if (!act) return;
        event.preventDefault();
        act();
    };

    #escape(event) {
        const open = document.querySelector(".view[open]");
        if (this.#menu.isOpen) {
            event.preventDefault();
            this.#menu.close();
        } else if (open) {
            open.open = false;
            open.querySelector("summary").focus();
        } else if (document.activeElement.id === "text") {
            (this.#rows()[0]?.querySelector(".name") ?? document.activeElement).focus();
        }
    }

    #rows() {
        return [...document.querySelectorAll(".pull")].filter((row) => row.checkVisibility());
    }

    #row() {
        return document.activeElement.closest(".pull");
    }

    #move(step) {
        const rows = this.#rows();
        const at = rows.indexOf(this.#row());
        const row = at < 0 ? rows[0] : rows[at + step];
        row?.querySelector(".name").focus();
        row?.scrollIntoView({ block: "nearest" });
    }

    /** Follows a row's link only if it leads to the row's pull request. */
    #open() {
        const link = this.#row()?.querySelector(".name");
        const [, owner, name, number] = this.#row()?.dataset.key.split("/") ?? [];
        if (link?.pathname === `/${owner}/${name}/pull/${number}`) link.click();
    }

    #snooze() {
        const link = this.#row()?.querySelector(".actions a");
        if (link) this.#menu.open(link);
    }

    #act(name) {
        const button = this.#row()?.querySelector(`[formaction$="/${name}"]`);
        button?.form.requestSubmit(button);
    }

    #refresh() {
        document.getElementById("act").requestSubmit();
    }
}
