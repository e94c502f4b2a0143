const PAUSE = 250; // milliseconds after the last key, or the last movement
const NEAR = 1_200; // pixels between the last row and the visible edge

/** Loads code for touches and checkboxes on their first use, to keep pages small. */
function loadWhenUsed(side, swipes) {
    const touch = async (event) => (await import("./touch.js")).start(side, event, swipes);
    const choose = async ({ target }) => {
        if (!target.closest(".choose")) return;
        side.removeEventListener("change", choose);
        (await import("./selection.js")).start(side);
    };
    document.addEventListener("touchstart", touch, { once: true, passive: true });
    side.addEventListener("change", choose);
}

/**
 * A list that grows while scrolling, filters while typing and has collapsible groups. Its URL contains the whole state,
 * so it is the same after coming back.
 */
export class InfiniteList {
    #side;
    #live;
    #name;
    #requested;
    #pause;
    #saving;

    /**
     * `side` contains the list's region and scrolls separately on wide screens; `name` is "browse", "bookmarks" or
     * "reading".
     */
    constructor(side, name) {
        this.#side = side;
        this.#live = side.querySelector(".live");
        this.#name = name;
    }

    /** `swipes` are the list's own. */
    start(swipes) {
        document.addEventListener("scroll", this.#scrolled, { capture: true, passive: true });
        document.addEventListener("click", this.#click);
        document.addEventListener("input", this.#type);
        document.addEventListener("submit", this.#submit, { capture: true });
        document.addEventListener("roost:morphed", this.mark);
        addEventListener("popstate", this.#pop);
        loadWhenUsed(this.#side, swipes);
        this.#side.scrollTop = history.state?.listTop ?? 0;
        this.mark();
    }

    /** The page's URL, without the "/rows" of its region. */
    get address() {
        return this.#live.dataset.live.replace("/rows", "");
    }

    /** Saves the scroll position, and that of a followed link, in the history state: browsers only restore the window's. */
    remember(link) {
        const at = link?.getBoundingClientRect().top;
        history.replaceState({ ...history.state, listTop: this.#side.scrollTop, top: scrollY, link: link?.pathname, at }, "");
    }

    #detailPane = async () => new (await import("./detail-pane.js")).DetailPane(this);
    #pop = async () => {
        clearTimeout(this.#saving); // the position is that of the page before
        (await this.#detailPane()).pop();
    };

    /** Only scrolling loads more. A list that is short because groups are folded or filtered stays short. */
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

    /** Folds or unfolds a group; null scrolls to it. */
    #fold = async (group, isFolded) => (await import("./jump.js")).fold(this.#name, group, isFolded);

    #more({ search }) {
        if (this.#requested === search) return;
        this.#requested = search;
        this.#show(search);
    }

    #type = ({ target }) => {
        if (target.id !== "text") return;
        clearTimeout(this.#pause);
        this.#pause = setTimeout(() => {
            const fields = new URL(this.address, location).searchParams;
            if (target.value.trim()) fields.set("text", target.value);
            else fields.delete("text");
            this.#requested = null;
            this.#show(fields.size ? `?${fields}` : "");
        }, PAUSE);
    };

    #show(search) {
        this.#live.dataset.live = this.#live.dataset.live.replace(/\?.*|$/, search);
        const query = location.search.startsWith("?in=bookmarks") ? `?in=bookmarks${search.replace("?", "&")}` : search;
        history.replaceState(history.state, "", location.pathname + query);
        this.#live.dispatchEvent(new CustomEvent("roost:refresh"));
    }

    /** The form returns to the current URL, not to the one at rendering. */
    #submit = ({ target }) => {
        const back = target.elements.namedItem("back");
        if (back && target.closest(".explorer")) back.value = location.pathname + location.search;
    };

    /** Marks the row whose details are shown. */
    mark = () => {
        for (const link of this.#side.querySelectorAll("a.name")) {
            const shown = link.pathname === location.pathname ? "page" : null;
            if (link.ariaCurrent !== shown) link.ariaCurrent = shown;
        }
    };
}
