/** What is chosen in the list is shown beside it, or in its place on narrow screens, without loading the page anew. */
export class DetailPane {
    #list;
    #root = document.querySelector(".explorer");
    #side = this.#root.querySelector(".detail-side");
    #live = this.#side?.querySelector(".live");

    constructor(list) {
        this.#list = list;
    }

    /** A row's link, or the way back to the list. */
    follow(link) {
        if (!("back" in link.dataset)) return this.#open(link);
        if (history.state?.beside) return history.back();
        // The page began with the details: there is nothing to go back to.
        history.pushState(null, "", this.#list.address);
        this.#show();
    }

    #open({ href, textContent }) {
        this.#list.remember();
        history.pushState({ ...history.state, beside: true }, "", href);
        this.#show(textContent);
        this.#side.scrollTop = 0;
        if (this.#isWide) return;
        scrollTo(0, 0);
        this.#side.focus({ preventScroll: true });
    }

    /** After the browser's own back and forth: the list stays as it is now, however long it was there before. */
    pop() {
        if (!this.#live) return;
        const name = location.pathname.match(/^\/repositories\/(.+)/)?.[1];
        if (!name) history.replaceState(history.state, "", this.#list.address);
        this.#show(name);
        if (!name && !this.#isWide) scrollTo(0, history.state?.top ?? 0);
    }

    /** Turns the page to what its address says; what stood here before goes at once. */
    #show(name) {
        this.#root.classList.toggle("has-detail", !!name);
        this.#live.dataset.live = `${name ? location.pathname : "/repositories"}/detail${name ? location.search : ""}`;
        this.#live.textContent = name ? `${name} …` : "";
        this.#live.dispatchEvent(new CustomEvent("roost:refresh"));
        document.title = `${name ?? this.#root.querySelector("h1").textContent} · Roost`;
        this.#list.mark();
    }

    get #isWide() {
        return matchMedia("(min-width: 1100px)").matches;
    }
}
