const LONGEST = { url: 4_096, title: 1_000, html: 5_000_000 }; // characters
const PATIENCE = 4_000; // milliseconds in which the page that opened this window may say what it is

/**
 * The small window of the bookmarklet. Any page can have opened it: its message is shown, and nothing is sent before the
 * user presses the button. The page's HTML is taken only from the site whose address is shown. Without a session there is
 * no form, and the opener must not notice: it gets the same message.
 */
class SaveWindow {
    #form = document.getElementById("save-form");
    #state = document.getElementById("save-state");
    #opener = window.opener;
    #timer;

    start() {
        if (!this.#opener) return;
        addEventListener("message", this.#hear);
        this.#timer = setTimeout(() => this.stop(), PATIENCE);
        this.#opener.postMessage("roost-save-ready", "*"); // says nothing but that a window is open
    }

    stop() {
        removeEventListener("message", this.#hear);
        clearTimeout(this.#timer);
    }

    /** One message, from the page that opened this window. */
    #hear = ({ source, origin, data }) => {
        if (source !== this.#opener) return;
        this.stop();
        if (!this.#form) return;
        const { url, title, html } = data ?? {};
        const isFit = [["url", url], ["title", title], ["html", html]].every(([name, text]) =>
            typeof text === "string" && text.length <= LONGEST[name]);
        const address = isFit && /^https?:/.test(url) && URL.canParse(url) && new URL(url);
        if (!address) return this.#say("could not be taken over");
        const { elements } = this.#form;
        elements.url.value = address.href;
        elements.title.value = title;
        if (address.origin !== origin) return this.#say("was left out, since another site sent it");
        elements.html.value = html;
        this.#state.textContent = `The page comes along as your browser shows it: ${Math.ceil(html.length / 1_000)} KB.`;
    };

    #say(words) {
        this.#state.textContent = `What your browser shows ${words}: Roost fetches the address itself.`;
    }
}

new SaveWindow().start();
