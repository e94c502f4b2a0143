/** What is chosen in the list is shown beside it, or in its place on narrow screens, without loading the page anew. */
export class Beside {
    #root;
    #list;
    #side;
    #live;

    constructor(root, list) {
        this.#root = root;
        this.#list = list;
        this.#side = root.querySelector(".detail-side");
        this.#live = this.#side?.querySelector(".live");
    }

    start() {
        if (!this.#live) return;
        document.addEventListener("click", this.#click);
        document.addEventListener("roost:morphed", this.#mark);
        addEventListener("popstate", this.#pop);
        history.scrollRestoration = "auto";
        this.#mark();
    }

    stop() {
        document.removeEventListener("click", this.#click);
        document.removeEventListener("roost:morphed", this.#mark);
        removeEventListener("popstate", this.#pop);
    }

    #click = (event) => {
        if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const row = event.target.closest?.(".list-side a.name");
        const back = event.target.closest?.("[data-back]");
        if (!row && !back) return;
        event.preventDefault();
        if (row) this.#open(row);
        else if (history.state?.beside) history.back();
        else this.#close();
    };

    #open({ href, textContent }) {
        this.#list.remember();
        history.pushState({ beside: true }, "", href);
        this.#show(textContent);
        this.#side.scrollTop = 0;
        if (!this.#isWide) {
            scrollTo(0, 0);
            this.#side.focus({ preventScroll: true });
        }
    }

    /** Of a page that began with the details: there is nothing to go back to. */
    #close() {
        const list = this.#root.querySelector(".list-side .live").dataset.live.replace("/rows", "");
        history.pushState(null, "", list);
        this.#show();
    }

    /** The list stays as it is now, however long it was when one was here before. */
    #pop = ({ state }) => {
        const isList = /^\/(repositories|bookmarks)$/.test(location.pathname);
        if (isList) history.replaceState(state, "", location.pathname + this.#list.query);
        this.#show(isList ? null : decodeURIComponent(location.pathname.replace("/repositories/", "")));
        if (isList && !this.#isWide) scrollTo(0, state?.top ?? 0);
    };

    /** Turns the page to what the address says; what stood here before goes at once. */
    #show(name = null) {
        const { pathname, search } = location;
        this.#root.classList.toggle("has-detail", name !== null);
        this.#live.dataset.live = name === null ? "/repositories/detail" : `${pathname}/detail${search}`;
        const waiting = document.createElement("p");
        waiting.className = "pending";
        waiting.textContent = name ? `${name} …` : "";
        this.#live.replaceChildren(waiting);
        this.#live.dispatchEvent(new CustomEvent("roost:refresh"));
        const place = this.#root.querySelector("h1").textContent;
        document.title = `${name ?? place} · Roost`;
        this.#mark();
    }

    /** Which row is shown. */
    #mark = () => {
        for (const link of this.#root.querySelectorAll(".list-side a.name")) {
            const isShown = link.pathname === location.pathname;
            if (isShown) link.setAttribute("aria-current", "true");
            else if (link.hasAttribute("aria-current")) link.removeAttribute("aria-current");
        }
    };

    get #isWide() {
        return matchMedia("(min-width: 1100px)").matches;
    }
}
