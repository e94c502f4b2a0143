const LONGEST = { url: 4_096, title: 1_000, html: 5_000_000 }; // characters
const TIMEOUT = 4_000; // milliseconds that the opener has to send its page

/**
 * The bookmarklet's window. Any page can open it, so its message is only shown, and nothing is sent before the user
 * presses the button. HTML is only accepted from the site whose address is shown. Without a session there is no form,
 * and the opener must not notice: it gets the same message.
 */
class SaveWindow {
    #form = document.getElementById("save-form");
    #state = document.getElementById("save-state");
    #opener = window.opener;
    #timer;

    start() {
        if (!this.#opener) return;
        addEventListener("message", this.#receive);
        this.#timer = setTimeout(() => this.stop(), TIMEOUT);
        this.#opener.postMessage("roost-save-ready", "*"); // only reveals that a window is open
    }

    stop() {
        removeEventListener("message", this.#receive);
        clearTimeout(this.#timer);
    }

    /** Takes one message from the page that opened this window. */
    #receive = ({ source, origin, data }) => {
        if (source !== this.#opener) return;
        this.stop();
        if (!this.#form) return;
        const { url, title, html } = data ?? {};
        const isValid = [["url", url], ["title", title], ["html", html]].every(([name, text]) =>
            typeof text === "string" && text.length <= LONGEST[name]);
        const address = isValid && /^https?:/.test(url) && URL.canParse(url) && new URL(url);
        if (!address) return this.#explain("couldn’t be read");
        const { elements } = this.#form;
        elements.url.value = address.href;
        elements.title.value = title;
        if (address.origin !== origin) return this.#explain("came from another site");
        elements.html.value = html;
        this.#state.textContent = `Your browser’s copy of the page will be saved: ${Math.ceil(html.length / 1_000)} KB.`;
    };

    #explain(text) {
        this.#state.textContent = `Your browser’s copy ${text}, so Roost will fetch the page itself.`;
    }
}

new SaveWindow().start();
