import { LongPoll } from "./long-poll.js";

// ES2017 syntax: Roost serves this and its imports as one classic script for screens' browsers (ClassicScript.swift).

const ENDED = 2000; // milliseconds, randomized so that many screens do not ask for codes at once

/** Shows a pairing code. Opens the display once a user enters the code, and gets a new one when it expires. */
class DisplayPair {
    start() {
        this._poll = new LongPoll({
            address: () => "/display/paired?",
            answered: ({ isPaired }) => isPaired && location.replace("/display"),
            failed: ({ status }) => status === 404 && this._renew(),
        });
        this._poll.start();
    }

    stop() {
        clearTimeout(this._timer);
        this._poll.stop();
    }

    /** The server has just responded, so it can issue a new code. */
    _renew() {
        clearTimeout(this._timer);
        this._timer = setTimeout(() => location.replace("/display"), ENDED * (0.5 + Math.random()));
    }
}

new DisplayPair().start();
// A script below reloads the page for browsers where this one fails. The comment hides it if this one runs.
document.write("<!--");
