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

/** The user's own `clock`, `day` and `short`, if any: see formats.js. */
export const formats = {};

/** "09:41", like RelativeTime.swift. The string is "09:41:00 ..." in every language. */
export const clockText = (time) => formats.clock ? formats.clock(time) : new Date(time).toTimeString().slice(0, 5);

/** "14 Nov 2025". The string is "Fri Nov 14 2025" in every language. */
export const dayText = (time) => {
    if (formats.day) return formats.day(time);
    const [, month, day, year] = new Date(time).toDateString().split(" ");
    return `${+day} ${month} ${year}`;
};
