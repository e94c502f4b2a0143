import { FORMATS, ago } from "./relative-time.js";
import { clock, clockText, dayText } from "./clock.js";

const UNITS = { s: "second", min: "minute", h: "hour" };

/** "12 seconds ago": the same text as RelativeTime.longAgo; change both. */
export function longAgo(time, now) {
    return ago(time, now).replace(
        /^(\d+) (s|min|h) /, (_, count, unit) => `${count} ${UNITS[unit]}${count === "1" ? "" : "s"} `);
}

/** "Today", "Yesterday" or the date itself, of a date as text. */
export function dayLabel(day) {
    let before = clock.now();
    const today = dayText(before);
    if (day === today) return "Today";
    while (dayText(before) === today) before -= 79_200_000; // 22 hours: a day may have 23
    return day === dayText(before) ? "Yesterday" : day;
}

/** "09:41" for today, "Yesterday", and the date of earlier days: the same text as RelativeTime.recent; change both. */
FORMATS["data-recent"] = (time) => {
    const label = dayLabel(dayText(time));
    return label === "Today" ? clockText(time) : label;
};

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
