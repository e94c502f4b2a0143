import { ask } from "./chat-api.js";
import { seqOf } from "./chat-messages.js";
import { delay } from "./long-poll.js";

const PAUSE = 200; // milliseconds in which what comes on the screen is told at once

/** What has been on the screen of a tab with the focus is read, and Roost is told so. */
export class ReadMarks {
    #chat;
    #messages;
    #read;
    #told;
    /** Told by this tab, and not yet heard of in the log. */
    #echoes = new Set();
    #isHeld = false;
    #timer;
    #onScreen = new Set();
    #watch;

    /** `read` is the number of the last message that has been read. */
    constructor(chat, messages, read) {
        this.#chat = chat;
        this.#messages = messages;
        this.#read = this.#told = read;
    }

    start() {
        const options = { root: this.#messages.scroller, rootMargin: "0px 0px -8px" };
        this.#watch = new IntersectionObserver(this.#seen, options);
        for (const message of this.#messages.all) this.#watch.observe(message);
        addEventListener("focus", this.#look);
    }

    stop() {
        this.#watch.disconnect();
        removeEventListener("focus", this.#look);
        clearTimeout(this.#timer);
    }

    observe = (message) => this.#watch.observe(message);

    /** A message of another person that has just come: while the reader looks elsewhere, it begins what is new. */
    arrived(message) {
        this.observe(message);
        const first = this.#messages.firstUnread;
        if (!document.hasFocus() && (!first || seqOf(first) <= this.#read)) this.#messages.mark(message);
    }

    /** Read, or marked as unread, wherever that was done. */
    hear(seq) {
        if (this.#echoes.delete(seq)) return;
        const isUnread = seq < this.#told;
        this.#told = seq;
        this.#read = isUnread ? seq : Math.max(this.#read, seq);
        if (!isUnread) return;
        this.#isHeld = true;
        this.#messages.mark(this.#messages.all.find((message) => seqOf(message) > seq && !message.matches(".mine")));
    }

    /** From this message on, as the reader wishes. */
    markUnread(message) {
        this.#read = this.#told = seqOf(message) - 1;
        this.#isHeld = true;
        this.#messages.mark(message);
    }

    /** What was marked as unread is so until the reader goes on. */
    goOn() {
        this.#isHeld = false;
        this.#look();
    }

    #seen = (changes) => {
        for (const { target, isIntersecting } of changes) {
            if (isIntersecting) this.#onScreen.add(target);
            else this.#onScreen.delete(target);
        }
        this.#look();
    };

    #look = () => {
        if (this.#isHeld || document.hidden || !document.hasFocus()) return;
        for (const message of this.#onScreen) this.#read = Math.max(this.#read, seqOf(message) || 0);
        if (this.#read > this.#told) this.#timer ??= setTimeout(this.#tell, PAUSE);
    };

    #tell = async (failures = 0) => {
        const readSeq = this.#read;
        this.#timer = null;
        this.#echoes.add(readSeq);
        try {
            await ask("POST", `${this.#chat}/receipts`, { readSeq });
            this.#told = Math.max(this.#told, readSeq);
        } catch ({ status }) {
            if (status === 401 || status === 404) return;
            this.#timer = setTimeout(() => this.#tell(failures + 1), delay(failures + 1));
        }
    };
}
