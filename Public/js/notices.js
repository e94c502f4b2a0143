const LIFETIME = 10; // seconds after the last one
const LIMIT = 20; // older ones are removed

/** Notices stay while the page is hidden, and under the pointer or keyboard focus. */
const isPaused = (list) => document.hidden || list.matches(":hover, :has(:focus-visible)");

const undo = (notice) => notice.querySelector("form");

/** One notice is visible at a time. It offers to undo the older ones with it, and all end together. */
class Notices {
    #list;
    #seconds = 0;
    #timer;
    #queue = []; // to be undone

    constructor(list) {
        this.#list = list;
        list.addEventListener("click", this.#click);
        list.addEventListener("submit", this.#submit);
    }

    /** Takes over new notices; the newest is the first. */
    update() {
        const older = [...this.#list.querySelectorAll("[data-owned]")];
        for (const notice of this.#list.querySelectorAll(".notice:not([data-owned], [data-key])")) {
            for (const other of older) if (other.dataset.text === notice.textContent) other.remove();
            notice.dataset.text = notice.textContent;
            notice.dataset.owned = "";
            this.#seconds = 0;
        }
        for (const old of [...this.#list.children].slice(LIMIT)) old.remove();
        this.#combine();
        this.#timer ??= setInterval(this.#tick, 1_000);
        this.#undoNext();
    }

    /** Adds a button that closes, and one that undoes all, to the visible notice. */
    #combine() {
        const [shown] = this.#list.children;
        for (const button of this.#list.querySelectorAll("[type=button]")) button.remove();
        if (!shown) return;
        const count = this.#undoable.length;
        const hasOlder = count > (undo(shown) ? 1 : 0);
        shown.classList.toggle("several", hasOlder);
        if (hasOlder) shown.append(this.#button("all", count > 1 ? `Undo all ${count}` : "Undo earlier change"));
        shown.append(this.#button("close", "Close"));
    }

    get #undoable() {
        return [...this.#list.children].filter((notice) => undo(notice) && !notice.dataset.key);
    }

    #button(name, textContent) {
        const button = Object.assign(document.createElement("button"), { type: "button", className: "subtle", textContent });
        button.dataset.notice = name;
        return button;
    }

    #click = ({ target }) => {
        const name = target.closest("[data-notice]")?.dataset.notice;
        if (name === "close") this.#end();
        if (name !== "all") return;
        for (const error of this.#list.querySelectorAll(".trouble")) error.remove();
        this.#queue = this.#undoable;
        this.#undoNext();
    };

    /** Undoes the newest first, and the next one when Roost has answered. Stops at an error. */
    #undoNext() {
        const hasFailed = this.#list.firstElementChild?.matches(".trouble");
        this.#queue = hasFailed ? [] : this.#queue.filter((notice) => notice.isConnected);
        const [next] = this.#queue;
        if (next && !next.dataset.key) undo(next).requestSubmit();
    }

    /** When Undo is used, Roost's response removes the notice. Without a response it stays. */
    #submit = ({ target }) => {
        const notice = target.closest(".notice");
        delete notice.dataset.owned;
        notice.dataset.key = "used";
        this.#seconds = 0;
    };

    #tick = () => {
        if (this.#list.firstElementChild && (isPaused(this.#list) || ++this.#seconds < LIFETIME)) return;
        this.#end();
    };

    #end() {
        clearInterval(this.#timer);
        this.#timer = null;
        const hadFocus = this.#list.contains(document.activeElement);
        this.#list.replaceChildren();
        if (hadFocus) document.getElementById("content").focus({ preventScroll: true });
    }
}

let notices;

/** Makes new notices disappear after a while. */
export function expire(list) {
    notices ??= new Notices(list);
    notices.update();
}
