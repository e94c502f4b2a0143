/** Whether this browser was told to show what fires, and may: the time of what it has shown last, else false. */
export const shownUntil = () =>
    isSecureContext && "Notification" in window && Notification.permission === "granted" && (localStorage.alertsShownUntil ?? false);

/** A notification of each alert that fires while a page is open; two tabs at once use the same tag, and show one. */
async function tell() {
    const last = shownUntil();
    const response = last && (await fetch("/api/v1/alerts?new=true", { cache: "no-store" }).catch(() => null));
    if (!response?.ok) return;
    for (const { id, coinId, crossings, firedAt, firedText } of (await response.json()).items) {
        if (firedAt <= last) continue;
        if (firedAt > localStorage.alertsShownUntil) localStorage.alertsShownUntil = firedAt;
        const shown = new Notification("Price alert", { body: firedText, tag: `alert-${id}-${crossings}` });
        shown.onclick = () => {
            focus();
            shown.close();
            location.assign(`/coins/${encodeURIComponent(coinId)}`);
        };
    }
}

addEventListener("roost:changed", ({ detail }) => detail.changed.includes("alerts") && tell());
