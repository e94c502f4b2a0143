import { clock } from "./clock.js";

// Walls run this file too, in browsers of 2018: ES2017 syntax, no private members, no AbortController for granted.

/** Milliseconds until the next try after so many failures in a row: min(2^((n+1)/2), 90) s, spread by a quarter. */
export function delay(failures, retryAfter = 0) {
    const seconds = Math.min(2 ** ((failures + 1) / 2), 90) * (0.75 + Math.random() / 2);
    return Math.max(seconds, retryAfter) * 1000;
}

/** Retry-After in seconds: a number, or a date. */
export function retryAfter(response) {
    const text = response.headers.get("Retry-After");
    if (!text) return 0;
    const seconds = Number(text);
    return Number.isNaN(seconds) ? Math.max(0, (Date.parse(text) - clock.now()) / 1000 || 0) : seconds;
}

const PATIENCE = 45000; // a poll is answered within 30 s; silence for longer means a dead connection

/**
 * Asks an address again and again. `address()` is called for each poll, `answered(body)` gets its JSON,
 * `failed({ status, since })` each failure: status 0 where nobody answered, since when in the browser's time.
 */
export class LongPoll {
    constructor(options) {
        this._options = options;
        this._life = null;
        this._abort = () => {};
        this._wake = () => {};
        this._asleep = false;
        this._failures = 0;
        this._since = null;
        this._lastAnswer = Date.now();
        this.wake = this.wake.bind(this);
        this._shown = () => document.hidden || this.wake();
    }

    start() {
        if (this._life) return;
        this._life = {};
        addEventListener("online", this.wake);
        document.addEventListener("visibilitychange", this._shown);
        this._run(this._life);
    }

    stop() {
        this._life = null;
        removeEventListener("online", this.wake);
        document.removeEventListener("visibilitychange", this._shown);
        this._abort();
        this._wake();
    }

    /** Polls again with the address as it is now. */
    again() {
        if (!this._asleep) this._abort();
    }

    /** Ends a pause between tries, and a poll that a sleeping computer has lost. */
    wake() {
        if (this._asleep) this._wake();
        else if (Date.now() - this._lastAnswer > PATIENCE) this._abort();
    }

    async _run(life) {
        while (life === this._life) {
            const pause = await this._ask();
            if (pause && life === this._life) await this._sleep(pause);
        }
    }

    /** One poll; answers how long to wait before the next. A time-out is no failure. */
    async _ask() {
        const controller = window.AbortController ? new AbortController() : { abort() {} };
        let isOver = false;
        // A browser without AbortController only stops waiting for the request.
        const over = new Promise((_, reject) => {
            this._abort = () => {
                isOver = true;
                controller.abort();
                reject();
            };
        });
        over.catch(() => {});
        const timer = setTimeout(this._abort, PATIENCE);
        let status = 0;
        let after = 0;
        try {
            // After a failure an answer is needed at once.
            const address = this._options.address() + (this._failures ? "&wait=0" : "");
            const response = await Promise.race([
                fetch(address, { signal: controller.signal, cache: "no-store" }), over]);
            status = response.status;
            after = retryAfter(response);
            if (!response.ok) throw new Error(`status ${status}`);
            const body = await Promise.race([response.json(), over]);
            clock.hear(response);
            this._failures = 0;
            this._since = null;
            this._lastAnswer = Date.now();
            this._options.answered(body);
            return 0;
        } catch (error) {
            if (isOver) return this._life ? 50 : 0;
            this._failures += 1;
            this._since = this._since || Date.now();
            this._options.failed({ status, since: this._since, failures: this._failures });
            // Seconds, for an address that is gone.
            return delay(this._failures, status === 404 || status === 410 ? Math.max(90, after) : after);
        } finally {
            clearTimeout(timer);
        }
    }

    _sleep(milliseconds) {
        return new Promise((resolve) => {
            this._asleep = true;
            const timer = setTimeout(() => this._wake(), milliseconds);
            this._wake = () => {
                clearTimeout(timer);
                this._asleep = false;
                resolve();
            };
        });
    }
}
