import { Copy } from "./copy.js";

/** Lets people see the password that they type. */
class Reveal {
    start() {
        document.documentElement.classList.add("js");
        document.addEventListener("click", this.#click);
        document.addEventListener("submit", this.#cover, true);
    }

    stop() {
        document.removeEventListener("click", this.#click);
        document.removeEventListener("submit", this.#cover, true);
    }

    #click = (event) => {
        const button = event.target.closest(".reveal");
        if (button) this.#show(button, button.previousElementSibling.type === "password");
    };

    /** Browsers keep what was sent in a text field, and offer it to whoever types there next. */
    #cover = ({ target }) => {
        for (const button of target.querySelectorAll(".reveal")) this.#show(button, false);
    };

    #show(button, isShown) {
        const field = button.previousElementSibling;
        field.type = isShown ? "text" : "password";
        button.firstElementChild.textContent = isShown ? "Hide" : "Show";
        if (isShown) field.focus();
    }
}

new Reveal().start();
for (const box of document.querySelectorAll("[data-copy]")) new Copy(box).start();
