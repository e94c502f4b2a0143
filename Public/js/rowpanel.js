const GAP = 4; // pixels between a link and its panel
const NARROW = 761;

/** The one panel of a page that opens at a link of whichever row it is asked for, instead of one in each row. */
export class RowPanel {
    #panel;
    #life = new AbortController();
    #link = null;

    /** `panel` is a popover outside of what is kept up to date. */
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

    /** At this link, with the focus in its first field or button. */
    open(link) {
        if (this.isOpen) this.#panel.hidePopover();
        this.#row?.classList.remove("paneled");
        this.#link = link;
        this.#row.classList.add("paneled");
        this.#panel.showPopover();
        this.#follow();
        this.#panel.querySelector("button, input:not([type=hidden])").focus({ preventScroll: true });
    }

    /** The focus returns to the row. */
    close() {
        if (!this.isOpen) return;
        const isWithin = this.#panel.contains(document.activeElement);
        this.#panel.hidePopover();
        if (isWithin) this.#row.querySelector(".name").focus({ preventScroll: true });
    }

    #toggled = ({ newState }) => {
        if (newState === "closed") this.#row?.classList.remove("paneled");
    };

    /** Under its link, above it where there is no room; it closes with a row that goes. */
    #follow = () => {
        if (!this.isOpen) return;
        if (!this.#link.isConnected || this.#row.hidden) return this.#panel.hidePopover();
        this.#row.classList.add("paneled"); // a morph has taken it
        const { left, right, top, bottom } = (this.#link.checkVisibility() ? this.#link : this.#row).getBoundingClientRect();
        const { offsetWidth: width, offsetHeight: height } = this.#panel;
        const below = bottom + GAP + height <= innerHeight;
        const start = innerWidth < NARROW ? left : Math.max(this.#row.getBoundingClientRect().left, right - width);
        this.#panel.style.top = `${below ? bottom + GAP : Math.max(GAP, top - GAP - height)}px`;
        this.#panel.style.left = `${Math.max(GAP, Math.min(start, innerWidth - width - GAP))}px`;
    };
}
