import { Copy } from "./copy.js";
import { allowed } from "./forms.js";

const PAUSE = 300; // milliseconds after the last key
const LONGEST = 3_900; // characters of an address; hundreds of ticked coins are seen once they are saved

allowed.push(/^\/displays\/\d+\/status$/);

/** The preview beside a display's settings: it follows what is typed before it is saved. */
class DisplayPreview {
    #form;
    #frame;
    #timer;

    constructor(form, frame) {
        this.#form = form;
        this.#frame = frame;
    }

    start() {
        this.#form.addEventListener("input", this.#typed);
    }

    stop() {
        clearTimeout(this.#timer);
        this.#form.removeEventListener("input", this.#typed);
    }

    #typed = () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#show, PAUSE);
    };

    /** What does not fit is not shown: the field says why when it is saved. */
    #show = () => {
        const [address] = new URL(this.#form.action).pathname.match(/^\/displays\/\d+$/) ?? [];
        if (!address || !this.#form.checkValidity()) return;
        const query = new URLSearchParams(new FormData(this.#form));
        query.delete("token");
        if (`${query}`.length > LONGEST) return;
        this.#frame.contentWindow.location.replace(`${address}/preview?${query}`);
        document.getElementById("preview-word").textContent = "What the screen will show once this is saved.";
    };
}

for (const box of document.querySelectorAll("[data-copy]")) new Copy(box).start();

const form = document.getElementById("display-form");
if (form) new DisplayPreview(form, document.getElementById("preview")).start();
