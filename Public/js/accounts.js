import { Copy } from "./copy.js";
import { allowed } from "./forms.js";

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

/** What the pages of accounts do without leaving them, and which parts of them are fetched again. */
allowed.push(
    /^\/settings\/(github\/(accounts|device(\/cancel)?|\d+\/disconnect)|security\/sessions|tokens\/list|sessions\/(\d+\/end|end-others))$/,
    /^\/members\/(invitations\/)?list$/,
);

const MOST = 1_000_000; // bytes that Roost takes, about
const SIDE = 512; // pixels

/** Makes a large picture small before it is sent: telephones take photographs of many megabytes. */
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
        if (!file || file.size <= MOST) return;
        event.preventDefault();
        try {
            const small = new DataTransfer();
            small.items.add(await this.#shrink(file));
            field.files = small.files;
        } catch {
            // No picture that this browser reads: Roost says what it takes.
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
