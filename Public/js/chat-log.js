import { ask } from "./chat-api.js";
import { delay } from "./long-poll.js";

/** Keeps the page up with the log of all one's conversations: what polls bring of it, and what they leave out. */
export class ChatLog {
    /** Where the log goes on. Only Roost can compare two cursors. */
    #cursor;
    /** The cursor of the polls, where they have gone on from another one than this tab's. */
    #polled = "";
    #apply;
    #newest = new Map(); // seq of the newest message, by conversation
    #isReading = false;
    #isWanted = false;

    /** `apply(entries)` puts them on the page; false if nothing in the list of conversations changes by them. */
    constructor(cursor, apply) {
        this.#cursor = cursor;
        this.#apply = apply;
    }

    start() {
        addEventListener("roost:changed", this.#hear);
    }

    stop() {
        removeEventListener("roost:changed", this.#hear);
    }

    #hear = ({ detail: { changed, chat } }) => {
        const at = changed.indexOf("chat");
        if (at < 0) return;
        if (!chat || chat.after !== this.#cursor || this.#isReading) this.#read(chat?.next ?? "");
        else if (!this.#take(chat)) changed.splice(at, 1);
    };

    /** An entry may come twice, but a message is new only once. */
    #take({ entries, next }) {
        this.#cursor = next;
        return this.#apply(entries.map((entry) => ({ ...entry, isNew: entry.isNew && this.#isFirst(entry) })));
    }

    #isFirst({ conversationId, message: { seq } }) {
        if (seq <= this.#newest.get(conversationId)) return false;
        this.#newest.set(conversationId, seq);
        return true;
    }

    /**
     * Page after page. The last one is empty: asking for it has acknowledged the others. Then this tab goes on from `polled`,
     * the cursor of the polls, or they go on from its own.
     */
    async #read(polled) {
        this.#polled = polled;
        this.#isWanted = true;
        if (this.#isReading) return;
        this.#isReading = true;
        for (let failures = 0; this.#isWanted;) {
            try {
                this.#isWanted = false;
                const page = await ask("GET", `log?after=${this.#cursor}&limit=200&html=1`);
                failures = 0;
                this.#isWanted ||= page.entries.length > 0;
                this.#take(page);
            } catch ({ status, wait }) {
                if (status === 401) {
                    this.#isReading = false;
                    return;
                }
                if (status === 422) return location.reload(); // a cursor of another Roost: only the page has a new one
                this.#isWanted = true;
                await new Promise((resolve) => setTimeout(resolve, delay(++failures, wait)));
            }
        }
        this.#isReading = false;
        if (this.#polled) this.#cursor = this.#polled;
        else this.#tell();
    }

    /** The tab that polls goes on from here; what it tells as a tab that comes and goes is only that. */
    #tell() {
        if (!("BroadcastChannel" in self)) return;
        const channel = new BroadcastChannel("roost");
        const id = "log";
        channel.postMessage({ type: "hello", id, topics: ["chat"], after: this.#cursor, hasRead: true });
        channel.postMessage({ type: "bye", id });
        channel.close();
    }
}
