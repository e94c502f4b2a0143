import { Copy } from "./copy.js";
import { allowed } from "./forms.js";

/** Shows or hides the password being typed. */
class Reveal {
    start() {
        document.documentElement.classList.add("js");
        document.addEventListener("click", this.#click);
        document.addEventListener("submit", this.#hide, true);
    }

    stop() {
        document.removeEventListener("click", this.#click);
        document.removeEventListener("submit", this.#hide, true);
    }

    #click = (event) => {
        const button = event.target.closest(".reveal");
        if (button) this.#show(button, button.previousElementSibling.type === "password");
    };

    /** Otherwise browsers save the password as a text field's value and suggest it to the next user. */
    #hide = ({ target }) => {
        for (const button of target.querySelectorAll(".reveal")) this.#show(button, false);
    };

    #show(button, isShown) {
        const field = button.previousElementSibling;
        field.type = isShown ? "text" : "password";
        button.firstElementChild.textContent = isShown ? "Hide" : "Show";
        if (isShown) field.focus();
    }
}

/** Forms of the account pages that are sent without leaving the page, and regions that are refetched. */
allowed.push(
    /^\/settings\/(status\/now|webhooks\/\d+\/log|github\/(accounts|device(\/cancel)?|\d+\/disconnect)|security\/sessions|tokens\/list|sessions\/(\d+\/end|end-others))$/,
    /^\/members\/(invitations\/)?list$/,
);

const LIMIT = 1_000_000; // bytes; about the limit of Roost
const SIDE = 512; // pixels

/** Shrinks a large picture before upload: phones take photos of many megabytes. */
class Upload {
    #form;

    constructor(form) {
        this.#form = form;
    }

    start() {
        this.#form.addEventListener("submit", this.#submit);
    }

    stop() {
        this.#form.removeEventListener("submit", this.#submit);
    }

    #submit = async (event) => {
        const field = this.#form.elements.avatar;
        const [file] = field.files;
        if (!file || file.size <= LIMIT) return;
        event.preventDefault();
        try {
            const small = new DataTransfer();
            small.items.add(await this.#shrink(file));
            field.files = small.files;
        } catch {
            // The browser cannot read this picture. Roost's response says what it accepts.
        }
        this.#form.submit();
    };

    async #shrink(file) {
        const image = await createImageBitmap(file);
        const scale = Math.min(1, SIDE / Math.max(image.width, image.height));
        const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        const type = "image/jpeg";
        return new File([await canvas.convertToBlob({ type, quality: .9 })], "picture.jpg", { type });
    }
}

new Reveal().start();
for (const form of document.querySelectorAll("form.upload[action='/settings/avatar']:has([name=avatar])")) new Upload(form).start();
for (const box of document.querySelectorAll("[data-copy]")) new Copy(box).start();
