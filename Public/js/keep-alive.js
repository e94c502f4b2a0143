import { nextReload } from "./wall-schedule.js";

const MINUTE = 60000;
const DAY = 1440 * MINUTE;
const DRIFT = [[0, 0], [4, 2], [2, 4], [-3, 3], [-4, -2], [-1, -4], [3, -3]]; // pixels

/**
 * Keeps a screen healthy over months: keeps it awake while it shows something, moves the picture against burn-in, and
 * reloads nightly to free memory. `minute` is called once a minute, also after a sleep. ES2017 syntax, for walls.
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
        this._timer = setInterval(() => this._runMinute(), MINUTE);
        document.addEventListener("visibilitychange", this._stayAwake);
        this._stayAwake();
    }

    stop() {
        clearInterval(this._timer);
        document.removeEventListener("visibilitychange", this._stayAwake);
        this._release();
    }

    /** `minute` is minutes past midnight; undefined means never. */
    reloadAt(minute) {
        if (minute === this._reloadAt) return;
        this._reloadAt = minute;
        this._night = minute === undefined ? null : nextReload(minute, Date.now());
    }

    maySleep(isBlack) {
        if (isBlack === this._maySleep) return;
        this._maySleep = isBlack;
        if (isBlack) this._release();
        else this._stayAwake();
    }

    /** Compares with the clock each time, because long timers fail when the machine sleeps or its clock changes. */
    async _runMinute() {
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
        // In older browsers the body of a rotated screen already has a transform.
        else document.getElementById("screen").style.transform = `translate(${x}px, ${y}px)`;
    }

    /** Browsers offer this only on HTTPS or localhost; elsewhere the screen's own settings decide. */
    async _stayAwake() {
        if (document.hidden || this._maySleep || !navigator.wakeLock) return;
        try {
            this._lock = await navigator.wakeLock.request("screen");
            if (this._maySleep) this._release();
        } catch (error) {
            // Refused, for instance because of low battery. Requested again when the page is next shown.
        }
    }

    _release() {
        if (this._lock) this._lock.release();
        this._lock = null;
    }
}

/** Reloads only after the server has responded: during an outage a reload would leave an error page on the wall. */
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
