import { Copy } from "./copy.js";

/** Attaches the copy button whenever GitHub's code appears on the page. */
class Codes {
    start() {
        document.addEventListener("roost:morphed", this.#find);
        this.#find();
    }

    stop() {
        document.removeEventListener("roost:morphed", this.#find);
    }

    #find = () => {
        for (const box of document.querySelectorAll("[data-copy-live]:not([data-owned])")) {
            box.dataset.owned = "";
            new Copy(box).start();
        }
    };
}

new Codes().start();
