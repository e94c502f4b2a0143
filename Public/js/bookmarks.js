import { Beside } from "./beside.js";
import { Chosen } from "./chosen.js";
import { Groups } from "./groups.js";
import { Jotter } from "./jotter.js";
import { LocalTimes } from "./localtimes.js";
import { LongList } from "./longlist.js";
import { RowKeys } from "./rowkeys.js";
import { Swipe } from "./swipe.js";

/** The bookmarks: a long list that is worked on, and what is looked at beside it. */
class Bookmarks {
    #parts = [];

    start() {
        const root = document.querySelector(".explorer");
        const side = root.querySelector(".list-side");
        const list = new LongList(side);
        this.#parts = [new LocalTimes(), new RowKeys(), list, new Beside(root, list), new Groups("bookmarks")];
        this.#parts.push(new Swipe(side), new Chosen(side), new Jotter());
        for (const part of this.#parts) part.start();
    }

    stop() {
        for (const part of this.#parts) part.stop();
    }
}

new Bookmarks().start();
