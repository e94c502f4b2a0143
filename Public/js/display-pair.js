import { LongPoll } from "./long-poll.js";

const ENDED = 2_000; // milliseconds, so that many screens do not ask for codes at once

/** A screen that shows a code: it becomes the display as soon as somebody has typed it, and shows a new one when it ends. */
class DisplayPair {
    #poll;
    #timer;

    start() {
        this.#poll = new LongPoll({
            address: () => "/display/paired?",
            answered: ({ isPaired }) => isPaired && location.replace("/display"),
            failed: ({ status }) => status === 404 && this.#renew(),
        });
        this.#poll.start();
    }

    stop() {
        clearTimeout(this.#timer);
        this.#poll.stop();
    }

    /** The server has just answered: it can show a new code. */
    #renew() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => location.replace("/display"), ENDED * (0.5 + Math.random()));
    }
}

new DisplayPair().start();
