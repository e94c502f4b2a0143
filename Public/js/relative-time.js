import { clock, clockText, dayText } from "./clock.js";

/** "12 s ago": the same text as RelativeTime.swift; change both. */
export function ago(time, now) {
    const seconds = Math.floor((now - time) / 1000);
    if (seconds < 1) return "now";
    if (seconds < 60) return `${seconds} s ago`;
    if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
    if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
    if (seconds < 172_800) return "1 day ago";
    if (seconds < 604_800) return `${Math.floor(seconds / 86_400)} days ago`;
    return dayText(time);
}

/** "in 48 s"; from hours on rounded to the nearest unit: "in 30 days". */
export function until(time, now) {
    const seconds = Math.ceil((time - now) / 1000);
    if (seconds < 1) return "now";
    if (seconds < 60) return `in ${seconds} s`;
    if (seconds < 3_600) return `in ${Math.floor(seconds / 60)} min`;
    if (seconds < 84_600) return `in ${Math.round(seconds / 3_600)} h`;
    if (seconds < 129_600) return "in 1 day";
    return `in ${Math.round(seconds / 86_400)} days`;
}

/** The texts of time elements by attribute: ages, and times in the reader's zone. Pages add their own. */
export const FORMATS = {
    "data-age": ago,
    "data-until": until,
    "data-clock": clockText,
    "data-day": dayText,
    "data-short": (time) => `${dayText(time)}, ${clockText(time)}`,
};

/** Updates the ages on a visible page, and marks outdated content. */
export class RelativeTimes {
    #timer;

    start() {
        document.addEventListener("visibilitychange", this.#schedule);
        document.addEventListener("roost:morphed", this.tick);
        this.#schedule();
    }

    tick = () => {
        const now = clock.now();
        for (const [name, format] of Object.entries(FORMATS)) {
            for (const time of document.querySelectorAll(`time[${name}]`)) this.#write(time, format, now);
        }
        for (const element of document.querySelectorAll("[data-stale-after]")) this.#mark(element, now);
    };

    #schedule = () => {
        clearTimeout(this.#timer);
        if (document.hidden) return;
        this.tick();
        this.#timer = setTimeout(this.#schedule, 1_000 - (clock.now() % 1_000));
    };

    #write(element, format, now) {
        const text = format(Date.parse(element.dateTime), now);
        if (element.textContent !== text) element.textContent = text;
    }

    #mark(element, now) {
        const late = now > Date.parse(element.dataset.staleAfter);
        element.closest("[data-live], #screen")?.classList.toggle("old", late);
        if (!late) return;
        element.classList.replace("freshness-live", "freshness-stale");
        const label = element.querySelector("[data-fresh-word]");
        if (label) label.textContent = "Out of date · updated";
    }
}
