/** Shows the chosen item next to the list, or instead of it on narrow screens, without reloading the page. */
export class DetailPane {
    #list;
    #root;
    #side;
    #live;

    /** `root` contains the list and the pane. */
    constructor(list, root = document.querySelector(".explorer")) {
        this.#list = list;
        this.#root = root;
        this.#side = root.querySelector(".detail-side");
        this.#live = this.#side?.querySelector(".live");
    }

    /** Follows a row's link, or the link back to the list. */
    follow(link) {
        if (!("back" in link.dataset)) return this.#open(link);
        if (history.state?.pushed) return history.back();
        // The page was opened with the details, so there is no history entry to return to.
        history.pushState(null, "", this.#list.address);
        this.#show();
    }

    #open(link) {
        this.#list.remember(link);
        history.pushState({ ...history.state, pushed: true }, "", link.href);
        this.#show(link.textContent);
        this.#side.scrollTop = 0;
        if (this.#isWide) return;
        scrollTo(0, 0);
        this.#side.focus({ preventScroll: true });
    }

    /** Handles the browser's back and forward. The list keeps its current state. */
    pop() {
        if (!this.#live) return;
        const [, name] = location.pathname.split("/repositories/");
        if (!name) history.replaceState(history.state, "", this.#list.address);
        this.#show(name);
        if (name || this.#isWide) return;
        // Rows above the followed link may have changed while the list was hidden.
        const { top = 0, link, at } = history.state ?? {};
        const row = [...this.#root.querySelectorAll("a.name")].find(({ pathname }) => pathname === link);
        scrollTo(0, row ? scrollY + row.getBoundingClientRect().top - at : top);
    }

    /** Shows the repository that the URL names. */
    #show(name) {
        this.show(`${name ? location.pathname : "/repositories"}/detail${name ? location.search : ""}`, name);
        document.title = `${name ?? this.#root.querySelector("h1").textContent} · Roost`;
    }

    /** Shows what the address returns, and clears the previous content at once. Without a name the pane is closed. */
    show(address, name) {
        this.#root.classList.toggle("has-detail", !!name);
        this.#live.dataset.live = address;
        this.#live.textContent = name ? `${name} …` : "";
        this.#live.dispatchEvent(new CustomEvent("roost:refresh"));
        this.#list.mark();
    }

    get #isWide() {
        return matchMedia("(min-width: 1100px)").matches;
    }
}
