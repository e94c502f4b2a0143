import { isSignedOut } from "./banner.js";
import { make } from "./element.js";
import { own } from "./forms.js";
import { parse } from "./morph.js";
import { putBack } from "./pull-typed.js";

const NEAR = "900px 0px"; // how far below the screen a diff is loaded
const FIRST = 300; // rows of a diff that are drawn before the others

/** Takes the rows after the first ones out of their tables: the layout of thousands takes half a second. */
function takeRest(body) {
    const rest = [...body.querySelectorAll(".diff > tbody > tr")].slice(FIRST).map((row) => [row.parentElement, row]);
    for (const [, row] of rest) row.remove();
    return rest;
}

/** Waits until the page has been drawn. A page in the background is not. */
const drawn = () => new Promise((done) => document.hidden ? done() : requestAnimationFrame(() => setTimeout(done)));

/**
 * Loads the diff of each file that is open and near the screen. `side` contains the files; `scroller` is the element
 * that scrolls them, or null for the window.
 */
export class PullDiffs {
    #side;
    #observer;

    constructor(side, scroller = null) {
        this.#side = side;
        this.#observer = new IntersectionObserver((entries) => {
            for (const { isIntersecting, target } of entries) if (isIntersecting) this.#load(target);
        }, { root: scroller, rootMargin: NEAR });
    }

    start() {
        document.addEventListener("roost:morphed", this.#observe);
        this.#side.addEventListener("click", this.#click);
        this.#observe();
    }

    stop() {
        document.removeEventListener("roost:morphed", this.#observe);
        this.#side.removeEventListener("click", this.#click);
        this.#observer.disconnect();
    }

    /** Observing again reports a box that is visible now, because its address may have changed. */
    #observe = () => {
        this.#observer.disconnect();
        for (const box of this.#side.querySelectorAll("[data-diff]")) this.#observer.observe(box);
    };

    /** Shows all lines of a file, or only its changes again, until its diff has another address. */
    #click = (event) => {
        const link = event.target.closest("[data-lines]");
        const box = link?.closest("[data-diff]");
        if (!box || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.#load(box, own(link.dataset.lines));
    };

    /** The diff is in an element of its own, which an update of the page leaves alone. */
    async #load(box, lines) {
        const address = own(box.dataset.diff);
        let content = box.querySelector(":scope > [data-owned]");
        if (!address || (!lines && content?.dataset.address === address)) return;
        if (!content) box.append(content = make("div", { textContent: "Loading …" }));
        Object.assign(content.dataset, { owned: "", address });
        try {
            const response = await fetch(lines || address);
            if (isSignedOut(response)) return;
            if (!response.ok || response.redirected) throw new Error(`status ${response.status}`);
            const { body } = parse(await response.text());
            if (content.dataset.address !== address) return;
            const rest = takeRest(body);
            content.replaceChildren(...body.childNodes);
            if (rest.length) await drawn();
            for (const [group, row] of rest) group.append(row);
            putBack(content);
            if (lines) content.querySelector("[data-lines]")?.focus({ preventScroll: true });
        } catch {
            if (!lines) content.remove(); // the link to the changes is visible again
        }
    }
}
