const DURATION = 1000; // milliseconds

/**
 * Briefly highlights the changed digits of a price by its direction, without changing its background. ES2017, for
 * walls.
 */
export class Tints {
    constructor() {
        this._previous = new WeakMap();
        this._compare = this._compare.bind(this);
    }

    start() {
        // Browsers without highlights show the new digits without colour.
        if (!("highlights" in CSS)) return;
        document.addEventListener("roost:morphed", this._compare);
        this._compare();
    }

    stop() {
        document.removeEventListener("roost:morphed", this._compare);
    }

    _compare() {
        for (const price of document.querySelectorAll("[data-flash]")) {
            const previous = this._previous.get(price);
            const text = this._visibleText(price).textContent;
            const value = Number(price.getAttribute("value"));
            this._previous.set(price, { text, value });
            if (previous && previous.value !== value) this._tint(price, previous, text, value > previous.value ? "rise" : "fall");
        }
    }

    /** The visible text. */
    _visibleText(price) {
        return price.querySelector("[aria-hidden]") || price;
    }

    _tint(price, previous, text, name) {
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        const ranges = [];
        const nodes = document.createTreeWalker(this._visibleText(price), NodeFilter.SHOW_TEXT);
        let at = 0;
        while (nodes.nextNode()) {
            const { currentNode: node } = nodes;
            for (let offset = 0; offset < node.length; offset += 1, at += 1) {
                // Digits are compared one by one if the length is the same; otherwise all are new.
                if (text.length === previous.text.length && text[at] === previous.text[at]) continue;
                const range = new Range();
                range.setStart(node, offset);
                range.setEnd(node, offset + 1);
                ranges.push(range);
            }
        }
        const highlight = CSS.highlights.get(name) || new Highlight();
        CSS.highlights.set(name, highlight);
        for (const range of ranges) highlight.add(range);
        setTimeout(() => ranges.forEach((range) => highlight.delete(range)), DURATION);
    }
}
