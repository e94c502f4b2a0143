const SLACK = 12; // pixels before a touch counts as a swipe
const THRESHOLD = 0.34; // of the width of the row; releasing beyond it acts

/** In a list of repositories, a swipe left bookmarks or removes the bookmark. */
const repositories = {
    rows: ".repo:has([data-act=bookmark])",
    act(row, share) {
        const button = share > 0 && row.querySelector("[data-act=bookmark]");
        return button && [button.ariaPressed === "true" ? "Remove bookmark" : "Bookmark", button];
    },
    refresh: (side) => side.querySelector("[data-act=refresh]")?.click(),
};

/** Performs an action when a row is swiped. */
class Swipe {
    #side;
    #list;
    #row = null;
    #start;
    #offset = 0;

    constructor(side, list) {
        this.#side = side;
        this.#list = list;
    }

    start() {
        this.#side.addEventListener("pointerdown", this.#down);
        this.#side.addEventListener("pointermove", this.#move);
        this.#side.addEventListener("pointerup", this.#up);
        this.#side.addEventListener("pointercancel", this.#reset);
    }

    #down = (event) => {
        this.#reset();
        if (event.pointerType === "touch" && event.isPrimary) this.begin(event);
    };

    begin(event) {
        const { target, touches: [{ clientX: x, clientY: y }] = [event] } = event;
        if (target.closest("input, textarea, .repo details")) return;
        this.#row = target.closest(this.#list.rows);
        this.#start = { x, y };
    }

    /** The browser handles vertical scrolling (touch-action: pan-y) and cancels touches that become scrolls. */
    #move = (event) => {
        if (!this.#row || event.pointerType !== "touch" || !event.isPrimary) return;
        const offset = this.#start.x - event.clientX;
        if (!this.#offset) {
            if (Math.abs(event.clientY - this.#start.y) > SLACK) return this.#reset();
            if (Math.abs(offset) < SLACK || !this.#list.act(this.#row, offset)) return;
            this.#row.setPointerCapture(event.pointerId);
            this.#row.classList.add("swiped", "dragged"); // nothing is morphed under the finger
        }
        // Not past the start, where the opposite action or none would apply.
        const side = Math.sign(this.#offset || offset);
        this.#offset = side * Math.max(1, side * offset);
        const { classList, dataset, style } = this.#row;
        [dataset.swipe] = this.#act;
        style.transform = `translateX(${-this.#offset}px)`;
        classList.toggle("ready", this.#isFar);
        classList.toggle("rightwards", side < 0);
    };

    #up = () => {
        const [, button] = this.#isFar ? this.#act : [];
        this.#reset();
        if (button?.form) button.form.requestSubmit(button);
        else button?.click();
    };

    #reset = () => {
        const row = this.#row;
        this.#row = null;
        if (!row || !this.#offset) return;
        this.#offset = 0;
        row.style.transform = "";
        row.classList.remove("swiped", "dragged", "ready", "rightwards");
        // Shows changes that were held back during the swipe.
        row.closest("[data-live]")?.dispatchEvent(new CustomEvent("roost:refresh"));
    };

    /** The action's name, and its button or link. */
    get #act() {
        return this.#list.act(this.#row, this.#offset / this.#row.offsetWidth);
    }

    get #isFar() {
        return this.#row && Math.abs(this.#offset) > this.#row.offsetWidth * THRESHOLD;
    }
}

/** Starts with the first touch and stays active while the page is open. `list` has the rows' actions. */
export function start(side, event, list = repositories) {
    const swipe = new Swipe(side, list);
    swipe.start();
    if (side.contains(event.target)) swipe.begin(event);
    if (!list.refresh) return;
    const pull = async (move) => new (await import("./pull-down.js")).PullDown(side, list).start(move);
    side.addEventListener("touchmove", pull, { once: true, passive: true });
}
