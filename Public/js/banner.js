import { clockText } from "./clock.js";

/** One quiet sentence about Roost itself, above the page. */
export class Banner {
    #element;
    #updated = false;
    #since = null;

    constructor(element) {
        this.#element = element;
    }

    offline(since) {
        this.#since = since;
        this.#show();
    }

    updated() {
        this.#updated = true;
        this.#show();
    }

    #show() {
        const parts = [];
        if (this.#since) {
            const text = navigator.onLine
                ? `Roost does not answer since ${clockText(this.#since)}. What you see is from before.`
                : "This device is offline. What you see is from before.";
            parts.push(text);
        } else if (this.#updated) {
            const link = document.createElement("a");
            link.href = location.href;
            link.textContent = "Reload";
            parts.push("Roost was updated.", link);
        }
        this.#element.replaceChildren(...parts.map((part) => {
            if (typeof part !== "string") return part;
            const sentence = document.createElement("span");
            sentence.textContent = part;
            return sentence;
        }));
    }
}

/** Says in the place of notices what has gone wrong. */
export function notice(text) {
    const box = document.createElement("div");
    box.className = "notice trouble";
    const sentence = document.createElement("p");
    sentence.textContent = text;
    box.append(sentence);
    document.getElementById("notice").replaceChildren(box);
}
