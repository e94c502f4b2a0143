import { ArticleActs } from "./reading-acts.js";
import { InfiniteList } from "./infinite-list.js";

/** Swipes: right for Add star, left for Archive or back to unread. */
const swipes = {
    rows: ".articles .article",
    act(row, share) {
        const button = row.querySelector(`[data-act=${share > 0 ? "archive" : "favorite"}]`);
        if (!button) return null;
        const isDone = button.ariaPressed === "true";
        if (share > 0) return [isDone ? "Back to unread" : "Archive", button];
        return [isDone ? "Remove star" : "Add star", button];
    },
};

/** The reading list: grows, searches while typing, and stores its order for the article page. */
class ReadingList {
    #side = document.querySelector(".reading");

    start() {
        new InfiniteList(this.#side, "reading").start(swipes);
        new ArticleActs().start();
        document.addEventListener("change", this.#sort);
        document.addEventListener("roost:morphed", this.#remember);
        document.addEventListener("roost:morphed", this.#focusInvalid);
        for (const name of ["change", "click", "roost:morphed"]) document.addEventListener(name, this.#count);
        this.#remember();
    }

    #sort = ({ target }) => {
        if (target.id === "sort") target.form.requestSubmit();
    };

    /** Says on the buttons what they change: "Archive 3 articles". */
    #count = () => {
        const count = document.querySelectorAll(".choose input:checked").length;
        const all = document.querySelector("#bulk [name=all]:checked");
        const text = all?.dataset.count ?? (count === 1 ? "1 article" : `${count} articles`);
        for (const button of document.querySelectorAll("#bulk [data-verb]")) button.textContent = `${button.dataset.verb} ${text}`;
    };

    /** Focuses a rejected field. */
    #focusInvalid = ({ detail }) => detail.querySelector("[aria-invalid=true]")?.focus();

    /** The article page uses the order for its links to the next article. */
    #remember = () => {
        const keys = [...this.#side.querySelectorAll(".articles .article")].map((row) => row.dataset.key);
        try {
            if (keys.length) sessionStorage.readingOrder = keys;
        } catch {
            // Storage is off; readers use the list itself.
        }
    };
}

new ReadingList().start();
import("./reading-offline.js").then(({ Offline }) => new Offline().start(), () => {});
