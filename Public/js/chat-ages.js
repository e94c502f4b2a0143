import { ago } from "./relative-time.js";
import { clock } from "./clock.js";

const UNITS = { s: "second", min: "minute", h: "hour" };

/** "12 seconds ago": the same text as RelativeTime.longAgo; change both. */
export function longAgo(time, now) {
    return ago(time, now).replace(
        /^(\d+) (s|min|h) /, (_, count, unit) => `${count} ${UNITS[unit]}${count === "1" ? "" : "s"} `);
}

/** Keeps the relative times in the titles of messages' timestamps up to date. */
export class MessageAges {
    #timer;

    start() {
        this.#tick();
    }

    stop() {
        clearTimeout(this.#timer);
    }

    #tick = () => {
        for (const time of document.querySelectorAll("time[data-ago]")) {
            const text = longAgo(Date.parse(time.dateTime), clock.now());
            if (time.title !== text) time.title = text;
        }
        this.#timer = setTimeout(this.#tick, 1_000);
    };
}
