/** If this browser may show notifications and the user turned them on, the time of the last shown alert, else false. */
export const shownUntil = () =>
    isSecureContext && "Notification" in window && Notification.permission === "granted" && (localStorage.alertsShownUntil ?? false);

/** Shows a notification for each alert that fires while a page is open. Tabs use the same tags, so only one appears. */
async function notify() {
    const last = shownUntil();
    const response = last && (await fetch("/api/v1/alerts?new=true", { cache: "no-store" }).catch(() => null));
    if (!response?.ok) return;
    for (const { id, coinId, crossings, firedAt, firedText } of (await response.json()).items) {
        if (firedAt <= last) continue;
        if (firedAt > localStorage.alertsShownUntil) localStorage.alertsShownUntil = firedAt;
        const notification = new Notification("Price alert", { body: firedText, tag: `alert-${id}-${crossings}` });
        notification.onclick = () => {
            focus();
            notification.close();
            location.assign(`/coins/${encodeURIComponent(coinId)}`);
        };
    }
}

addEventListener("roost:changed", ({ detail }) => detail.changed.includes("alerts") && notify());
