import { RowKeys } from "./keyboard.js";
import { reader } from "./reading-article.js";

class ArticleKeys extends RowKeys {
    acts = {
        ...this.acts,
        j: () => reader.step(1),
        k: () => reader.step(-1),
        n: () => reader.go(1),
        p: () => reader.go(-1),
        f: () => reader.press("favorite"),
        a: () => reader.press("archive"),
        s: () => reader.press("gist") ?? document.querySelector(".gist h2 a")?.click(),
        h: () => reader.highlight((highlights) => highlights.add(reader.block)),
        H: () => reader.highlight((highlights) => highlights.note(reader.block)),
        e: () => document.querySelector("#reader-tools a[href$='/edit']")?.click(),
        o: () => document.querySelector("a.original")?.click(),
        t: () => reader.toggleTools(),
        u: () => document.querySelector(".back-link a")?.click(),
        "#": () => reader.press("delete"),
        Delete: () => reader.press("delete"),
    };

    escape() {
        if (document.querySelector("#more-tools[open]")) reader.toggleTools();
    }
}

const keys = new ArticleKeys().start();

export const press = (event) => keys.press(event);
