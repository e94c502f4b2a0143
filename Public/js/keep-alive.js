const MINUTE = 60_000;
const DRIFT = [[0, 0], [4, 2], [2, 4], [-3, 3], [-4, -2], [-1, -4], [3, -3]]; // pixels

/** What keeps a screen well over days: it stays awake, no pixel is lit for ever, and its memory is freed every night. */
export class KeepAlive {
    #drift;
    #night;
    #lock;
    #step = 0;

    start() {
        this.#drift = setInterval(() => this.#move(), 3 * MINUTE);
        this.#night = setTimeout(() => this.#renew(), untilNight(Date.now()));
        document.addEventListener("visibilitychange", this.#stayAwake);
        this.#stayAwake();
    }

    stop() {
        clearInterval(this.#drift);
        clearTimeout(this.#night);
        document.removeEventListener("visibilitychange", this.#stayAwake);
        this.#lock?.release();
    }

    #move() {
        const [x, y] = DRIFT[(this.#step += 1) % DRIFT.length];
        document.body.style.transform = `translate(${x}px, ${y}px)`;
    }

    async #renew() {
        if (!(await reload())) this.#night = setTimeout(() => this.#renew(), 10 * MINUTE);
    }

    /** Only pages on HTTPS or localhost are offered this; elsewhere the screen's own settings decide. */
    #stayAwake = async () => {
        if (document.hidden || !navigator.wakeLock) return;
        try {
            this.#lock = await navigator.wakeLock.request("screen");
        } catch {
            // Refused, as on low battery: asked for again when the page is next shown.
        }
    };
}

/** Milliseconds until a random minute between four and five in the morning, here; at least an hour ahead. */
export function untilNight(now, random = Math.random()) {
    const night = new Date(now);
    night.setHours(4, Math.floor(random * 60), 0, 0);
    if (night - now < 60 * MINUTE) night.setDate(night.getDate() + 1);
    return night - now;
}

/** Reloads once the server has shown that it can answer: a reload during an outage would leave an error page on the wall. */
export async function reload() {
    try {
        const response = await fetch(location.href, { cache: "no-store" });
        if (!response.ok || !(await response.text()).includes("data-display")) return false;
    } catch {
        return false;
    }
    location.reload();
    return true;
}
