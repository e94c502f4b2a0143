const FAR = 72; // pixels
const MOST = 110;

/** A list that is pulled down at its top on a touch screen asks GitHub again. */
export class Pull {
    #side;
    #hint;
    #from = null;
    #way = 0;

    constructor(side) {
        this.#side = side;
    }

    start() {
        const options = { passive: true };
        this.#side.addEventListener("touchstart", this.#down, options);
        this.#side.addEventListener("touchmove", this.#move, options);
        this.#side.addEventListener("touchend", this.#up, options);
        this.#side.addEventListener("touchcancel", this.#rest, options);
    }

    stop() {
        this.#side.removeEventListener("touchstart", this.#down);
        this.#side.removeEventListener("touchmove", this.#move);
        this.#side.removeEventListener("touchend", this.#up);
        this.#side.removeEventListener("touchcancel", this.#rest);
        this.#hint?.remove();
    }

    #down = ({ touches }) => {
        const isAtTop = scrollY <= 0 && this.#side.scrollTop <= 0;
        this.#from = isAtTop && touches.length === 1 ? { x: touches[0].clientX, y: touches[0].clientY } : null;
    };

    #move = ({ touches }) => {
        if (!this.#from) return;
        const [down, across] = [touches[0].clientY - this.#from.y, Math.abs(touches[0].clientX - this.#from.x)];
        if (touches.length > 1 || scrollY > 0 || this.#side.scrollTop > 0 || (!this.#way && across > Math.abs(down))) return this.#rest();
        this.#way = Math.max(0, Math.min(down / 1.6, MOST));
        this.#show();
    };

    #up = () => {
        const isFar = this.#way >= FAR;
        this.#rest();
        if (isFar) this.#side.querySelector("[data-act=refresh]")?.click();
    };

    #rest = () => {
        this.#from = null;
        if (!this.#way) return;
        this.#way = 0;
        this.#show();
    };

    #show() {
        if (!this.#hint) {
            this.#hint = document.createElement("p");
            this.#hint.className = "pull-hint";
            this.#hint.dataset.owned = "";
            this.#hint.setAttribute("aria-hidden", "true");
        }
        if (!this.#hint.isConnected) this.#side.prepend(this.#hint);
        this.#hint.style.height = `${this.#way}px`;
        this.#hint.textContent = this.#way >= FAR ? "Let go to ask GitHub again" : "Pull down to ask GitHub again";
    }
}
