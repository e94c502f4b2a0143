/**
 * If this browser may show notifications and the user turned them on, the second of the last shown alerts, then their tags,
 * else false.
 */
export const shownUntil = () =>
    isSecureContext && "Notification" in window && Notification.permission === "granted" && (localStorage.alertsShownUntil ?? false);

/** Shows a notification for each alert that fires while a page is open. Tabs use the same tags, so only one appears. */
async function notify() {
    const last = shownUntil();
    const second = (text) => text.slice(0, 20);
    const response = last && (await fetch("/api/v1/alerts?new=true", { cache: "no-store" }).catch(() => null));
    if (!response?.ok) return;
    for (const { id, coinId, crossings, firedAt, firedText } of (await response.json()).items) {
        const tag = `alert-${id}-${crossings}`;
        if (firedAt < second(last) || last.includes(`${tag} `)) continue;
        const shown = shownUntil();
        if (shown && firedAt >= second(shown)) localStorage.alertsShownUntil = `${shown.startsWith(firedAt) ? shown : firedAt}${tag} `;
        const notification = new Notification("Price alert", { body: firedText, tag });
        notification.onclick = () => {
            focus();
            notification.close();
            location.assign(`/coins/${encodeURIComponent(coinId)}`);
        };
    }
}

addEventListener("roost:changed", ({ detail }) => detail.changed.includes("alerts") && notify());
