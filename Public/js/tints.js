const LASTING = 1000; // milliseconds

/** Tints for a moment the changed figures of a price, by its direction; the ground stays as it is. ES2017, for walls. */
export class Tints {
    constructor() {
        this._seen = new WeakMap();
        this._look = this._look.bind(this);
    }

    start() {
        // Browsers without highlights show the new figures all the same.
        if (!("highlights" in CSS)) return;
        document.addEventListener("roost:morphed", this._look);
        this._look();
    }

    stop() {
        document.removeEventListener("roost:morphed", this._look);
    }

    _look() {
        for (const price of document.querySelectorAll("[data-flash]")) {
            const before = this._seen.get(price);
            const text = this._shown(price).textContent;
            const value = Number(price.getAttribute("value"));
            this._seen.set(price, { text, value });
            if (before && before.value !== value) this._tint(price, before, text, value > before.value ? "rise" : "fall");
        }
    }

    /** What is written for the eye. */
    _shown(price) {
        return price.querySelector("[aria-hidden]") || price;
    }

    _tint(price, before, text, name) {
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        const ranges = [];
        const nodes = document.createTreeWalker(this._shown(price), NodeFilter.SHOW_TEXT);
        let at = 0;
        while (nodes.nextNode()) {
            const { currentNode: node } = nodes;
            for (let offset = 0; offset < node.length; offset += 1, at += 1) {
                // Of as many figures each is compared with the one in its place; more or fewer are all new.
                if (text.length === before.text.length && text[at] === before.text[at]) continue;
                const range = new Range();
                range.setStart(node, offset);
                range.setEnd(node, offset + 1);
                ranges.push(range);
            }
        }
        const highlight = CSS.highlights.get(name) || new Highlight();
        CSS.highlights.set(name, highlight);
        for (const range of ranges) highlight.add(range);
        setTimeout(() => ranges.forEach((range) => highlight.delete(range)), LASTING);
    }
}
