import { isSignedOut, notice } from "./banner.js";
import { Combobox, element } from "./combobox.js";
import { post, token } from "./forms.js";
import { Reorder } from "./reorder.js";

/** Adding by typing, and ordering by dragging. */
class Watchlist {
    #list = document.querySelector(".board .live");
    #search = document.querySelector("[data-coin-search]");
    #parts = [
        new Combobox(this.#search, {
            isListed: (id) => this.#ids().includes(id),
            row: (coin, index) => this.#option(coin, index),
            choose: (id) => post("/watchlist", { coinId: id, ...this.#named() }),
        }),
        new Reorder(this.#list, { dropped: (order) => this.#save(order) }),
    ];

    start() {
        for (const part of this.#parts) part.start();
    }

    stop() {
        for (const part of this.#parts) part.stop();
    }

    /** The list that the page names; without one the first is meant. */
    #named() {
        const list = this.#search.elements.list?.value;
        return list ? { list } : {};
    }

    #ids() {
        return [...this.#list.querySelectorAll(".row")].map((row) => row.dataset.key);
    }

    /** A coin as the search offers it; one that is on the list already cannot be chosen. */
    #option({ id, symbol, name, rank }, index) {
        const row = element("li");
        const listed = this.#ids().includes(id);
        row.id = `coin-option-${index}`;
        row.dataset.coin = id;
        row.setAttribute("role", "option");
        row.setAttribute("aria-selected", "false");
        if (listed) row.setAttribute("aria-disabled", "true");
        const who = element("span", "main");
        who.append(element("span", "name", name), " ", element("span", "symbol", symbol.toUpperCase()));
        const facts = element("span", "facts", rank ? `#${rank} · ` : "");
        facts.append(element("code", "", id));
        row.append(who, facts);
        if (listed) row.append(element("span", "listed", "✓ on your list"));
        return row;
    }

    /** Throws away nothing: the order on the page goes back to the saved one if this fails, and the reason is said. */
    async #save(order) {
        let why = "The new order could not be saved: Roost does not answer.";
        try {
            const headers = { "Content-Type": "application/json", ...token() };
            const response = await fetch(`/api/v1/watchlist?${new URLSearchParams(this.#named())}`, { method: "PATCH", headers, body: JSON.stringify({ order }) });
            if (response.ok) return true;
            if (isSignedOut(response)) return false;
            why = (await response.json()).error?.message ?? why;
        } catch {
            // The sentence above says it.
        }
        notice(why);
        return false;
    }
}

new Watchlist().start();
