const PAUSE = 250; // milliseconds after the last key
const NEAR = 1_200; // pixels between the last row and the edge of what is seen

/**
 * A list that grows while one reads on, is filtered while one types, and is the same again when one comes back:
 * its address says all of it.
 */
export class LongList {
    #side;
    #live;
    #asked = null;
    #pause;
    #saving;

    /** `side` holds the list's region, and scrolls by itself on wide screens. */
    constructor(side) {
        this.#side = side;
        this.#live = side.querySelector(".live");
    }

    start() {
        document.addEventListener("scroll", this.#scrolled, { capture: true, passive: true });
        document.addEventListener("click", this.#click);
        document.addEventListener("input", this.#type);
        document.addEventListener("submit", this.#submit, { capture: true });
        this.#side.scrollTop = history.state?.listTop ?? 0;
    }

    stop() {
        document.removeEventListener("scroll", this.#scrolled, { capture: true });
        document.removeEventListener("click", this.#click);
        document.removeEventListener("input", this.#type);
        document.removeEventListener("submit", this.#submit, { capture: true });
        clearTimeout(this.#pause);
        clearTimeout(this.#saving);
    }

    /** The list's own query, with its "?". */
    get query() {
        return new URL(this.#live.dataset.live, location).search;
    }

    /** Remembers with the page how far the list is scrolled: browsers do so only for the window. */
    remember() {
        history.replaceState({ ...history.state, listTop: this.#side.scrollTop, top: scrollY }, "");
    }

    /** Only scrolling asks for more: a list that is short because much of it is folded or filtered away stays so. */
    #scrolled = () => {
        clearTimeout(this.#saving);
        this.#saving = setTimeout(() => this.remember(), PAUSE);
        const link = this.#live.querySelector("[data-more]");
        if (!link || document.getElementById("text")?.value.trim() || !link.checkVisibility()) return;
        const box = this.#side.getBoundingClientRect();
        const edge = Math.min(innerHeight, box.bottom);
        if (link.getBoundingClientRect().top < edge + NEAR) this.#more(link);
    };

    #click = (event) => {
        const link = event.target.closest?.("[data-more]");
        if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.#more(link);
    };

    #more(link) {
        const { search } = new URL(link.href);
        if (this.#asked === search) return;
        this.#asked = search;
        link.classList.add("busy");
        this.#show(search);
    }

    #type = ({ target }) => {
        if (target.id !== "text" || !target.form) return;
        clearTimeout(this.#pause);
        this.#pause = setTimeout(() => {
            const fields = new URLSearchParams(this.query);
            if (target.value.trim()) fields.set("text", target.value);
            else fields.delete("text");
            this.#asked = null;
            this.#show(fields.size ? `?${fields}` : "");
        }, PAUSE);
    };

    #show(search) {
        const { pathname } = new URL(this.#live.dataset.live, location);
        this.#live.dataset.live = pathname + search;
        const mark = new URLSearchParams(location.search).get("in");
        const query = mark ? `?in=${mark}${search.replace("?", "&")}` : search;
        history.replaceState(history.state, "", location.pathname + query);
        this.#live.dispatchEvent(new CustomEvent("roost:refresh"));
    }

    /** A form comes back to where one is now, not to where one was when it was rendered. */
    #submit = ({ target }) => {
        const back = target.elements.namedItem("back");
        if (back && target.closest(".explorer")) back.value = location.pathname + location.search;
    };
}
