const [FAR, LIMIT] = [72, 110]; // pixels: to pull down for a refresh, and at most

/** Refreshes a list from GitHub when it is pulled down at its top. */
export class PullDown {
    #side;
    #refresh;
    #hint = document.createElement("p");
    #from = null;
    #offset = 0;

    constructor(side, { refresh }) {
        this.#side = side;
        this.#refresh = refresh;
        this.#hint.className = "pull-hint";
        this.#hint.dataset.owned = "";
        this.#hint.ariaHidden = "true";
    }

    /** Starts with the first movement of a finger. */
    start(event) {
        const options = { passive: true };
        this.#side.addEventListener("touchstart", this.#begin, options);
        this.#side.addEventListener("touchmove", this.#move, options);
        this.#side.addEventListener("touchend", this.#up, options);
        this.#side.addEventListener("touchcancel", this.#reset, options);
        this.#begin(event);
    }

    #begin = ({ touches: [{ clientX: x, clientY: y }, second] }) => {
        this.#from = this.#isAtTop && !second ? { x, y } : null;
    };

    #move = ({ touches: [{ clientX, clientY }, second] }) => {
        if (!this.#from) return;
        const down = clientY - this.#from.y;
        if (second || !this.#isAtTop || (!this.#offset && Math.abs(clientX - this.#from.x) > Math.abs(down))) return this.#reset();
        this.#pull(Math.max(0, Math.min(down / 1.6, LIMIT)));
    };

    #up = () => {
        if (this.#offset >= FAR) this.#refresh(this.#side);
        this.#reset();
    };

    #reset = () => {
        this.#from = null;
        if (this.#offset) this.#pull(0);
    };

    #pull(offset) {
        this.#offset = offset;
        if (!offset) return this.#hint.remove();
        if (!this.#hint.isConnected) this.#side.prepend(this.#hint);
        this.#hint.style.height = `${offset}px`;
        this.#hint.textContent = offset >= FAR ? "Release to refresh" : "Pull down to refresh";
    }

    get #isAtTop() {
        return scrollY <= 0 && this.#side.scrollTop <= 0;
    }
}
