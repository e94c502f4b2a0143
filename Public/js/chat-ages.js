import { ago } from "./relative-time.js";
import { clock, clockText, dayText } from "./clock.js";

const UNITS = { s: "second", min: "minute", h: "hour" };

/** "12 seconds ago": the same text as RelativeTime.longAgo; change both. */
export function longAgo(time, now) {
    return ago(time, now).replace(
        /^(\d+) (s|min|h) /, (_, count, unit) => `${count} ${UNITS[unit]}${count === "1" ? "" : "s"} `);
}

let today, yesterday;

/** The day before this moment, as text. */
export function yesterdayText(now) {
    const day = dayText(now);
    if (day === today) return yesterday;
    let before = now;
    while (dayText(before) === day) before -= 3_600_000; // a day may have 23 hours
    [today, yesterday] = [day, dayText(before)];
    return yesterday;
}

/** "09:41" for today, "Yesterday", and the date of earlier days: the same text as RelativeTime.recent; change both. */
function recent(time, now) {
    const day = dayText(time);
    if (day === dayText(now)) return clockText(time);
    return day === yesterdayText(now) ? "Yesterday" : day;
}

/** Keeps the times of the conversations, and the titles of messages' timestamps, up to date. */
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
        for (const time of document.querySelectorAll("time[data-recent]")) {
            const text = recent(Date.parse(time.dateTime), clock.now());
            if (time.textContent !== text) time.textContent = text;
        }
        this.#timer = setTimeout(this.#tick, 1_000);
    };
}
