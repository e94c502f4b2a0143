import { own } from "./forms.js";
import { RowPanel } from "./rowpanel.js";

/** Edits a bookmark's tags and note next to its row. The page has one form for all rows. */
class Editor {
    #form = document.getElementById("editor");
    #panel = new RowPanel(this.#form);
    #life = new AbortController();

    start() {
        const { signal } = this.#life;
        // Roost has saved it; rejected input stays.
        this.#form.addEventListener("reset", () => this.#panel.close(), { signal });
        this.#form.addEventListener("click", this.#click, { signal });
        document.addEventListener("keydown", this.#key, { signal });
        this.#panel.start();
    }

    stop() {
        this.#life.abort();
        this.#panel.stop();
    }

    /** Opens with the row's values. */
    open(link) {
        const row = link.closest(".repo");
        const name = row.querySelector("[data-act=bookmark]").value;
        const action = own(`/bookmarks/${name}/edit`);
        if (!action) return;
        const { tags, note, back } = this.#form.elements;
        this.#form.action = action;
        tags.value = [...row.querySelectorAll(".tags-of .chip")].map((chip) => chip.textContent).join(", ");
        note.value = row.querySelector(".note-text")?.textContent ?? "";
        back.value = document.getElementById("act").elements.back.value;
        this.#panel.open(link);
        tags.focus({ preventScroll: true });
        tags.setSelectionRange(tags.value.length, tags.value.length);
    }

    #click = ({ target }) => {
        if (target.closest("[data-act=close]")) this.#panel.close();
    };

    #key = (event) => {
        if (event.key !== "Escape" || !this.#panel.isOpen) return;
        event.stopImmediatePropagation();
        this.#panel.close();
    };
}

const editor = new Editor();
editor.start();

export const open = (link) => editor.open(link);
