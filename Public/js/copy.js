/** The button that copies a secret, such as a link or a token. */
export class Copy {
    #box;
    #button;
    #field;

    constructor(box) {
        this.#box = box;
        this.#button = box.querySelector("button");
        this.#field = box.querySelector(".address");
    }

    start() {
        this.#button.hidden = false;
        if (!navigator.clipboard) this.#button.textContent = "Select";
        this.#button.addEventListener("click", this.#copy);
        this.#field.addEventListener("focus", this.#select);
    }

    stop() {
        this.#button.hidden = true;
        this.#button.removeEventListener("click", this.#copy);
        this.#field.removeEventListener("focus", this.#select);
    }

    #select = () => {
        if (this.#field.select) this.#field.select();
        else getSelection().selectAllChildren(this.#field);
    };

    /**
     * Browsers offer the clipboard only on HTTPS and localhost; elsewhere the text is selected, with an explanation.
     */
    #copy = async () => {
        this.#field.focus();
        this.#select();
        let message = "Selected. Press Ctrl+C, or touch and hold to copy. Browsers let pages copy directly only over HTTPS.";
        try {
            await navigator.clipboard.writeText(this.#field.value ?? this.#field.textContent);
            message = "Copied.";
        } catch {
            // Not available or not allowed; the text above says what to do.
        }
        this.#box.nextElementSibling.textContent = message;
    };
}
