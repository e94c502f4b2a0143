import { LongPoll } from "./long-poll.js";

// ES2017 syntax: Roost serves this and its imports as one classic script, for the browsers of screens (ClassicScript.swift).

const ENDED = 2000; // milliseconds, so that many screens do not ask for codes at once

/** A screen that shows a code: it becomes the display as soon as somebody has typed it, and shows a new one when it ends. */
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

    /** The server has just answered: it can show a new code. */
    _renew() {
        clearTimeout(this._timer);
        this._timer = setTimeout(() => location.replace("/display"), ENDED * (0.5 + Math.random()));
    }
}

new DisplayPair().start();
// What follows on the page reloads it; a comment hides that from a browser in which this script runs.
document.write("<!--");
