const GAP = 4; // pixels between a row's link and the menu

/** The one menu of the inbox that says for how long: it opens at the link of the row that is to be snoozed. */
export class SnoozeMenu {
    #menu = document.getElementById("snooze");
    #life = new AbortController();
    #link = null;
    #row = null;

    start() {
        const { signal } = this.#life;
        document.addEventListener("click", this.#click, { signal });
        document.addEventListener("submit", this.#submit, { signal });
        document.addEventListener("roost:morphed", this.#follow, { signal });
        addEventListener("scroll", this.#follow, { signal, passive: true });
        addEventListener("resize", this.#follow, { signal });
        this.#menu.addEventListener("toggle", this.#toggled, { signal });
    }

    stop() {
        this.#life.abort();
        this.close();
    }

    get isOpen() {
        return this.#menu.matches(":popover-open");
    }

    open(link) {
        if (this.isOpen) this.#menu.hidePopover();
        this.#link = link;
        this.#row = link.closest(".pull");
        this.#row.classList.add("snoozing");
        // Forms ask the nearest element with a key what a button is about.
        this.#menu.dataset.key = this.#row.dataset.key;
        this.#menu.showPopover();
        this.#follow();
        this.#menu.querySelector("button").focus({ preventScroll: true });
    }

    /** The focus returns to the row. */
    close() {
        if (!this.isOpen) return;
        const row = this.#row;
        this.#menu.hidePopover();
        row.querySelector(".name").focus();
    }

    #click = (event) => {
        const link = event.target.closest(".pull [data-act=snooze]");
        if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
        event.preventDefault();
        this.open(link);
    };

    #submit = ({ submitter }) => {
        if (this.#menu.contains(submitter)) this.close();
    };

    #toggled = ({ newState }) => {
        if (newState === "closed") this.#row?.classList.remove("snoozing");
    };

    /** Under its link, above it where there is no room; it closes with the row that goes. */
    #follow = () => {
        if (!this.isOpen) return;
        if (!this.#link.isConnected || this.#row.hidden) return this.#menu.hidePopover();
        const { left, right, top, bottom } = this.#link.getBoundingClientRect();
        const { offsetWidth: width, offsetHeight: height } = this.#menu;
        const below = bottom + GAP + height <= innerHeight;
        this.#menu.style.top = `${below ? bottom + GAP : Math.max(GAP, top - GAP - height)}px`;
        this.#menu.style.left = `${Math.max(GAP, Math.min(innerWidth < 761 ? left : right - width, innerWidth - width - GAP))}px`;
    };
}
