const SLACK = 12; // pixels before a touch is taken for a swipe
const REST = 0.34; // of the row's width: past it, letting go acts

/** A row that is drawn to the left on a touch screen is bookmarked, or its bookmark removed; it says so meanwhile. */
export class Swipe {
    #side;
    #row = null;
    #start = null;
    #way = 0;

    constructor(side) {
        this.#side = side;
    }

    start() {
        this.#side.addEventListener("pointerdown", this.#down);
        this.#side.addEventListener("pointermove", this.#move);
        this.#side.addEventListener("pointerup", this.#up);
        this.#side.addEventListener("pointercancel", this.#rest);
        this.#side.addEventListener("click", this.#click, { capture: true });
    }

    stop() {
        this.#side.removeEventListener("pointerdown", this.#down);
        this.#side.removeEventListener("pointermove", this.#move);
        this.#side.removeEventListener("pointerup", this.#up);
        this.#side.removeEventListener("pointercancel", this.#rest);
        this.#side.removeEventListener("click", this.#click, { capture: true });
        this.#rest();
    }

    #down = (event) => {
        this.#rest();
        if (event.pointerType !== "touch" || !event.isPrimary || event.target.closest("input, textarea, details")) return;
        this.#row = event.target.closest(".repo");
        this.#start = this.#row && { x: event.clientX, y: event.clientY };
    };

    /** The browser keeps vertical scrolling to itself (touch-action: pan-y), and cancels what turns into it. */
    #move = (event) => {
        if (!this.#start || !event.isPrimary) return;
        const way = Math.min(0, event.clientX - this.#start.x);
        if (!this.#way) {
            if (Math.abs(event.clientY - this.#start.y) > SLACK) return this.#rest();
            if (-way < SLACK) return;
            this.#row.setPointerCapture(event.pointerId);
            const isKept = this.#button?.getAttribute("aria-pressed") === "true";
            this.#row.dataset.swipe = isKept ? "Remove bookmark" : "Bookmark";
            this.#row.classList.add("swiped", "dragged");
        }
        this.#way = way || -1;
        this.#row.style.transform = `translateX(${way}px)`;
        this.#row.classList.toggle("ready", this.#isFar);
    };

    #up = () => {
        const button = this.#isFar ? this.#button : null;
        const wasSwiped = this.#way !== 0;
        this.#rest();
        button?.form?.requestSubmit(button);
        this.#swallows = wasSwiped;
        if (wasSwiped) setTimeout(() => (this.#swallows = false), 50);
    };

    #swallows = false;

    /** Letting go over the row's link is no click on it. */
    #click = (event) => {
        if (!this.#swallows) return;
        event.preventDefault();
        event.stopPropagation();
    };

    #rest = () => {
        if (this.#row && this.#way) {
            this.#row.style.transform = "";
            this.#row.classList.remove("swiped", "dragged", "ready");
            delete this.#row.dataset.swipe;
            // What came meanwhile was held back while the row was in the hand.
            this.#row.closest("[data-live]")?.dispatchEvent(new CustomEvent("roost:refresh"));
        }
        this.#row = null;
        this.#start = null;
        this.#way = 0;
    };

    get #button() {
        return this.#row?.querySelector("[data-act=bookmark]");
    }

    get #isFar() {
        return -this.#way > (this.#row?.offsetWidth ?? Infinity) * REST;
    }
}
