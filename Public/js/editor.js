import { own } from "./forms.js";
import { RowPanel } from "./rowpanel.js";

/** Tags and note of a bookmark, written beside its row: the page has one form for them all. */
class Editor {
    #form = document.getElementById("editor");
    #panel = new RowPanel(this.#form);
    #life = new AbortController();
    #isSent = false;

    start() {
        const { signal } = this.#life;
        this.#form.addEventListener("submit", this.#submit, { signal });
        this.#form.addEventListener("click", this.#click, { signal });
        document.addEventListener("keydown", this.#key, { signal });
        document.addEventListener("roost:morphed", this.#morphed, { signal });
        this.#panel.start();
    }

    stop() {
        this.#life.abort();
        this.#panel.stop();
    }

    /** With what the row shows. */
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

    #submit = () => {
        this.#isSent = true;
    };

    /** The whole page is taken over when what was sent was accepted; what was refused stays as it was typed. */
    #morphed = ({ detail }) => {
        if (!this.#isSent || detail.id !== "content") return;
        this.#isSent = false;
        this.#panel.close();
    };

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
