import { nextReload } from "./wall-schedule.js";

const MINUTE = 60000;
const DAY = 1440 * MINUTE;
const DRIFT = [[0, 0], [4, 2], [2, 4], [-3, 3], [-4, -2], [-1, -4], [3, -3]]; // pixels

/**
 * What keeps a screen well over months: it stays awake while it shows something, no pixel is lit for ever, and its memory
 * is freed every night. `minute` is called once a minute, also after a sleep. ES2017, as everything of a wall.
 */
export class KeepAlive {
    constructor(minute = () => {}) {
        this._minute = minute;
        this._lock = null;
        this._night = null;
        this._maySleep = false;
        this._step = 0;
        this._stayAwake = this._stayAwake.bind(this);
    }

    start() {
        this._timer = setInterval(() => this._pass(), MINUTE);
        document.addEventListener("visibilitychange", this._stayAwake);
        this._stayAwake();
    }

    stop() {
        clearInterval(this._timer);
        document.removeEventListener("visibilitychange", this._stayAwake);
        this._release();
    }

    /** In minutes past midnight; undefined: never. */
    reloadAt(minute) {
        if (minute === this._reloadAt) return;
        this._reloadAt = minute;
        this._night = minute === undefined ? null : nextReload(minute, Date.now());
    }

    /** A screen that is black may switch itself off. */
    maySleep(isBlack) {
        if (isBlack === this._maySleep) return;
        this._maySleep = isBlack;
        if (isBlack) this._release();
        else this._stayAwake();
    }

    /** Looks at the clock each time: a timer of hours goes wrong when the machine sleeps or its clock is set. */
    async _pass() {
        this._minute();
        if ((this._step += 1) % 3 === 0) this._drift(DRIFT[(this._step / 3) % DRIFT.length]);
        const now = Date.now();
        if (this._night === null) return;
        if (this._night - now > 1.1 * DAY) this._night = nextReload(this._reloadAt, now); // the clock went back
        else if (now >= this._night && !(await reload())) this._night = now + 10 * MINUTE;
    }

    _drift([x, y]) {
        const { body } = document;
        if ("translate" in body.style) body.style.translate = `${x}px ${y}px`;
        // The body of an older browser's turned screen is transformed already.
        else document.getElementById("screen").style.transform = `translate(${x}px, ${y}px)`;
    }

    /** Only pages on HTTPS or localhost are offered this; elsewhere the screen's own settings decide. */
    async _stayAwake() {
        if (document.hidden || this._maySleep || !navigator.wakeLock) return;
        try {
            this._lock = await navigator.wakeLock.request("screen");
            if (this._maySleep) this._release();
        } catch (error) {
            // Refused, as on low battery: asked for again when the page is next shown.
        }
    }

    _release() {
        if (this._lock) this._lock.release();
        this._lock = null;
    }
}

/** Reloads once the server has shown that it can answer: a reload during an outage would leave an error page on the wall. */
export async function reload() {
    try {
        const response = await fetch(location.href, { cache: "no-store" });
        if (!response.ok || !(await response.text()).includes("data-display")) return false;
    } catch (error) {
        return false;
    }
    location.reload();
    return true;
}
