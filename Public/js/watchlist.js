import { isSignedOut, notice } from "./banner.js";
import { Combobox, element } from "./combobox.js";
import { post, token } from "./forms.js";
import { Reorder } from "./reorder.js";

/** Adds coins while typing, and orders them by dragging. */
class Watchlist {
    #list = document.querySelector(".board .live");
    #search = document.querySelector("[data-coin-search]");
    #parts = [
        new Combobox(this.#search, {
            row: (coin, index) => this.#option(coin, index),
            choose: (id) => this.#ids().includes(id) ? this.#reveal(id) : post("/watchlist", { coinId: id, ...this.#selectedList() }),
        }),
        new Reorder(this.#list, { dropped: (order) => this.#save(order) }),
    ];

    start() {
        for (const part of this.#parts) part.start();
    }

    stop() {
        for (const part of this.#parts) part.stop();
    }

    /** The list selected on the page; without one Roost uses the first. */
    #selectedList() {
        const list = this.#search.elements.list?.value;
        return list ? { list } : {};
    }

    #ids() {
        return [...this.#list.querySelectorAll(".row")].map((row) => row.dataset.key);
    }

    /** Scrolls to a coin's row, which CSS highlights as the page's target, and returns the sentence for screen readers. */
    #reveal(id) {
        location.replace(`#listed-${encodeURIComponent(id)}`);
        return "This coin is already on your list.";
    }

    /** A coin in the suggestions. */
    #option({ id, symbol, name, rank }, index) {
        const row = element("li");
        const isListed = this.#ids().includes(id);
        row.id = `coin-option-${index}`;
        row.dataset.coin = id;
        row.setAttribute("role", "option");
        row.setAttribute("aria-selected", "false");
        const main = element("span", "main");
        main.append(element("span", "name", name), " ", element("span", "symbol", symbol.toUpperCase()));
        const facts = element("span", "facts", rank ? `#${rank} · ` : "");
        facts.append(element("code", "", id));
        row.append(main, facts);
        if (isListed) row.append(element("span", "listed", "on your list"));
        return row;
    }

    /** Saves the order. On failure the page returns to the saved one and shows the reason. */
    async #save(order) {
        let reason = "Couldn’t save the new order: Roost isn’t responding.";
        try {
            const headers = { "Content-Type": "application/json", ...token() };
            const response = await fetch(`/api/v1/watchlist?${new URLSearchParams(this.#selectedList())}`, { method: "PATCH", headers, body: JSON.stringify({ order }) });
            if (response.ok) return true;
            if (isSignedOut(response)) return false;
            reason = (await response.json()).error?.message ?? reason;
        } catch {
            // Reported below.
        }
        notice(reason);
        return false;
    }
}

new Watchlist().start();
