import { nextReload } from "./wall-schedule.js";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const DRIFT = [[0, 0], [4, 2], [2, 4], [-3, 3], [-4, -2], [-1, -4], [3, -3]]; // pixels

/**
 * What keeps a screen well over months: it stays awake while it shows something, no pixel is lit for ever, and its memory
 * is freed every night. `minute` is called once a minute, also after a sleep.
 */
export class KeepAlive {
    #minute;
    #timer;
    #lock;
    #night = null;
    #reloadAt;
    #maySleep = false;
    #step = 0;

    constructor(minute = () => {}) {
        this.#minute = minute;
    }

    start() {
        this.#timer = setInterval(() => this.#pass(), MINUTE);
        document.addEventListener("visibilitychange", this.#stayAwake);
        this.#stayAwake();
    }

    stop() {
        clearInterval(this.#timer);
        document.removeEventListener("visibilitychange", this.#stayAwake);
        this.#release();
    }

    /** In minutes past midnight; undefined: never. */
    reloadAt(minute) {
        if (minute === this.#reloadAt) return;
        this.#reloadAt = minute;
        this.#night = minute === undefined ? null : nextReload(minute, Date.now());
    }

    /** A screen that is black may switch itself off. */
    maySleep(isBlack) {
        if (isBlack === this.#maySleep) return;
        this.#maySleep = isBlack;
        if (isBlack) this.#release();
        else this.#stayAwake();
    }

    /** Looks at the clock each time: a timer of hours goes wrong when the machine sleeps or its clock is set. */
    async #pass() {
        this.#minute();
        if ((this.#step += 1) % 3 === 0) this.#drift(DRIFT[(this.#step / 3) % DRIFT.length]);
        const now = Date.now();
        if (this.#night === null) return;
        if (this.#night - now > 1.1 * DAY) this.#night = nextReload(this.#reloadAt, now); // the clock went back
        else if (now >= this.#night && !(await reload())) this.#night = now + 10 * MINUTE;
    }

    #drift([x, y]) {
        document.body.style.translate = `${x}px ${y}px`;
    }

    /** Only pages on HTTPS or localhost are offered this; elsewhere the screen's own settings decide. */
    #stayAwake = async () => {
        if (document.hidden || this.#maySleep || !navigator.wakeLock) return;
        try {
            this.#lock = await navigator.wakeLock.request("screen");
            if (this.#maySleep) this.#release();
        } catch {
            // Refused, as on low battery: asked for again when the page is next shown.
        }
    };

    #release() {
        this.#lock?.release();
        this.#lock = null;
    }
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
