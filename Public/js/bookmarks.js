import { InfiniteList } from "./infinite-list.js";

/** The bookmarks: the same list as the explorer's; what works on several of them, or edits one, comes when needed. */
const side = document.querySelector(".list-side");
new InfiniteList(side, "bookmarks").start();

let isChoosing = false;
for (const name of ["focusin", "change"]) {
    side.addEventListener(name, async ({ target }) => {
        if (isChoosing || !target.closest(".choose")) return;
        isChoosing = true;
        (await import("./selection.js")).start(side);
    });
}

side.addEventListener("click", async (event) => {
    const link = event.target.closest(".note-edit");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    (await import("./editor.js")).open(link);
});
