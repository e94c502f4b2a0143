import { RowKeys } from "./keyboard.js";

class ReadingKeys extends RowKeys {
    rows = ".articles > li";
    acts = {
        ...this.acts,
        f: () => this.click("favorite"),
        a: () => this.click("archive"),
        e: () => this.#edit(),
        "#": () => this.click("delete"),
        Delete: () => this.click("delete"),
        "/": () => this.#search(),
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

const keys = new ReadingKeys().start();

export const press = (event) => keys.press(event);
