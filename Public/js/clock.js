// The server's clock, seen from here; ES2017 syntax, for walls. Browsers' clocks may be minutes off, and ages must not be.
let skew = 0;

export const clock = {
    now: () => Date.now() + skew,

    /** From the time that a page bears. A page may come from a cache, so only a gross difference counts. */
    begin(iso) {
        const difference = Date.parse(iso) - Date.now();
        if (Math.abs(difference) > 60000) skew = difference;
    },

    /** From the Date header of an answer that has just come; it knows only whole seconds. */
    hear(response) {
        const difference = Date.parse(response.headers.get("Date")) + 500 - Date.now();
        if (!Number.isNaN(difference) && Math.abs(difference - skew) > 1500) skew = difference;
    },
};

/** "09:41", as RelativeTime.swift writes it; in every language the text begins "09:41:00". */
export const clockText = (time) => new Date(time).toTimeString().slice(0, 5);

/** "14 Nov 2025"; in every language the text is "Fri Nov 14 2025". */
export const dayText = (time) => {
    const [, month, day, year] = new Date(time).toDateString().split(" ");
    return `${+day} ${month} ${year}`;
};
