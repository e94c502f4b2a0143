// The server's clock: ages must be right even if the browser's clock is minutes off. ES2017 syntax, for walls.
let skew = 0;

export const clock = {
    now: () => Date.now() + skew,

    /** Sets the time from a page. Pages may come from a cache, so only a large difference counts. */
    set(iso) {
        const difference = Date.parse(iso) - Date.now();
        if (Math.abs(difference) > 60000) skew = difference;
    },

    /** Sets the time from a new response's Date header, which has whole seconds. */
    sync(response) {
        const difference = Date.parse(response.headers.get("Date")) + 500 - Date.now();
        if (!Number.isNaN(difference) && Math.abs(difference - skew) > 1500) skew = difference;
    },
};

/** Texts of times in the reader's zone. formats.js replaces them by the user's own. */
export const formats = {
    /** "09:41", like RelativeTime.swift. The string is "09:41:00 ..." in every language. */
    clock: (time) => new Date(time).toTimeString().slice(0, 5),

    /** "14 Nov 2025". The string is "Fri Nov 14 2025" in every language. */
    day(time) {
        const [, month, day, year] = new Date(time).toDateString().split(" ");
        return `${+day} ${month} ${year}`;
    },
};

export const clockText = (time) => formats.clock(time);
export const dayText = (time) => formats.day(time);
