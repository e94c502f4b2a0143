const LIFETIME = 10; // seconds that each notice is visible
const LIMIT = 4; // older ones are removed

/** Notices stay while the page is hidden, and under the pointer or keyboard focus. */
const isPaused = (list) => document.hidden || list.matches(":hover, :has(:focus-visible)");

function end(notice) {
    const hadFocus = notice.contains(document.activeElement);
    notice.remove();
    if (hadFocus) document.getElementById("content").focus({ preventScroll: true });
}

function count(notice) {
    let seconds = 0;
    const timer = setInterval(() => {
        if (notice.isConnected && (isPaused(notice.parentElement) || ++seconds < LIFETIME)) return;
        clearInterval(timer);
        end(notice);
    }, 1_000);
}

/** Makes new notices disappear after a while; newer ones are on top. */
export function expire(list) {
    const older = [...list.querySelectorAll("[data-owned]")];
    for (const notice of list.querySelectorAll(".notice:not([data-owned], [data-key])")) {
        for (const other of older) if (other.textContent === notice.textContent) other.remove();
        notice.dataset.owned = "";
        // When Undo is used, Roost's response removes the notice. Without a response it stays.
        notice.addEventListener("submit", () => {
            delete notice.dataset.owned;
            notice.dataset.key = "used";
        });
        count(notice);
    }
    for (const old of [...list.children].slice(LIMIT)) end(old);
}
