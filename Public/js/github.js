import { Copy } from "./copy.js";

/** The code for GitHub comes and goes while the page is open: its button is there whenever it is. */
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
