import { clockText } from "./clock.js";

/** Returns true for a response to a user whose session has ended, and publishes an event for it. */
export const isSignedOut = ({ status }) => status === 401 && document.dispatchEvent(new Event("roost:signed-out"));

/** Shows one sentence about Roost's own state above the page. */
export class Banner {
    #element;
    #state = {};

    constructor(element) {
        this.#element = element;
    }

    /** Takes changes of `isSignedOut`, `isUpdated` and `since`, the time when Roost stopped responding. */
    update(change) {
        const { isSignedOut, isUpdated, since } = Object.assign(this.#state, change);
        const next = encodeURIComponent(location.pathname + location.search);
        // Outdated content is styled as such.
        document.documentElement.classList.toggle("offline", !!(isSignedOut || since));
        if (isSignedOut) this.#show("You are signed out. You’re looking at older data.", `/login?next=${next}`, "Sign in");
        else if (since && !navigator.onLine) this.#show("This device is offline. You’re looking at older data.");
        else if (since) this.#show(`Roost hasn’t responded since ${clockText(since)}. You’re looking at older data.`);
        else if (isUpdated) this.#show("Roost was updated.", location.href, "Reload");
        else this.#show("");
    }

    #show(sentence, href, textContent) {
        this.#element.textContent = sentence;
        if (href) this.#element.append(Object.assign(document.createElement("a"), { href, textContent }));
    }
}

/** Shows an error among the notices. */
export function notice(text) {
    const box = Object.assign(document.createElement("div"), { className: "notice trouble" });
    box.append(Object.assign(document.createElement("p"), { textContent: text }));
    document.getElementById("notice").prepend(box);
}
