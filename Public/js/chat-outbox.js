import { ask, uuid } from "./chat-api.js";
import { delay } from "./long-poll.js";

const PATIENCE = 120_000; // milliseconds of trying by itself, then it asks
const ANSWER = 15_000; // so long one try waits for an answer
const BEAT = 3_000; // so often a tab shows that it lives and sends
const AGAIN = [401, 408, 425, 429]; // no refusals of the message

/** What a person has sent and Roost has not confirmed: it outlives reloads and crashes, and only the sender sees it. */
export class Outbox {
    #key;
    #tab = (sessionStorage.chatTab ??= uuid());
    #show;
    #memory = [];
    #running = new Set();
    #wake = new Set();
    #timer;

    /**
     * `show(item, message)` draws an item as it is now: waiting, unanswered while it waits, "unconfirmed" when it asks
     * what to do, "failed" with the words of the refusal, or sent with the message that it has become.
     */
    constructor(me, show) {
        this.#key = `chat-outbox-${me}`;
        this.#show = show;
    }

    start() {
        addEventListener("online", this.#online);
        addEventListener("pagehide", this.#leave);
        this.#timer = setInterval(this.#beat, BEAT);
        for (const item of this.#mine) this.#show(item);
        this.#beat();
    }

    stop() {
        removeEventListener("online", this.#online);
        removeEventListener("pagehide", this.#leave);
        clearInterval(this.#timer);
    }

    add(values) {
        const item = { id: uuid(), tab: this.#tab, at: Date.now(), beat: Date.now(), state: "waiting", ...values };
        this.#items = [...this.#items, item];
        this.#show(item);
        this.#run(item.chat);
    }

    /** The log has it: what was not answered has arrived all the same. */
    confirm(id) {
        if (this.#memory.length) this.#items = this.#items.filter((item) => item.id !== id);
    }

    retry(id) {
        const item = this.#change(id, { at: Date.now(), state: "waiting", isUnanswered: false, words: "" });
        if (item) this.#run(item.chat);
    }

    /** Takes it out; answers it. */
    discard(id) {
        const item = this.#items.find((each) => each.id === id);
        this.confirm(id);
        return item;
    }

    /** All tabs of the browser share them; where it keeps nothing, this one still does. */
    get #items() {
        try {
            this.#memory = JSON.parse(localStorage.getItem(this.#key) ?? "[]");
        } catch {
            // Storage is off: what is in memory counts.
        }
        return this.#memory;
    }

    set #items(items) {
        this.#memory = items;
        try {
            localStorage.setItem(this.#key, JSON.stringify(items));
        } catch {
            // Full, or off.
        }
    }

    /** This tab's, which keeps its name over a reload, and those of tabs that are gone. */
    get #mine() {
        return this.#items.filter(({ tab, beat }) => tab === this.#tab || Date.now() - beat > 3 * BEAT);
    }

    #change(id, values) {
        const items = this.#items;
        const item = items.find((each) => each.id === id);
        if (!item) return null;
        Object.assign(item, values);
        this.#items = items;
        this.#show(item);
        return item;
    }

    #beat = () => {
        const mine = this.#mine;
        for (const { id, chat, tab, state } of mine) {
            const isNew = tab !== this.#tab;
            if (isNew) this.#change(id, { tab: this.#tab });
            if (state === "waiting") this.#run(chat);
        }
        if (!mine.length) return;
        const items = this.#items;
        for (const item of items) if (item.tab === this.#tab) item.beat = Date.now();
        this.#items = items;
    };

    #online = () => {
        for (const wake of this.#wake) wake();
    };

    /** A page that goes takes its requests with it: what waits first is sent once more, which does no harm. */
    #leave = () => {
        const waiting = this.#mine.filter(({ state }) => state === "waiting");
        for (const chat of this.#running) {
            const item = waiting.find((each) => each.chat === chat);
            if (item) this.#post(item, { keepalive: true }).catch(() => {});
        }
    };

    /** Sends what waits in a conversation, one after the other in its order. */
    async #run(chat) {
        if (this.#running.has(chat)) return;
        this.#running.add(chat);
        for (let failures = 0; ;) {
            const item = this.#mine.find((each) => each.chat === chat && each.state === "waiting");
            if (!item) break;
            const pause = await this.#try(item);
            failures = pause === null ? 0 : failures + 1;
            if (failures) await this.#sleep(delay(failures, pause));
        }
        this.#running.delete(chat);
    }

    #post = ({ id, chat, text, replyTo, fileId }, options) =>
        ask("POST", `${chat}/messages`, { id, text, replyTo, fileId }, options);

    /** Answers for how many seconds at least to wait; null if it is not to be sent again. */
    async #try(item) {
        if (Date.now() - item.at > PATIENCE) {
            this.#change(item.id, { state: "unconfirmed" });
            return null;
        }
        const control = new AbortController();
        const timer = setTimeout(() => control.abort(), ANSWER);
        try {
            const message = await this.#post(item, { signal: control.signal });
            this.confirm(item.id);
            this.#show(item, message);
            return null;
        } catch ({ status = 0, message: words, wait = 0 }) {
            const isRefused = status >= 400 && status < 500 && !AGAIN.includes(status);
            this.#change(item.id, isRefused ? { state: "failed", words } : { isUnanswered: status !== 429 });
            return isRefused ? null : wait;
        } finally {
            clearTimeout(timer);
        }
    }

    #sleep(milliseconds) {
        return new Promise((resolve) => {
            const wake = () => {
                clearTimeout(timer);
                this.#wake.delete(wake);
                resolve();
            };
            const timer = setTimeout(wake, milliseconds);
            this.#wake.add(wake);
        });
    }
}
