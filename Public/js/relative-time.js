import { clock, clockText, dayText } from "./clock.js";

/** "12 s ago": the same words as RelativeTime.swift; change both. */
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

/** "in 48 s", and from hours on to the nearest: "in 30 days". */
export function until(time, now) {
    const seconds = Math.ceil((time - now) / 1000);
    if (seconds < 1) return "now";
    if (seconds < 60) return `in ${seconds} s`;
    if (seconds < 3_600) return `in ${Math.floor(seconds / 60)} min`;
    if (seconds < 84_600) return `in ${Math.round(seconds / 3_600)} h`;
    if (seconds < 129_600) return "in 1 day";
    return `in ${Math.round(seconds / 86_400)} days`;
}

/** What stands in the times of a page: ages, and moments in the reader's own zone. */
const WORDS = {
    "data-age": ago,
    "data-until": until,
    "data-clock": clockText,
    "data-day": dayText,
    "data-short": (time) => `${dayText(time)}, ${clockText(time)}`,
};

/** Lets the ages on a page grow while it is looked at, and says when what it shows is out of date. */
export class RelativeTimes {
    #timer;

    start() {
        document.addEventListener("visibilitychange", this.#schedule);
        document.addEventListener("roost:morphed", this.tick);
        this.#schedule();
    }

    stop() {
        document.removeEventListener("visibilitychange", this.#schedule);
        document.removeEventListener("roost:morphed", this.tick);
        clearTimeout(this.#timer);
    }

    tick = () => {
        const now = clock.now();
        for (const [name, words] of Object.entries(WORDS)) {
            for (const time of document.querySelectorAll(`time[${name}]`)) this.#write(time, words, now);
        }
        for (const element of document.querySelectorAll("[data-stale-after]")) this.#judge(element, now);
    };

    #schedule = () => {
        clearTimeout(this.#timer);
        if (document.hidden) return;
        this.tick();
        this.#timer = setTimeout(this.#schedule, 1_000 - (clock.now() % 1_000));
    };

    #write(element, words, now) {
        const text = words(Date.parse(element.dateTime), now);
        if (element.textContent !== text) element.textContent = text;
    }

    #judge(element, now) {
        const late = now > Date.parse(element.dataset.staleAfter);
        element.closest("[data-live], #screen")?.classList.toggle("old", late);
        if (!late) return;
        element.classList.replace("freshness-live", "freshness-stale");
        const word = element.querySelector("[data-fresh-word]");
        if (word) word.textContent = "Out of date · updated";
    }
}
