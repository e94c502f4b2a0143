import { ArticleActs } from "./reading-acts.js";
import { InfiniteList } from "./infinite-list.js";

/** By touch: to the right is a favourite, to the left is archived, or no longer. */
const swipes = {
    rows: ".articles .article",
    act(row, share) {
        const button = row.querySelector(`[data-act=${share > 0 ? "archive" : "favorite"}]`);
        if (!button) return null;
        const isDone = button.ariaPressed === "true";
        if (share > 0) return [isDone ? "Back to unread" : "Archive", button];
        return [isDone ? "No favourite" : "Favourite", button];
    },
};

/** The reading list: it grows, is searched while one types, and tells the reading page its order. */
class ReadingList {
    #side = document.querySelector(".reading");

    start() {
        new InfiniteList(this.#side, "reading").start({ keys: "./reading-keys.js", swipes });
        new ArticleActs().start();
        document.addEventListener("change", this.#sort);
        document.addEventListener("roost:morphed", this.#remember);
        document.addEventListener("roost:morphed", this.#correct);
        this.#remember();
    }

    #sort = ({ target }) => {
        if (target.id === "sort") target.form.requestSubmit();
    };

    /** An address that was refused is typed again. */
    #correct = ({ detail }) => detail.querySelector("[aria-invalid=true]")?.focus();

    /** The page of one article leads to the next. */
    #remember = () => {
        const keys = [...this.#side.querySelectorAll(".articles .article")].map((row) => row.dataset.key);
        try {
            if (keys.length) sessionStorage.readingOrder = keys;
        } catch {
            // Storage is off: the list itself leads there.
        }
    };
}

new ReadingList().start();
import("./reading-offline.js").then(({ Offline }) => new Offline().start(), () => {});
