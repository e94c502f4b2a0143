import { ask } from "./chat-api.js";
import { delay } from "./long-poll.js";

/** Keeps the page up to date with the log of all conversations, from polls and by reading what they omit. */
export class ChatLog {
    /** Where the log continues. Only Roost can compare two cursors. */
    #cursor;
    /** The cursor of the polls, if they continued from a different one than this tab's. */
    #polled = "";
    #apply;
    #newest = new Map(); // seq of the newest message, by conversation
    #isReading = false;
    #isRequested = false;

    /** `apply(entries)` updates the page. Returns false if the list of conversations is unaffected. */
    constructor(cursor, apply) {
        this.#cursor = cursor;
        this.#apply = apply;
    }

    start() {
        addEventListener("roost:changed", this.#changed);
    }

    #changed = ({ detail: { changed, chat } }) => {
        const at = changed.indexOf("chat");
        if (at < 0) return;
        if (!chat || chat.after !== this.#cursor || this.#isReading) this.#read(chat?.next ?? "");
        else if (!this.#applyPage(chat)) changed.splice(at, 1);
    };

    /** An entry may arrive twice, but a message is new only once. */
    #applyPage({ entries, next }) {
        this.#cursor = next;
        return this.#apply(entries.map((entry) => ({ ...entry, isNew: entry.isNew && this.#isFirst(entry) })));
    }

    #isFirst({ conversationId, message: { seq } }) {
        if (seq <= this.#newest.get(conversationId)) return false;
        this.#newest.set(conversationId, seq);
        return true;
    }

    /**
     * Reads page after page until an empty one; requesting that one acknowledges the others. Then this tab continues
     * from `polled`, the polls' cursor, or the polls continue from this tab's.
     */
    async #read(polled) {
        this.#polled = polled;
        this.#isRequested = true;
        if (this.#isReading) return;
        this.#isReading = true;
        for (let failures = 0; this.#isRequested;) {
            try {
                this.#isRequested = false;
                const page = await ask("GET", `log?after=${this.#cursor}&limit=200&html=1`);
                failures = 0;
                this.#isRequested ||= page.entries.length > 0;
                this.#applyPage(page);
            } catch ({ status, wait }) {
                if (status === 401) {
                    this.#isReading = false;
                    return;
                }
                if (status === 422) return location.reload(); // the cursor is from another Roost; only a new page has a valid one
                this.#isRequested = true;
                await new Promise((resolve) => setTimeout(resolve, delay(++failures, wait)));
            }
        }
        this.#isReading = false;
        if (this.#polled) this.#cursor = this.#polled;
        else this.#reportCursor();
    }

    /** Tells the polling tab to continue from here, by posing as a tab that opens and closes. */
    #reportCursor() {
        if (!("BroadcastChannel" in self)) return;
        const channel = new BroadcastChannel("roost");
        const id = "log";
        channel.postMessage({ type: "hello", id, topics: ["chat"], after: this.#cursor, hasRead: true });
        channel.postMessage({ type: "bye", id });
        channel.close();
    }
}
