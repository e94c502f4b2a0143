const GAP = 4; // pixels between a link and its panel
const NARROW = 761;

/** One panel for all rows of a page, opened at a row's link. */
export class RowPanel {
    #panel;
    #life = new AbortController();
    #link = null;

    /** `panel` is a popover outside the regions that are refreshed. */
    constructor(panel) {
        this.#panel = panel;
    }

    start() {
        const { signal } = this.#life;
        document.addEventListener("roost:morphed", this.#follow, { signal });
        addEventListener("scroll", this.#follow, { signal, passive: true, capture: true });
        addEventListener("resize", this.#follow, { signal });
        this.#panel.addEventListener("toggle", this.#toggled, { signal });
    }

    stop() {
        this.#life.abort();
        if (this.isOpen) this.#panel.hidePopover();
    }

    get isOpen() {
        return this.#panel.matches(":popover-open");
    }

    get #row() {
        return this.#link?.closest("[data-key]");
    }

    /** Opens at this link and focuses the first field or button. */
    open(link) {
        if (this.isOpen) this.#panel.hidePopover();
        this.#row?.classList.remove("paneled");
        this.#link = link;
        this.#row.classList.add("paneled");
        this.#panel.showPopover();
        this.#follow();
        this.#panel.querySelector("button, input:not([type=hidden])").focus({ preventScroll: true });
    }

    /** Closes and returns the focus to the row. */
    close() {
        if (!this.isOpen) return;
        const isWithin = this.#panel.contains(document.activeElement);
        this.#panel.hidePopover();
        if (isWithin) this.#row.querySelector(".name").focus({ preventScroll: true });
    }

    #toggled = ({ newState }) => {
        if (newState === "closed") this.#row?.classList.remove("paneled");
    };

    /** Places the panel below its link, or above it without room, and closes it with its row. */
    #follow = () => {
        if (!this.isOpen) return;
        if (!this.#link.isConnected || this.#row.hidden) return this.#panel.hidePopover();
        this.#row.classList.add("paneled"); // a morph removes it
        const { left, right, top, bottom } = (this.#link.checkVisibility() ? this.#link : this.#row).getBoundingClientRect();
        const { width, height } = this.#panel.getBoundingClientRect();
        const zoom = this.#panel.currentCSSZoom || 1;
        const isBelow = bottom + GAP + height <= innerHeight;
        const start = innerWidth < NARROW ? left : Math.max(this.#row.getBoundingClientRect().left, right - width);
        this.#panel.style.top = `${(isBelow ? bottom + GAP : Math.max(GAP, top - GAP - height)) / zoom}px`;
        this.#panel.style.left = `${Math.max(GAP, Math.min(start, innerWidth - width - GAP)) / zoom}px`;
    };
}
