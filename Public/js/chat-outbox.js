import { ask, uuid } from "./chat-api.js";
import { delay } from "./long-poll.js";

const RETRY_PERIOD = 120_000; // milliseconds of automatic retries before asking the user
const TIMEOUT = 15_000; // milliseconds that one try waits for a response
const HEARTBEAT = 3_000; // milliseconds between signs of life of a sending tab
const RETRY_STATUSES = [401, 408, 425, 429]; // statuses to retry

/** Sent messages that Roost has not confirmed. They survive reloads and crashes, and only the sender sees them. */
export class Outbox {
    #key;
    #tab = (sessionStorage.chatTab ??= uuid());
    #show;
    #memory = [];
    #running = new Set();
    #wake = new Set();

    /**
     * `show(item, message)` draws an item: waiting, unanswered while it waits, "unconfirmed" to ask the user what to
     * do, "failed" with the error's text, or sent with the resulting message.
     */
    constructor(me, show) {
        this.#key = `chat-outbox-${me}`;
        this.#show = show;
    }

    start() {
        addEventListener("online", this.#online);
        addEventListener("pagehide", this.#sendOnLeave);
        setInterval(this.#heartbeat, HEARTBEAT);
        for (const item of this.#ownItems) this.#show(item);
        this.#heartbeat();
    }

    add(values) {
        const item = { id: uuid(), tab: this.#tab, at: Date.now(), beat: Date.now(), state: "waiting", ...values };
        this.#items = [...this.#items, item];
        this.#show(item);
        this.#run(item.chat);
    }

    /** Removes an item that the log contains: it arrived although the response was lost. */
    confirm(id) {
        if (this.#memory.length) this.#items = this.#items.filter((item) => item.id !== id);
    }

    retry(id) {
        const item = this.#change(id, { at: Date.now(), state: "waiting", isUnanswered: false, words: "" });
        if (item) this.#run(item.chat);
    }

    discard(id) {
        const item = this.#items.find((each) => each.id === id);
        this.confirm(id);
        return item;
    }

    /** Shared by all tabs of the browser. Without storage, kept in memory for this tab. */
    get #items() {
        try {
            this.#memory = JSON.parse(localStorage.getItem(this.#key) ?? "[]");
        } catch {
            // Storage is off; use memory.
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

    /** The items of this tab, whose id survives a reload, and of closed tabs. */
    get #ownItems() {
        return this.#items.filter(({ tab, beat }) => tab === this.#tab || Date.now() - beat > 3 * HEARTBEAT);
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

    #heartbeat = () => {
        const ownItems = this.#ownItems;
        for (const { id, chat, tab, state } of ownItems) {
            const isOrphaned = tab !== this.#tab;
            if (isOrphaned) this.#change(id, { tab: this.#tab });
            if (state === "waiting") this.#run(chat);
        }
        if (!ownItems.length) return;
        const items = this.#items;
        for (const item of items) if (item.tab === this.#tab) item.beat = Date.now();
        this.#items = items;
    };

    #online = () => {
        for (const wake of this.#wake) wake();
    };

    /** Closing a page aborts its requests, so the first waiting message is sent again. Roost ignores duplicates. */
    #sendOnLeave = () => {
        const waiting = this.#ownItems.filter(({ state }) => state === "waiting");
        for (const chat of this.#running) {
            const item = waiting.find((each) => each.chat === chat);
            if (item) this.#post(item, { keepalive: true }).catch(() => {});
        }
    };

    /** Sends a conversation's waiting messages in order. */
    async #run(chat) {
        if (this.#running.has(chat)) return;
        this.#running.add(chat);
        for (let failures = 0; ;) {
            const item = this.#ownItems.find((each) => each.chat === chat && each.state === "waiting");
            if (!item) break;
            const pause = await this.#try(item);
            failures = pause === null ? 0 : failures + 1;
            if (failures) await this.#sleep(delay(failures, pause));
        }
        this.#running.delete(chat);
    }

    #post = ({ id, chat, text, replyTo, fileId }, options) =>
        ask("POST", `${chat}/messages`, { id, text, replyTo, fileId }, options);

    /** Returns the seconds to wait at least, or null if it must not be sent again. */
    async #try(item) {
        if (Date.now() - item.at > RETRY_PERIOD) {
            this.#change(item.id, { state: "unconfirmed" });
            return null;
        }
        const controller = new AbortController();
        const timer = setTimeout(() => controller.abort(), TIMEOUT);
        try {
            const message = await this.#post(item, { signal: controller.signal });
            this.confirm(item.id);
            this.#show(item, message);
            return null;
        } catch ({ status = 0, message: words, wait = 0 }) {
            const isRefused = status >= 400 && status < 500 && !RETRY_STATUSES.includes(status);
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
