import { Beside } from "./beside.js";
import { Groups } from "./groups.js";
import { LocalTimes } from "./localtimes.js";
import { LongList } from "./longlist.js";
import { Pull } from "./pull.js";
import { RowKeys } from "./rowkeys.js";
import { Swipe } from "./swipe.js";
import { Wants } from "./wants.js";

/** The explorer: a long list, and what is looked at beside it. */
class Repositories {
    #parts = [];

    start() {
        const root = document.querySelector(".explorer");
        const side = root.querySelector(".list-side");
        this.#parts.push(new LocalTimes(), new RowKeys());
        if (side) {
            const list = new LongList(side);
            this.#parts.push(list, new Beside(root, list), new Groups("browse"), new Wants(side), new Swipe(side), new Pull(side));
        }
        for (const part of this.#parts) part.start();
    }

    stop() {
        for (const part of this.#parts) part.stop();
    }
}

new Repositories().start();
