import { isSignedOut } from "./banner.js";
import { clock } from "./clock.js";

const PAUSE = 120; // milliseconds after the last key
export const element = (name, className = "", textContent = "") =>
    Object.assign(document.createElement(name), { className, textContent });

/** Suggests coins below the field: arrows choose, Enter adds, Escape closes. */
export class Combobox {
    #form;
    #input;
    #options;
    #list = element("ul", "options panel");
    #status = element("p", "sr-only");
    #active = -1;
    #searching = false;
    #entered = false;
    #timer;
    #request;

    constructor(form, options) {
        this.#form = form;
        this.#input = form.querySelector("[name=q]");
        this.#options = options;
    }

    start() {
        Object.assign(this.#list, { id: "coin-options", role: "listbox", hidden: true, ariaLabel: "Coins" });
        this.#status.setAttribute("role", "status");
        for (const part of [this.#list, this.#status, this.#input]) part.dataset.owned = "";
        const states = {
            role: "combobox", "aria-autocomplete": "list", "aria-controls": "coin-options", "aria-expanded": "false",
        };
        for (const [name, value] of Object.entries(states)) this.#input.setAttribute(name, value);
        this.#form.parentElement.append(this.#list, this.#status);
        this.#input.addEventListener("input", this.#type);
        this.#input.addEventListener("keydown", this.#key);
        this.#input.addEventListener("blur", this.#close);
        this.#list.addEventListener("pointerdown", this.#keepFocus);
        this.#list.addEventListener("click", this.#click);
    }

    stop() {
        this.#close();
        this.#list.remove();
        this.#status.remove();
        this.#input.removeEventListener("input", this.#type);
        this.#input.removeEventListener("keydown", this.#key);
        this.#input.removeEventListener("blur", this.#close);
    }

    #type = () => {
        clearTimeout(this.#timer);
        this.#request?.abort();
        if (!this.#input.value.trim()) return this.#close();
        this.#entered = false;
        this.#searching = true;
        this.#active = -1;
        this.#timer = setTimeout(() => this.#search(), PAUSE);
    };

    async #search() {
        const request = (this.#request = new AbortController());
        try {
            const address = `/api/v1/coins?q=${encodeURIComponent(this.#input.value.trim())}`;
            const response = await fetch(address, { signal: request.signal });
            clock.sync(response);
            if (isSignedOut(response)) return this.#close();
            if (!response.ok) throw new Error(`status ${response.status}`);
            const { items, pending, message } = await response.json();
            if (request.signal.aborted) return;
            this.#searching = pending && !items.length;
            if (pending) this.#timer = setTimeout(() => this.#search(), 2_000);
            this.#show(items, message);
        } catch {
            if (request.signal.aborted) return;
            this.#searching = false;
            this.#show([], "Roost does not answer. Search is unavailable for now.");
        }
    }

    #show(items, message) {
        // A response that extends the last one keeps the selected row.
        const selected = this.#list.children[this.#active]?.dataset.coin;
        const rows = items.map((item, index) => this.#options.row(item, index));
        this.#list.replaceChildren(...rows);
        if (message) {
            const row = element("li", "pending", message);
            row.setAttribute("role", "option");
            row.setAttribute("aria-disabled", "true");
            this.#list.append(row);
        }
        this.#list.hidden = false;
        this.#input.setAttribute("aria-expanded", "true");
        this.#status.textContent = [items[0] && `${items.length} ${items.length > 1 ? "coins" : "coin"} found.`, message].join(" ");
        this.#activate(Math.max(items.length ? 0 : -1, items.findIndex(({ id }) => id === selected)));
        if (this.#entered && !this.#searching) this.#choose(rows[this.#active]);
    }

    #activate(index) {
        const rows = [...this.#list.querySelectorAll("[data-coin]")];
        this.#active = rows.length && index >= 0 ? index % rows.length : -1;
        rows.forEach((row, at) => row.setAttribute("aria-selected", String(at === this.#active)));
        const row = rows[this.#active];
        if (row) this.#input.setAttribute("aria-activedescendant", row.id);
        else this.#input.removeAttribute("aria-activedescendant");
        row?.scrollIntoView({ block: "nearest" });
    }

    #key = (event) => {
        if (event.isComposing) return;
        if (event.key === "Enter" && this.#searching) {
            // Enter is handled when the response arrives.
            this.#entered = true;
            return event.preventDefault();
        }
        if (this.#list.hidden) return;
        const count = this.#list.querySelectorAll("[data-coin]").length;
        const keys = {
            ArrowDown: () => this.#activate(this.#active + 1),
            ArrowUp: () => this.#activate(this.#active < 1 ? count - 1 : this.#active - 1),
            Escape: () => this.#close(),
            Enter: () => this.#choose(this.#list.querySelectorAll("[data-coin]")[this.#active]),
        };
        if (!keys[event.key] || (event.key === "Enter" && this.#active < 0)) return;
        event.preventDefault();
        keys[event.key]();
    };

    #keepFocus = (event) => event.preventDefault(); // the input keeps the focus
    #click = (event) => this.#choose(event.target.closest("[data-coin]"));

    async #choose(row) {
        if (!row || row.hasAttribute("aria-disabled")) return;
        this.#close();
        const isDone = await this.#options.choose(row.dataset.coin);
        if (isDone?.length) this.#status.textContent = isDone;
        this.#input.focus({ preventScroll: true });
        // The text stays selected, so that typing replaces it.
        if (isDone) this.#input.select();
    }

    #close = () => {
        clearTimeout(this.#timer);
        this.#request?.abort();
        this.#searching = this.#entered = false;
        this.#list.hidden = true;
        this.#input.setAttribute("aria-expanded", "false");
        this.#input.removeAttribute("aria-activedescendant");
        this.#active = -1;
    };
}
