import { clockText } from "./clock.js";

/** True for the answer to somebody whose session has ended; the page hears of it, too. */
export const isSignedOut = ({ status }) => status === 401 && document.dispatchEvent(new Event("roost:signed-out"));

/** One quiet sentence about Roost itself, above the page. */
export class Banner {
    #element;
    #known = {};

    constructor(element) {
        this.#element = element;
    }

    /** Takes what is new of `isSignedOut`, `isUpdated` and `since`, the time since when Roost has not answered. */
    tell(news) {
        const { isSignedOut, isUpdated, since } = Object.assign(this.#known, news);
        const next = encodeURIComponent(location.pathname + location.search);
        // What is shown is no longer kept up to date, and looks like it.
        document.documentElement.classList.toggle("offline", !!(isSignedOut || since));
        if (isSignedOut) this.#say("You are signed out. You’re looking at older data.", `/login?next=${next}`, "Sign in");
        else if (since && !navigator.onLine) this.#say("This device is offline. You’re looking at older data.");
        else if (since) this.#say(`Roost hasn’t responded since ${clockText(since)}. You’re looking at older data.`);
        else if (isUpdated) this.#say("Roost was updated.", location.href, "Reload");
        else this.#say("");
    }

    #say(sentence, href, textContent) {
        this.#element.textContent = sentence;
        if (href) this.#element.append(Object.assign(document.createElement("a"), { href, textContent }));
    }
}

/** Says in the place of notices what has gone wrong. */
export function notice(text) {
    const box = document.createElement("div");
    box.className = "notice trouble";
    const sentence = document.createElement("p");
    sentence.textContent = text;
    box.append(sentence);
    document.getElementById("notice").prepend(box);
}
