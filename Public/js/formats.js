import { formats } from "./clock.js";

// Runs before site.js on the pages of users who have chosen formats: "DATE;HOURS;ZONE". The same texts as
// RelativeTime.swift; change both.
const [date, hours, zone] = document.body.dataset.formats.split(";");
const numeric = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

/** Without a time zone, or with one that this browser doesn’t know, times are in the browser’s own. */
function format(timeZone) {
    try {
        return new Intl.DateTimeFormat("en-US", { ...numeric, timeZone });
    } catch {
        return new Intl.DateTimeFormat("en-US", numeric);
    }
}

const parts = format(zone || undefined);
const monthName = (month) => "JanFebMarAprMayJunJulAugSepOctNovDec".slice(month * 3 - 3, month * 3);
const DAYS = {
    "d mmm yyyy": ({ day, month }) => `${+day} ${monthName(month)}`,
    "dd.mm.yyyy": ({ day, month }) => `${day}.${month}.`,
    "dd/mm/yyyy": ({ day, month }) => `${day}/${month}`,
    "mm/dd/yyyy": ({ day, month }) => `${month}/${day}`,
    "yyyy-mm-dd": ({ day, month }) => `${month}-${day}`,
};
const YEARS = {
    "d mmm yyyy": (day, year) => `${day} ${year}`,
    "dd.mm.yyyy": (day, year) => `${day}${year}`,
    "yyyy-mm-dd": (day, year) => `${year}-${day}`,
};

function read(time) {
    const read = {};
    for (const { type, value } of parts.formatToParts(time)) read[type] = value;
    return read;
}

formats.clock = (time) => {
    const { hour, minute } = read(time);
    return hours === "12" ? `${hour % 12 || 12}:${minute}\u00a0${hour < 12 ? "AM" : "PM"}` : `${hour}:${minute}`;
};

formats.short = (time) => DAYS[date](read(time));

formats.day = (time) => {
    const all = read(time);
    const day = DAYS[date](all);
    return YEARS[date]?.(day, all.year) ?? `${day}/${all.year}`;
};
