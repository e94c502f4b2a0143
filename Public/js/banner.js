import { clockText } from "./clock.js";

const link = (href, textContent) => Object.assign(document.createElement("a"), { href, textContent });

/** True for the answer to somebody whose session has ended; the page hears of it, too. */
export const isSignedOut = ({ status }) => status === 401 && document.dispatchEvent(new Event("roost:signed-out"));

/** One quiet sentence about Roost itself, above the page. */
export class Banner {
    #element;
    #updated = false;
    #signedOut = false;
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

    signedOut() {
        this.#signedOut = true;
        this.#show();
    }

    #show() {
        const parts = [];
        if (this.#signedOut) {
            const next = encodeURIComponent(location.pathname + location.search);
            parts.push("You are signed out. You’re looking at older data.", link(`/login?next=${next}`, "Sign in"));
        } else if (this.#since) {
            const text = navigator.onLine
                ? `Roost hasn’t responded since ${clockText(this.#since)}. You’re looking at older data.`
                : "This device is offline. You’re looking at older data.";
            parts.push(text);
        } else if (this.#updated) {
            parts.push("Roost was updated.", link(location.href, "Reload"));
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
