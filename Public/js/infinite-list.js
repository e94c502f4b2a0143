const PAUSE = 250; // milliseconds after the last key, or the last movement
const NEAR = 1_200; // pixels between the last row and the edge of what is seen

/** What a list does with keys, touches and boxes comes with the first of them: a page loads little. */
function loadWhenUsed(side, own) {
    let keys = [];
    let isChoosing = false;

    /** Whoever knows the keys is quicker than their script: what is pressed before it is here waits for it. */
    const key = async (event) => {
        if (event.key === "/" && event.target === document.body) event.preventDefault(); // Firefox finds with it
        if (keys.push(event) > 1) return;
        const script = await import(own?.keys ?? "./keyboard.js").catch(() => null);
        const pressed = keys;
        keys = [];
        if (!script) return;
        document.removeEventListener("keydown", key);
        script.start(pressed);
    };

    const touch = async (event) => (await import("./touch.js")).start(side, event, own?.swipes);
    const choose = async ({ target }) => {
        if (isChoosing || !target.closest(".choose")) return;
        isChoosing = true;
        (await import("./selection.js")).start(side);
    };
    document.addEventListener("keydown", key);
    document.addEventListener("touchstart", touch, { once: true, passive: true });
    side.addEventListener("change", choose);
}

/**
 * A list that grows while one reads on, is filtered while one types, keeps its groups folded, and is the same again
 * when one comes back: its address says all of it.
 */
export class InfiniteList {
    #side;
    #live;
    #name;
    #asked;
    #pause;
    #saving;

    /** `side` holds the list's region and scrolls by itself on wide screens; `name` is "browse", "bookmarks" or "reading". */
    constructor(side, name) {
        this.#side = side;
        this.#live = side.querySelector(".live");
        this.#name = name;
    }

    /** `own` may name the script with the list's own keys, and what its swipes do. */
    start(own) {
        document.addEventListener("scroll", this.#scrolled, { capture: true, passive: true });
        document.addEventListener("click", this.#click);
        document.addEventListener("input", this.#type);
        document.addEventListener("submit", this.#submit, { capture: true });
        document.addEventListener("roost:morphed", this.mark);
        addEventListener("popstate", this.#pop);
        loadWhenUsed(this.#side, own);
        this.#side.scrollTop = history.state?.listTop ?? 0;
        this.mark();
    }

    /** The list's address: its page, or with "/rows" its region. */
    get address() {
        return this.#live.dataset.live.replace("/rows", "");
    }

    /** Remembers with the page how far the list is scrolled: browsers do so only for the window. */
    remember() {
        history.replaceState({ ...history.state, listTop: this.#side.scrollTop, top: scrollY }, "");
    }

    #detailPane = async () => new (await import("./detail-pane.js")).DetailPane(this);
    #pop = async () => (await this.#detailPane()).pop();

    /** Only scrolling asks for more: a list that is short because much of it is folded or filtered away stays so. */
    #scrolled = () => {
        clearTimeout(this.#saving);
        this.#saving = setTimeout(() => this.remember(), PAUSE);
        const link = this.#live.querySelector("[data-more]");
        if (!link?.checkVisibility() || document.getElementById("text")?.value.trim()) return;
        const edge = Math.min(innerHeight, this.#side.getBoundingClientRect().bottom);
        if (link.getBoundingClientRect().top < edge + NEAR) this.#more(link);
    };

    #click = (event) => {
        const summary = event.target.closest(".repo-group > summary");
        if (summary) this.#fold(summary.parentElement, summary.parentElement.open);
        document.querySelector(".view[open]:not(:hover)")?.removeAttribute("open");
        const link = event.target.closest("[data-more], .index a, .explorer:has(.detail-side) :is(.repo a.name, [data-back])");
        if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const group = link.hash && document.getElementById(link.hash.slice(1));
        if (link.hash && !group) return;
        event.preventDefault();
        if (group) this.#fold(group, null);
        else if ("more" in link.dataset) this.#more(link);
        else this.#detailPane().then((pane) => pane.follow(link));
    };

    /** Folds the group or opens it; null goes to it. */
    #fold = async (group, isFolded) => (await import("./jump.js")).fold(this.#name, group, isFolded);

    #more({ search }) {
        if (this.#asked === search) return;
        this.#asked = search;
        this.#show(search);
    }

    #type = ({ target }) => {
        if (target.id !== "text") return;
        clearTimeout(this.#pause);
        this.#pause = setTimeout(() => {
            const fields = new URL(this.address, location).searchParams;
            if (target.value.trim()) fields.set("text", target.value);
            else fields.delete("text");
            this.#asked = null;
            this.#show(fields.size ? `?${fields}` : "");
        }, PAUSE);
    };

    #show(search) {
        this.#live.dataset.live = this.#live.dataset.live.replace(/\?.*|$/, search);
        const isKept = location.search.startsWith("?in=bookmarks");
        const query = isKept ? `?in=bookmarks${search.replace("?", "&")}` : search;
        history.replaceState(history.state, "", location.pathname + query);
        this.#live.dispatchEvent(new CustomEvent("roost:refresh"));
    }

    /** A form comes back to where one is now, not to where one was when it was rendered. */
    #submit = ({ target }) => {
        const back = target.elements.namedItem("back");
        if (back && target.closest(".explorer")) back.value = location.pathname + location.search;
    };

    /** Says which row is shown. */
    mark = () => {
        for (const link of this.#side.querySelectorAll("a.name")) {
            const shown = link.pathname === location.pathname ? "page" : null;
            if (link.ariaCurrent !== shown) link.ariaCurrent = shown;
        }
    };
}
