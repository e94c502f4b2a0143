import { InfiniteList } from "./infinite-list.js";

/** The bookmarks use the explorer's list. The editor is loaded when needed. */
const side = document.querySelector(".list-side");
new InfiniteList(side, "bookmarks").start();

side.addEventListener("click", async (event) => {
    const link = event.target.closest(".note-edit");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    (await import("./editor.js")).open(link);
});
