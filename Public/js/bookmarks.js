import { LongList } from "./longlist.js";

/** The bookmarks: the same list as the explorer's; what works on several of them, or writes beside them, comes when needed. */
const side = document.querySelector(".list-side");
new LongList(side, "bookmarks").start();

const life = new AbortController();
for (const name of ["focusin", "change"]) {
    const begin = async ({ target }) => {
        if (life.signal.aborted || !target.closest(".choose, .jotter")) return;
        life.abort();
        (await import("./chosen.js")).start(side);
    };
    side.addEventListener(name, begin, { signal: life.signal });
}
