import { allowed, token } from "./forms.js";

allowed.push(/^\/settings\/data\/state$/);

/** Sends a file in slices, and continues where an upload of the same file stopped. Then the form starts the import. */
class Upload {
    #form;
    #state;
    #key = "roost-upload";

    constructor(form) {
        this.#form = form;
        this.#state = form.querySelector("[data-upload-state]");
    }

    start() {
        this.#form.addEventListener("submit", (event) => {
            const file = this.#form.elements.file.files[0];
            if (!file) return;
            event.preventDefault();
            this.#send(file);
        });
    }

    async #send(file) {
        const button = this.#form.querySelector("button");
        button.disabled = true;
        try {
            const path = "/settings/data/upload";
            const name = `${file.name} ${file.size} ${file.lastModified}`;
            let offset = 0;
            if (this.#remembered() === name) {
                const known = await fetch(path, { headers: { Accept: "application/json" } });
                if (known.ok) offset = Math.min((await known.json()).received, file.size);
            }
            this.#remember(name);
            do {
                const slice = file.slice(offset, offset + Number(this.#form.dataset.slice));
                const headers = { ...token(), "Content-Type": "application/octet-stream", Accept: "application/json" };
                const response = await fetch(`${path}?offset=${offset}`, { method: "POST", body: slice, headers });
                const answer = await response.json().catch(() => ({}));
                if (!response.ok) throw new Error(answer.error?.message ?? "The upload failed.");
                offset = answer.received;
                this.#state.textContent = `Uploaded ${Math.floor((100 * offset) / Math.max(file.size, 1))} %`;
            } while (offset < file.size);
            this.#remember("");
            this.#finish();
        } catch (error) {
            this.#state.textContent = `${error.message} Choose Import to continue.`;
            button.disabled = false;
        }
    }

    /** The file is there already: sends the form without it. */
    #finish() {
        const field = document.createElement("input");
        [field.type, field.name, field.value] = ["hidden", "uploaded", "1"];
        this.#form.elements.file.disabled = true;
        this.#form.append(field);
        this.#form.submit();
    }

    #remembered() {
        try {
            return sessionStorage.getItem(this.#key);
        } catch {
            return null;
        }
    }

    #remember(name) {
        try {
            sessionStorage.setItem(this.#key, name);
        } catch {
            // Without storage an upload starts from the beginning.
        }
    }
}

new Upload(document.querySelector("#all-data-upload")).start();
