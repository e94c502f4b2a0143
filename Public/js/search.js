import { isSignedOut } from "./banner.js";
import { make } from "./element.js";
import { parse } from "./morph.js";

const PAUSE = 60; // milliseconds after the last key
const SILENT = "Roost does not answer. Search is unavailable for now.";

/** The search of everything over any page: arrows choose, Enter opens, Ctrl Enter opens in a new tab, Escape closes. */
class Search {
    // Not of type "search": there, Escape would only empty the field.
    #input = make("input", {
        type: "text", enterKeyHint: "search", spellcheck: false, maxLength: 200, placeholder: "Search everything", autocomplete: "off", role: "combobox",
        ariaLabel: "Search everything", ariaAutoComplete: "list", ariaExpanded: "false",
    });
    #found = make("div", { className: "search-found" });
    #dialog = make(
        "dialog",
        { className: "search-dialog", ariaLabel: "Search everything" },
        this.#input,
        this.#found,
        make("p", { className: "search-keys", ariaHidden: "true" }, "↑ ↓ choose · Enter opens · Ctrl Enter in a new tab · Esc closes"),
    );
    #timer;
    #request;
    #entered;

    constructor() {
        this.#input.addEventListener("input", this.#type);
        this.#dialog.addEventListener("keydown", this.#key);
        this.#dialog.addEventListener("click", this.#click);
        this.#dialog.addEventListener("pointermove", this.#hover);
        this.#dialog.addEventListener("close", () => {
            this.#request?.abort();
            this.#input.blur();
        });
        this.#dialog.dataset.owned = "";
        document.body.append(this.#dialog);
    }

    open() {
        if (this.#dialog.open) return this.#input.select();
        this.#dialog.showModal();
        this.#input.focus();
        this.#input.select();
        this.#search();
    }

    #type = () => {
        clearTimeout(this.#timer);
        this.#request?.abort();
        this.#request = null;
        this.#timer = setTimeout(this.#search, PAUSE);
    };

    #search = async () => {
        clearTimeout(this.#timer);
        this.#timer = null;
        this.#request?.abort();
        const request = (this.#request = new AbortController());
        try {
            const address = `/search/results?q=${encodeURIComponent(this.#input.value)}`;
            const response = await fetch(address, { signal: request.signal, cache: "no-store" });
            if (isSignedOut(response)) return this.#dialog.close();
            if (!response.ok) throw new Error(`status ${response.status}`);
            const page = parse(await response.text());
            if (request.signal.aborted) return;
            this.#found.replaceChildren(...page.body.childNodes);
            for (const back of this.#found.querySelectorAll("[name=back]")) back.value = location.pathname + location.search;
            this.#input.setAttribute("aria-controls", "search-options");
            this.#input.ariaExpanded = String(this.#options.length > 0);
            this.#activate(0);
        } catch {
            if (request.signal.aborted) return;
            this.#found.replaceChildren(make("p", { className: "empty", role: "alert" }, SILENT));
            this.#input.removeAttribute("aria-activedescendant");
            this.#input.ariaExpanded = "false";
        }
        this.#request = null;
        const entered = this.#entered;
        this.#entered = null;
        if (entered) this.#choose(this.#active, entered.isNewTab);
    };

    get #options() {
        return [...this.#found.querySelectorAll("[role=option]")];
    }

    get #active() {
        return this.#found.querySelector("[aria-selected=true]");
    }

    #activate(index) {
        const options = this.#options;
        const option = options.at(index % (options.length || 1));
        options.forEach((other, at) => {
            other.id = `search-option-${at}`;
            other.ariaSelected = String(other === option);
        });
        if (option) this.#input.setAttribute("aria-activedescendant", option.id);
        else this.#input.removeAttribute("aria-activedescendant");
        option?.scrollIntoView({ block: "nearest" });
    }

    #key = (event) => {
        if (event.isComposing) return;
        const at = this.#options.indexOf(this.#active);
        const keys = {
            ArrowDown: () => this.#activate(at + 1),
            ArrowUp: () => this.#activate(at < 0 ? -1 : at - 1),
            Enter: () => this.#enter(event.ctrlKey || event.metaKey),
        };
        // Keys of the page behind do nothing; Escape is the browser's, which closes the dialog.
        event.stopPropagation();
        if (!keys[event.key]) return;
        event.preventDefault();
        keys[event.key]();
    };

    /** Waits for the results of what was typed last. */
    #enter(isNewTab) {
        if (!this.#timer && !this.#request) return this.#choose(this.#active, isNewTab);
        this.#entered = { isNewTab };
        if (this.#timer) this.#search();
    }

    #choose(option, isNewTab) {
        if (!option) return;
        if (isNewTab && option.href) window.open(option.href, "_blank", "noopener");
        else option.click();
    }

    #click = (event) => {
        const option = event.target.closest("[role=option]");
        // Only the backdrop is the dialog itself; a page that the browser keeps must not come back with the dialog.
        if (event.target === this.#dialog || (option?.href && !(event.ctrlKey || event.metaKey || event.shiftKey))) this.#dialog.close();
    };

    #hover = (event) => {
        const option = event.target.closest("[role=option]");
        if (option && option !== this.#active) this.#activate(this.#options.indexOf(option));
    };
}

/** The dialog appears with its styles. */
const search = new Promise((done) => {
    const href = new URL("../css/search.css", import.meta.url);
    if (document.querySelector("[rel=stylesheet][href$='/css/search.css']")) return done(new Search());
    const styles = make("link", { rel: "stylesheet", href });
    styles.onload = styles.onerror = () => done(new Search());
    document.head.append(styles);
});

/** Opens the dialog, or goes to the field of the search's own page. */
export async function open() {
    const field = document.querySelector(".search-form [name=q]");
    if (field) field.select();
    else (await search).open();
}
