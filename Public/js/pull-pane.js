import { DetailPane } from "./detail-pane.js";
import { make } from "./element.js";
import { own, token } from "./forms.js";
import { PullDiffs } from "./pull-diffs.js";

const PAUSE = 200; // milliseconds after the last move to another row
const LOOK = 600; // milliseconds until a shown pull request counts as looked at
const CLOSED = "pull-pane-closed";

/** Loads the styles of pull requests once. Without them the pane is still readable. */
const styles = Promise.all(["pull", "diff", "pull-forms"].map((name) => new Promise((done) => {
    const href = new URL(`../css/${name}.css`, import.meta.url).href;
    document.head.append(make("link", { rel: "stylesheet", href, onload: done, onerror: done }));
})));

/** Shows the chosen pull request next to the inbox. */
class PullPane {
    #root = document.querySelector(".inbox-columns");
    #side = this.#root.querySelector(".detail-side");
    #details = new DetailPane(this, this.#root);
    /** The address of the shown pull request's page, or null. */
    #shown = null;
    #pause;
    #look;

    start() {
        this.#side.addEventListener("click", this.#click);
        document.addEventListener("roost:morphed", this.mark);
        new PullDiffs(this.#side, this.#side).start();
        return this;
    }

    get isOpen() {
        return this.#shown !== null;
    }

    /** Shows the row's pull request after a pause, unless the reader has closed the pane. */
    follow(row) {
        clearTimeout(this.#pause);
        if (!row || (!this.isOpen && sessionStorage.getItem(CLOSED))) return;
        this.#pause = setTimeout(() => this.show(row), PAUSE);
    }

    async show(row) {
        const link = row.querySelector("a.name");
        const address = own(link.getAttribute("href"));
        if (!address || !row.isConnected || this.#shown === address) return;
        sessionStorage.removeItem(CLOSED);
        await styles;
        this.#shown = address;
        this.#side.querySelector(".pane-page").href = address;
        this.#load(`${link.pathname}/pane${link.search}`, link.textContent);
        row.scrollIntoView({ block: "nearest" }); // the rows above are higher next to the pane
        clearTimeout(this.#look);
        this.#look = setTimeout(() => this.#prefetch(row), LOOK);
    }

    /** Tells Roost which pull request is next in the list, so that it may fetch it before it is shown. */
    #prefetch(row) {
        const rows = [...this.#root.querySelectorAll(".pull")].filter((other) => other.checkVisibility());
        const link = rows[rows.indexOf(row) + 1]?.querySelector("a.name");
        const address = row.isConnected && link && own(`${link.pathname}/prefetch${link.search}`);
        // Without this, it is fetched when it is shown.
        if (address) fetch(address, { method: "POST", headers: token() }).catch(() => {});
    }

    close() {
        clearTimeout(this.#pause);
        clearTimeout(this.#look);
        sessionStorage.setItem(CLOSED, "true");
        this.#shown = null;
        this.#details.show("", "");
    }

    #load(address, name) {
        this.#details.show(address, name);
        this.#side.scrollTop = 0;
    }

    #click = (event) => {
        const link = event.target.closest("[data-pane], .pane-close");
        if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        if (link.dataset.pane) this.#load(link.dataset.pane, this.#side.querySelector(".pull-title")?.textContent ?? "…");
        else this.close();
    };

    /** Marks the row of the shown pull request. If that has left the list, shows the one with the focus. */
    mark = () => {
        let isListed = false;
        for (const link of this.#root.querySelectorAll(".pull a.name")) {
            const isShown = link.getAttribute("href") === this.#shown;
            if (link.ariaCurrent !== (isShown ? "true" : null)) link.ariaCurrent = isShown ? "true" : null;
            isListed ||= isShown;
        }
        // The address in the pane has the time of the look that opened it, which updates do not change.
        const live = this.#side.querySelector(".live");
        const tab = live.querySelector(".pull-tabs [aria-current]");
        if (tab && !live.dataset.live.includes("seen=")) live.dataset.live = tab.dataset.pane;
        if (this.isOpen && !isListed) this.follow(document.activeElement.closest(".pull"));
    };
}

export const pane = new PullPane().start();
