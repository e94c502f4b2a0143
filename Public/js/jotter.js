/** Tags and note of a row: what is saved folds itself away. */
export class Jotter {
    #saved = null;

    start() {
        document.addEventListener("submit", this.#submit, { capture: true });
        document.addEventListener("roost:morphed", this.#morphed);
    }

    stop() {
        document.removeEventListener("submit", this.#submit, { capture: true });
        document.removeEventListener("roost:morphed", this.#morphed);
    }

    #submit = ({ target }) => {
        this.#saved = target.id.startsWith("edit-") ? target : null;
    };

    /** The whole page is taken over when what was sent was accepted; what was refused stays open as it was typed. */
    #morphed = ({ detail }) => {
        const form = this.#saved;
        if (!form || detail.id !== "content") return;
        this.#saved = null;
        const jotter = [...form.elements].map((element) => element.closest(".jotter")).find(Boolean);
        if (!jotter?.open) return;
        const isHere = jotter.contains(document.activeElement);
        jotter.open = false;
        if (isHere) jotter.querySelector("summary").focus({ preventScroll: true });
    };
}
