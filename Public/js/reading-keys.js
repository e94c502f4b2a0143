import { RowKeys, start as begin } from "./keyboard.js";

/** What the keyboard does in the reading list. */
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
        z: () => document.querySelector("#notice form button")?.click(),
    };

    #edit() {
        const key = this.row?.dataset.key;
        if (/^\d+$/.test(key)) location.assign(`/reading/${key}/edit`);
    }
}

/** From the first keys on, which are these, for as long as the page is open. */
export const start = (events) => begin(events, new ArticleKeys());
