const SEEN = 10; // seconds for which each is seen
const MOST = 4; // the older ones give way

/** No notice ends while the page is hidden, or under the pointer, or with the keyboard's focus. */
const waits = (place) => document.hidden || place.matches(":hover, :has(:focus-visible)");

function end(notice) {
    const hadFocus = notice.contains(document.activeElement);
    notice.remove();
    if (hadFocus) document.getElementById("content").focus({ preventScroll: true });
}

function count(notice) {
    let seen = 0;
    const timer = setInterval(() => {
        if (notice.isConnected && (waits(notice.parentElement) || ++seen < SEEN)) return;
        clearInterval(timer);
        end(notice);
    }, 1_000);
}

/** Has each new notice end by itself; later ones stand above it. */
export function keep(place) {
    const kept = [...place.querySelectorAll("[data-owned]")];
    for (const notice of place.querySelectorAll(".notice:not([data-owned], [data-key])")) {
        for (const other of kept) if (other.textContent === notice.textContent) other.remove();
        notice.dataset.owned = "";
        // Its Undo is used: what Roost answers takes it away, and if none comes it stays.
        notice.addEventListener("submit", () => {
            delete notice.dataset.owned;
            notice.dataset.key = "used";
        });
        count(notice);
    }
    for (const old of [...place.children].slice(MOST)) end(old);
}
