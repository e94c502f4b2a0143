// When a wall is light, dimmed or black: as WallSchedule.swift judges, but by the screen's own clock. Change both.
// ES2017 syntax. Hours are [from, until] in minutes since midnight; where the end is not after the beginning they end the next day.

const endsNextDay = ([from, until]) => until <= from;

const contains = (hours, minute) => endsNextDay(hours)
    ? minute >= hours[0] || minute < hours[1]
    : minute >= hours[0] && minute < hours[1];

/** `days` has the hours that begin on each weekday, Monday first, or null. */
function isBlack(days, minute, weekday) {
    const [today, yesterday] = [days[weekday], days[(weekday + 6) % 7]];
    if (yesterday && endsNextDay(yesterday) && minute < yesterday[1]) return true;
    return !!today && minute >= today[0] && (endsNextDay(today) || minute < today[1]);
}

/** How the page looks at a time: `isLight`, `isBlack`, and `dimming` in percent. */
export function look({ theme, day, dim, dimming, black }, time) {
    const date = new Date(time);
    const minute = date.getHours() * 60 + date.getMinutes();
    return {
        isLight: theme === "light" || (theme === "time" && contains(day, minute)),
        isBlack: !!black && isBlack(black, minute, (date.getDay() + 6) % 7),
        dimming: dim && contains(dim, minute) ? dimming : 0,
    };
}

/** The next time that it is `minute` past midnight here, at least an hour ahead, and a random part of an hour later. */
export function nextReload(minute, now, random = Math.random()) {
    const time = new Date(now);
    time.setHours(0, minute + Math.floor(random * 60), 0, 0);
    while (time - now < 3600000) time.setDate(time.getDate() + 1);
    return +time;
}
