import { Copy } from "./copy.js";
import { allowed } from "./forms.js";

const PAUSE = 300; // milliseconds after the last key
const LONGEST = 3_900; // characters of a URL; with hundreds of ticked coins the preview only changes on saving

allowed.push(/^\/displays\/\d+\/status$/);

/** The preview next to a display's settings. It follows unsaved changes. */
class DisplayPreview {
    #form;
    #frame;
    #timer;

    constructor(form, frame) {
        this.#form = form;
        this.#frame = frame;
    }

    start() {
        this.#form.addEventListener("input", this.#changed);
    }

    stop() {
        clearTimeout(this.#timer);
        this.#form.removeEventListener("input", this.#changed);
    }

    #changed = () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#show, PAUSE);
    };

    /** Invalid settings are not previewed; the field shows an error on saving. */
    #show = () => {
        const [address] = new URL(this.#form.action).pathname.match(/^\/displays\/\d+$/) ?? [];
        if (!address || !this.#form.checkValidity()) return;
        const query = new URLSearchParams(new FormData(this.#form));
        query.delete("token");
        if (`${query}`.length > LONGEST) return;
        this.#frame.contentWindow.location.replace(`${address}/preview?${query}`);
        document.getElementById("preview-word").textContent = "Preview of unsaved settings.";
    };
}

for (const box of document.querySelectorAll("[data-copy]")) new Copy(box).start();

const form = document.getElementById("display-form");
if (form) new DisplayPreview(form, document.getElementById("preview")).start();
