// When a wall is light, dimmed or black: the same rules as WallSchedule.swift, but by the screen's clock. Change
// both. ES2017 syntax. Hours are [from, until] in minutes since midnight; an end not after the start is on the next
// day.

const endsNextDay = ([from, until]) => until <= from;

const contains = (hours, minute) => endsNextDay(hours)
    ? minute >= hours[0] || minute < hours[1]
    : minute >= hours[0] && minute < hours[1];

/** `days` has each weekday's hours or null, Monday first. */
function isBlack(days, minute, weekday) {
    const [today, yesterday] = [days[weekday], days[(weekday + 6) % 7]];
    if (yesterday && endsNextDay(yesterday) && minute < yesterday[1]) return true;
    return !!today && minute >= today[0] && (endsNextDay(today) || minute < today[1]);
}

/** The appearance at a time: `isLight`, `isBlack`, and `dimming` in percent. */
export function look({ theme, day, dim, dimming, black }, time) {
    const date = new Date(time);
    const minute = date.getHours() * 60 + date.getMinutes();
    return {
        isLight: theme === "light" || (theme === "time" && contains(day, minute)),
        isBlack: !!black && isBlack(black, minute, (date.getDay() + 6) % 7),
        dimming: dim && contains(dim, minute) ? dimming : 0,
    };
}

/** The next local time of `minute` past midnight that is at least an hour ahead, plus up to a random hour. */
export function nextReload(minute, now, random = Math.random()) {
    const time = new Date(now);
    time.setHours(0, minute + Math.floor(random * 60), 0, 0);
    while (time - now < 3600000) time.setDate(time.getDate() + 1);
    return +time;
}
