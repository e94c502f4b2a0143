import { token } from "./forms.js";

/** Groups that stay folded on every device, and a bar that jumps between them. */
export class Groups {
    #list;

    /** `list` is whose choices they are: "browse" or "bookmarks". */
    constructor(list) {
        this.#list = list;
    }

    start() {
        document.addEventListener("click", this.#click);
    }

    stop() {
        document.removeEventListener("click", this.#click);
    }

    #click = (event) => {
        const summary = event.target.closest?.(".repo-group > summary");
        if (summary) return this.#keep(summary.parentElement, summary.parentElement.open);
        const link = event.target.closest?.(".index a");
        const group = link?.hash && document.getElementById(link.hash.slice(1));
        if (!group || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        if (!group.open) this.#keep(group, false);
        group.open = true;
        group.scrollIntoView({ block: "start" });
        group.querySelector("summary").focus({ preventScroll: true });
    };

    /** It is a convenience: where Roost does not answer, the group is folded here all the same. */
    #keep(group, collapsed) {
        const body = new URLSearchParams({ list: this.#list, group: group.dataset.group, collapsed });
        fetch("/repositories/collapse", { method: "POST", body, headers: token() }).catch(() => {});
    }
}
