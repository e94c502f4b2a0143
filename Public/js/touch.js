const SLACK = 12; // pixels before a touch is taken for a swipe
const REST = 0.34; // of the row's width: past it, letting go acts
const FAR = 72; // pixels that a list is pulled down before it asks again
const MOST = 110;

/** A row that is drawn to the left is bookmarked, or its bookmark removed; it says so meanwhile. */
class Swipe {
    #side;
    #life = new AbortController();
    #row = null;
    #start;
    #way = 0;

    constructor(side) {
        this.#side = side;
    }

    start() {
        const { signal } = this.#life;
        this.#side.addEventListener("pointerdown", this.#down, { signal });
        this.#side.addEventListener("pointermove", this.#move, { signal });
        this.#side.addEventListener("pointerup", this.#up, { signal });
        this.#side.addEventListener("pointercancel", this.#rest, { signal });
    }

    stop() {
        this.#life.abort();
        this.#rest();
    }

    #down = (event) => {
        this.#rest();
        if (event.pointerType !== "touch" || !event.isPrimary || event.target.closest("input, textarea, details")) return;
        this.#row = event.target.closest(".repo:has([data-act=bookmark])");
        this.#start = { x: event.clientX, y: event.clientY };
    };

    /** The browser keeps vertical scrolling to itself (touch-action: pan-y), and cancels what turns into it. */
    #move = (event) => {
        if (!this.#row || !event.isPrimary) return;
        const way = this.#start.x - event.clientX;
        if (!this.#way) {
            if (Math.abs(event.clientY - this.#start.y) > SLACK) return this.#rest();
            if (way < SLACK) return;
            this.#row.setPointerCapture(event.pointerId);
            this.#row.dataset.swipe = this.#button.ariaPressed === "true" ? "Remove the bookmark" : "Bookmark";
            this.#row.classList.add("swiped", "dragged"); // nothing is morphed under the finger
        }
        this.#way = Math.max(1, way);
        this.#row.style.transform = `translateX(${-this.#way}px)`;
        this.#row.classList.toggle("ready", this.#isFar);
    };

    #up = () => {
        const button = this.#isFar && this.#button;
        this.#rest();
        if (button) button.form.requestSubmit(button);
    };

    #rest = () => {
        const row = this.#row;
        this.#row = null;
        if (!row || !this.#way) return;
        this.#way = 0;
        row.style.transform = "";
        row.classList.remove("swiped", "dragged", "ready");
        // What came meanwhile was held back while the row was in the hand.
        row.closest("[data-live]")?.dispatchEvent(new CustomEvent("roost:refresh"));
    };

    get #button() {
        return this.#row.querySelector("[data-act=bookmark]");
    }

    get #isFar() {
        return this.#row && this.#way > this.#row.offsetWidth * REST;
    }
}

/** A list that is pulled down at its top asks GitHub again. */
class Pull {
    #side;
    #life = new AbortController();
    #hint = document.createElement("p");
    #from = null;
    #way = 0;

    constructor(side) {
        this.#side = side;
        this.#hint.className = "pull-hint";
        this.#hint.dataset.owned = "";
        this.#hint.ariaHidden = "true";
    }

    start() {
        const options = { passive: true, signal: this.#life.signal };
        this.#side.addEventListener("touchstart", this.#down, options);
        this.#side.addEventListener("touchmove", this.#move, options);
        this.#side.addEventListener("touchend", this.#up, options);
        this.#side.addEventListener("touchcancel", this.#rest, options);
    }

    stop() {
        this.#life.abort();
        this.#hint.remove();
    }

    #down = ({ touches: [{ clientX: x, clientY: y }, second] }) => {
        this.#from = this.#isAtTop && !second ? { x, y } : null;
    };

    #move = ({ touches: [{ clientX, clientY }, second] }) => {
        if (!this.#from) return;
        const down = clientY - this.#from.y;
        if (second || !this.#isAtTop || (!this.#way && Math.abs(clientX - this.#from.x) > Math.abs(down))) return this.#rest();
        this.#pull(Math.max(0, Math.min(down / 1.6, MOST)));
    };

    #up = () => {
        const isFar = this.#way >= FAR;
        this.#rest();
        if (isFar) this.#side.querySelector("[data-act=refresh]")?.click();
    };

    #rest = () => {
        this.#from = null;
        if (this.#way) this.#pull(0);
    };

    #pull(way) {
        this.#way = way;
        if (!way) return this.#hint.remove();
        if (!this.#hint.isConnected) this.#side.prepend(this.#hint);
        this.#hint.style.height = `${way}px`;
        this.#hint.textContent = way >= FAR ? "Let go to ask GitHub again" : "Pull down to ask GitHub again";
    }

    get #isAtTop() {
        return scrollY <= 0 && this.#side.scrollTop <= 0;
    }
}

/** From the first touch on. */
export function start(side) {
    for (const part of [new Swipe(side), new Pull(side)]) part.start();
}
