import { ask, uuid } from "./chat-api.js";
import { delay } from "./long-poll.js";

const RETRY_PERIOD = 120_000; // milliseconds of automatic retries before asking the user
const TIMEOUT = 15_000; // milliseconds that one try waits for a response
const HEARTBEAT = 3_000; // milliseconds between signs of life of a sending tab
const RETRY_STATUSES = [401, 408, 425, 429]; // statuses to retry

/**
 * Sent messages that Roost has not confirmed. They survive reloads and crashes, and only the sender sees them. Each is
 * stored on its own, so that tabs that write at the same time lose none.
 */
export class Outbox {
    #prefix;
    #tab = (sessionStorage.chatTab ??= uuid());
    #show;
    /** The items by id, where storage is off or full. */
    #memory = new Map();
    #running = new Set();
    #wake = new Set();

    /**
     * `show(item, message)` draws an item: waiting, unanswered while it waits, "unconfirmed" to ask the user what to
     * do, "failed" with the error's text, or sent with the resulting message.
     */
    constructor(me, show) {
        this.#prefix = `chat-outbox-${me}-`;
        this.#show = show;
    }

    start() {
        this.#readOldFormat();
        addEventListener("online", this.#online);
        addEventListener("pagehide", this.#sendOnLeave);
        setInterval(this.#heartbeat, HEARTBEAT);
        for (const item of this.#ownItems) this.#show(item);
        this.#heartbeat();
    }

    /** Up to version 0.2 all items were in one list. */
    #readOldFormat() {
        try {
            const key = this.#prefix.slice(0, -1);
            JSON.parse(localStorage.getItem(key) ?? "[]").forEach((item, order) => this.#keep({ ...item, order }));
            localStorage.removeItem(key);
        } catch {
            // Off.
        }
    }

    add(values) {
        const now = Date.now();
        const order = performance.timeOrigin + performance.now(); // finer than milliseconds
        const item = { id: uuid(), tab: this.#tab, order, at: now, beat: now, state: "waiting", ...values };
        this.#keep(item);
        this.#show(item);
        this.#run(item.chat);
    }

    /** Removes an item that the log contains: it arrived although the response was lost. */
    confirm(id) {
        this.#memory.delete(id);
        try {
            localStorage.removeItem(this.#prefix + id);
        } catch {
            // Off.
        }
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

    /** Of all tabs of the browser, oldest first. */
    get #items() {
        const items = new Map();
        try {
            for (const key of Object.keys(localStorage)) {
                const item = key.startsWith(this.#prefix) && JSON.parse(localStorage.getItem(key));
                if (item) items.set(item.id, item);
            }
        } catch {
            // Off.
        }
        for (const item of this.#memory.values()) items.set(item.id, item);
        return [...items.values()].sort((one, other) => one.order - other.order);
    }

    #keep(item) {
        try {
            localStorage.setItem(this.#prefix + item.id, JSON.stringify(item));
            this.#memory.delete(item.id);
        } catch {
            this.#memory.set(item.id, item);
        }
    }

    /** The items of this tab, whose id survives a reload, and of closed tabs. */
    get #ownItems() {
        return this.#items.filter(({ tab, beat }) => tab === this.#tab || Date.now() - beat > 3 * HEARTBEAT);
    }

    #change(id, values) {
        const item = this.#items.find((each) => each.id === id);
        if (!item) return null;
        Object.assign(item, values);
        this.#keep(item);
        this.#show(item);
        return item;
    }

    #heartbeat = () => {
        for (const { id, chat, tab, state } of this.#ownItems) {
            const isOrphaned = tab !== this.#tab;
            if (isOrphaned) this.#change(id, { tab: this.#tab });
            if (state === "waiting") this.#run(chat);
        }
        for (const item of this.#items) if (item.tab === this.#tab) this.#keep({ ...item, beat: Date.now() });
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
