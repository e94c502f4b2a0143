const LASTING = 1_000; // milliseconds

/** Tints for a moment the figures of a price that have changed, by where it went; what it stands on stays as it is. */
export class Tints {
    #seen = new WeakMap();

    start() {
        // Browsers without highlights show the new figures all the same.
        if (!("highlights" in CSS)) return;
        document.addEventListener("roost:morphed", this.#look);
        this.#look();
    }

    stop() {
        document.removeEventListener("roost:morphed", this.#look);
    }

    #look = () => {
        for (const price of document.querySelectorAll("[data-flash]")) {
            const before = this.#seen.get(price);
            const text = this.#shown(price).textContent;
            const value = Number(price.getAttribute("value"));
            this.#seen.set(price, { text, value });
            if (before && before.value !== value) this.#tint(price, before, text, value > before.value ? "rise" : "fall");
        }
    };

    /** What is written for the eye. */
    #shown(price) {
        return price.querySelector("[aria-hidden]") ?? price;
    }

    #tint(price, before, text, name) {
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        const ranges = [];
        const nodes = document.createTreeWalker(this.#shown(price), NodeFilter.SHOW_TEXT);
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
        const highlight = CSS.highlights.get(name) ?? new Highlight();
        CSS.highlights.set(name, highlight);
        for (const range of ranges) highlight.add(range);
        setTimeout(() => ranges.forEach((range) => highlight.delete(range)), LASTING);
    }
}
