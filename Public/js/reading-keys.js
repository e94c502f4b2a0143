import { RowKeys, start as begin } from "./keyboard.js";

class ArticleKeys extends RowKeys {
    rows = ":is(.articles, .gists) > li";
    acts = {
        ...this.acts,
        o: () => this.row?.querySelector(".name").click(),
        f: () => this.press("favorite"),
        a: () => this.press("archive"),
        e: () => this.#edit(),
        "#": () => this.press("delete"),
        Delete: () => this.press("delete"),
        "/": () => this.#search(),
        z: () => document.querySelector("#notice form button")?.click(),
    };

    /** In narrow windows the field is folded. */
    #search() {
        const fold = document.getElementById("show-search");
        if (fold) fold.checked = true;
        document.getElementById("text")?.focus();
    }

    #edit() {
        const key = this.row?.dataset.key;
        if (/^\d+$/.test(key)) location.assign(`/reading/${key}/edit`);
    }
}

/** Starts with the first key events and stays active while the page is open. */
export const start = (events) => begin(events, new ArticleKeys());
