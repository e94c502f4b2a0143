import { ask } from "./chat-api.js";
import { seqOf } from "./chat-messages.js";
import { delay } from "./long-poll.js";

const PAUSE = 200; // milliseconds to collect visible messages before reporting

/** Marks messages as read once they are visible in a focused tab. */
export class ReadMarks {
    #chat;
    #messages;
    #read;
    #reported;
    /** Reported by this tab, and not yet seen in the log. */
    #echoes = new Set();
    #isPaused = false;
    #timer;
    #onScreen = new Set();
    #observer;

    /** `read` is the number of the last read message. */
    constructor(chat, messages, read) {
        this.#chat = chat;
        this.#messages = messages;
        this.#read = this.#reported = read;
    }

    start() {
        const options = { root: this.#messages.scroller, rootMargin: "0px 0px -8px" };
        this.#observer = new IntersectionObserver(this.#intersected, options);
        for (const message of this.#messages.all) this.#observer.observe(message);
        addEventListener("focus", this.#markVisible);
    }

    observe = (message) => this.#observer.observe(message);

    /** Handles a new message of another person. If the tab has no focus, the unread line goes above it. */
    arrived(message) {
        this.observe(message);
        const first = this.#messages.firstUnread;
        if (!document.hasFocus() && (!first || seqOf(first) <= this.#read)) this.#messages.mark(message);
    }

    /** Handles a message marked as read or unread in any tab or device. */
    receive(seq) {
        if (this.#echoes.delete(seq)) return;
        const isUnread = seq < this.#reported;
        this.#reported = seq;
        this.#read = isUnread ? seq : Math.max(this.#read, seq);
        if (!isUnread) return;
        this.#isPaused = true;
        this.#messages.mark(this.#messages.all.find((message) => seqOf(message) > seq && !message.matches(".mine")));
    }

    markUnread(message) {
        this.#read = this.#reported = seqOf(message) - 1;
        this.#isPaused = true;
        this.#messages.mark(message);
    }

    /** Messages marked as unread stay so until the reader continues. */
    resume() {
        // An answer or log entry from before the mark may have arrived after it: report again in any case.
        if (this.#isPaused) this.#reported = 0;
        this.#isPaused = false;
        this.#markVisible();
    }

    #intersected = (changes) => {
        for (const { target, isIntersecting } of changes) {
            if (isIntersecting) this.#onScreen.add(target);
            else this.#onScreen.delete(target);
        }
        this.#markVisible();
    };

    #markVisible = () => {
        if (this.#isPaused || document.hidden || !document.hasFocus()) return;
        for (const message of this.#onScreen) this.#read = Math.max(this.#read, seqOf(message) || 0);
        if (this.#read > this.#reported) this.#timer ??= setTimeout(this.#report, PAUSE);
    };

    #report = async (failures = 0) => {
        const readSeq = this.#read;
        this.#timer = null;
        this.#echoes.add(readSeq);
        try {
            await ask("POST", `${this.#chat}/receipts`, { readSeq });
            this.#reported = Math.max(this.#reported, readSeq);
        } catch ({ status }) {
            if (status === 401 || status === 404) return;
            this.#timer = setTimeout(() => this.#report(failures + 1), delay(failures + 1));
        }
    };
}
