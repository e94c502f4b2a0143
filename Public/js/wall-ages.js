import { clock, dayText } from "./clock.js";

// Ages on a wall. Does not use relative-time.js, because walls need ES2017 syntax.

/** "12 s ago": the same text as RelativeTime.swift and relative-time.js; change all. */
function ago(time, now) {
    const seconds = Math.floor((now - time) / 1000);
    if (seconds < 1) return "now";
    if (seconds < 60) return `${seconds} s ago`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
    if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
    if (seconds < 172800) return "1 day ago";
    if (seconds < 604800) return `${Math.floor(seconds / 86400)} days ago`;
    return dayText(time);
}

/** "9 days": the same text as WallPulls.swift; change both. */
function waited(time, now) {
    const seconds = Math.max(0, Math.floor((now - time) / 1000));
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
    if (seconds < 86400) return `${Math.floor(seconds / 3600)} h`;
    return seconds < 172800 ? "1 day" : `${Math.floor(seconds / 86400)} days`;
}

/** Marks content as out of date after its data-stale-after. */
function mark(element, now) {
    const late = now > Date.parse(element.dataset.staleAfter);
    const part = element.closest("[data-live], #screen");
    if (part) part.classList.toggle("old", late);
    if (!late) return;
    element.classList.replace("freshness-live", "freshness-stale");
}

/** Updates the ages on a wall, and marks outdated prices. */
export class Ages {
    constructor() {
        this._tick = this._tick.bind(this);
    }

    start() {
        document.addEventListener("visibilitychange", this._tick);
        document.addEventListener("roost:morphed", this._tick);
        this._tick();
    }

    stop() {
        document.removeEventListener("visibilitychange", this._tick);
        document.removeEventListener("roost:morphed", this._tick);
        clearTimeout(this._timer);
    }

    _tick() {
        clearTimeout(this._timer);
        if (document.hidden) return;
        const now = clock.now();
        for (const time of document.querySelectorAll("time[data-age], time[data-wait]")) {
            const text = (time.hasAttribute("data-age") ? ago : waited)(Date.parse(time.dateTime), now);
            if (time.textContent !== text) time.textContent = text;
        }
        for (const element of document.querySelectorAll("[data-stale-after]")) mark(element, now);
        this._timer = setTimeout(this._tick, 1000 - (now % 1000));
    }
}
