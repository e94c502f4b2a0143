import { ask } from "./chat-api.js";
import { delay } from "./long-poll.js";

/** Keeps the page up with the log of all one's conversations: what polls bring of it, and what they leave out. */
export class ChatLog {
    #seq;
    #apply;
    #isReading = false;
    #isWanted = false;

    /** `apply(entries)` puts them on the page; false if nothing in the list of conversations changes by them. */
    constructor(seq, apply) {
        this.#seq = seq;
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
        if (!chat || chat.after > this.#seq || this.#isReading) this.#read();
        else if (!this.#take(chat)) changed.splice(at, 1);
    };

    #take({ entries, next }) {
        const news = entries.filter(({ seq }) => seq > this.#seq);
        this.#seq = Math.max(this.#seq, next);
        return this.#apply(news);
    }

    /** Page after page. The last one is empty: asking for it has acknowledged the others. */
    async #read() {
        this.#isWanted = true;
        if (this.#isReading) return;
        this.#isReading = true;
        for (let failures = 0; this.#isWanted;) {
            try {
                this.#isWanted = false;
                const page = await ask("GET", `log?after=${this.#seq}&limit=200&html=1`);
                failures = 0;
                this.#isWanted ||= page.entries.length > 0;
                this.#take(page);
            } catch ({ status, wait }) {
                if (status === 401) break;
                this.#isWanted = true;
                await new Promise((resolve) => setTimeout(resolve, delay(++failures, wait)));
            }
        }
        this.#isReading = false;
        this.#tell();
    }

    /** The tab that polls goes on from here; what it tells as a tab that comes and goes is only that. */
    #tell() {
        if (!("BroadcastChannel" in self)) return;
        const channel = new BroadcastChannel("roost");
        const id = "log";
        channel.postMessage({ type: "hello", id, topics: ["chat"], after: this.#seq });
        channel.postMessage({ type: "bye", id });
        channel.close();
    }
}
