import { own, post } from "./forms.js";

const LEAVES = { archive: /^(unread|archived|suggested)$/, favorite: /^favorites$/, delete: /./ };

/** The next row, else the previous one, to receive the focus. */
export function neighbour(row) {
    const rows = [...row.parentElement.children];
    const at = rows.indexOf(row);
    return [...rows.slice(at + 1), ...rows.slice(0, at).reverse()].find((each) => !each.hidden);
}

/** Shows the result of an article's buttons immediately, and reverts it if Roost refuses. */
export class ArticleActs {
    start() {
        document.addEventListener("submit", this.#submit, true);
    }

    #submit = (event) => {
        const { target: form, submitter: button } = event;
        // A download does not replace the page.
        if (button?.value === "epub") return event.stopImmediatePropagation();
        const act = button?.dataset.act;
        const row = button?.closest(".article");
        const key = row ? row.dataset.key : document.getElementById("content").dataset.article;
        const address = button?.getAttribute("formaction");
        // Only actions on this article, whatever a saved text may contain.
        const isOwn = new RegExp(`^/reading/${key}/(un)?(archive|favorite|delete|fetch|gist)$`).test(address);
        if (!act || !/^\d+$/.test(key) || !isOwn) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        if (!button.classList.contains("busy")) this.#do(act, own(address), button, row, new FormData(form, button));
    };

    async #do(act, address, button, row, fields) {
        const list = new URLSearchParams(location.search).get("list") ?? "unread";
        const leaves = row && LEAVES[act]?.test(list);
        const { ariaPressed } = button;
        button.classList.add("busy");
        if (ariaPressed) button.ariaPressed = String(ariaPressed !== "true");
        if (leaves) {
            if (row.contains(document.activeElement)) neighbour(row)?.querySelector(".name").focus({ preventScroll: true });
            row.hidden = true;
        }
        const isDone = await post(address, fields);
        button.classList.remove("busy");
        if (isDone) return;
        button.ariaPressed = ariaPressed;
        if (row) row.hidden = false;
    }
}
