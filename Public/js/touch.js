const SLACK = 12; // pixels before a touch is taken for a swipe
const REST = 0.34; // of the row's width: past it, letting go acts
const [FAR, MOST] = [72, 110]; // pixels: pulled down so far a list asks again; it goes no further than that

/** In a list of repositories: to the left bookmarks, or removes the bookmark. */
const repositories = {
    rows: ".repo:has([data-act=bookmark])",
    act(row, share) {
        const button = share > 0 && row.querySelector("[data-act=bookmark]");
        return button && [button.ariaPressed === "true" ? "Remove the bookmark" : "Bookmark", button];
    },
    refresh: (side) => side.querySelector("[data-act=refresh]")?.click(),
};

/** A row that is drawn aside does what it says meanwhile. */
class Swipe {
    #side;
    #list;
    #row = null;
    #start;
    #way = 0;

    constructor(side, list) {
        this.#side = side;
        this.#list = list;
    }

    start() {
        this.#side.addEventListener("pointerdown", this.#down);
        this.#side.addEventListener("pointermove", this.#move);
        this.#side.addEventListener("pointerup", this.#up);
        this.#side.addEventListener("pointercancel", this.#rest);
    }

    #down = (event) => {
        this.#rest();
        if (event.pointerType === "touch" && event.isPrimary) this.take(event);
    };

    take(event) {
        const { target, touches: [{ clientX: x, clientY: y }] = [event] } = event;
        if (target.closest("input, textarea, .repo details")) return;
        this.#row = target.closest(this.#list.rows);
        this.#start = { x, y };
    }

    /** The browser keeps vertical scrolling to itself (touch-action: pan-y), and cancels what turns into it. */
    #move = (event) => {
        if (!this.#row || event.pointerType !== "touch" || !event.isPrimary) return;
        const way = this.#start.x - event.clientX;
        if (!this.#way) {
            if (Math.abs(event.clientY - this.#start.y) > SLACK) return this.#rest();
            if (Math.abs(way) < SLACK || !this.#list.act(this.#row, way)) return;
            this.#row.setPointerCapture(event.pointerId);
            this.#row.classList.add("swiped", "dragged"); // nothing is morphed under the finger
        }
        // Not beyond where it began: that way another act lies, or none.
        const side = Math.sign(this.#way || way);
        this.#way = side * Math.max(1, side * way);
        const { classList, dataset, style } = this.#row;
        [dataset.swipe] = this.#act;
        style.transform = `translateX(${-this.#way}px)`;
        classList.toggle("ready", this.#isFar);
        classList.toggle("rightwards", side < 0);
    };

    #up = () => {
        const [, button] = this.#isFar ? this.#act : [];
        this.#rest();
        if (button?.form) button.form.requestSubmit(button);
        else button?.click();
    };

    #rest = () => {
        const row = this.#row;
        this.#row = null;
        if (!row || !this.#way) return;
        this.#way = 0;
        row.style.transform = "";
        row.classList.remove("swiped", "dragged", "ready", "rightwards");
        // What came meanwhile was held back while the row was in the hand.
        row.closest("[data-live]")?.dispatchEvent(new CustomEvent("roost:refresh"));
    };

    /** What it is called, and the button or link that does it. */
    get #act() {
        return this.#list.act(this.#row, this.#way / this.#row.offsetWidth);
    }

    get #isFar() {
        return this.#row && Math.abs(this.#way) > this.#row.offsetWidth * REST;
    }
}

/** A list that is pulled down at its top asks GitHub again. */
class Pull {
    #side;
    #refresh;
    #hint = document.createElement("p");
    #from = null;
    #way = 0;

    constructor(side, { refresh }) {
        this.#side = side;
        this.#refresh = refresh;
        this.#hint.className = "pull-hint";
        this.#hint.dataset.owned = "";
        this.#hint.ariaHidden = "true";
    }

    start() {
        const options = { passive: true };
        this.#side.addEventListener("touchstart", this.take, options);
        this.#side.addEventListener("touchmove", this.#move, options);
        this.#side.addEventListener("touchend", this.#up, options);
        this.#side.addEventListener("touchcancel", this.#rest, options);
    }

    take = ({ touches: [{ clientX: x, clientY: y }, second] }) => {
        this.#from = this.#isAtTop && !second ? { x, y } : null;
    };

    #move = ({ touches: [{ clientX, clientY }, second] }) => {
        if (!this.#from) return;
        const down = clientY - this.#from.y;
        if (second || !this.#isAtTop || (!this.#way && Math.abs(clientX - this.#from.x) > Math.abs(down))) return this.#rest();
        this.#pull(Math.max(0, Math.min(down / 1.6, MOST)));
    };

    #up = () => {
        if (this.#way >= FAR) this.#refresh(this.#side);
        this.#rest();
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

/** From the first touch on, which is this one, for as long as the page is open; `list` says what is done with its rows. */
export function start(side, event, list = repositories) {
    const parts = [new Swipe(side, list)];
    if (list.refresh) parts.push(new Pull(side, list));
    for (const part of parts) {
        part.start();
        if (side.contains(event.target)) part.take(event);
    }
}
