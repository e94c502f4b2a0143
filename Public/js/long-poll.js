import { clock } from "./clock.js";

// Walls also run this, in browsers from 2018: ES2017 syntax, no private members, AbortController is optional.

/** Milliseconds until the next try after n failures in a row: min(2^((n+1)/2), 90) s, plus or minus a quarter. */
export function delay(failures, retryAfter = 0) {
    const seconds = Math.min(2 ** ((failures + 1) / 2), 90) * (0.75 + Math.random() / 2);
    return Math.max(seconds, retryAfter) * 1000;
}

/** Retry-After in seconds, from a number or a date. */
export function retryAfter(response) {
    const text = response.headers.get("Retry-After");
    if (!text) return 0;
    const seconds = Number(text);
    return Number.isNaN(seconds) ? Math.max(0, (Date.parse(text) - clock.now()) / 1000 || 0) : seconds;
}

const TIMEOUT = 45000; // polls end within 30 s, so longer silence means a dead connection

/**
 * Polls a URL repeatedly. `address()` is called for each poll, `answered(body)` gets the JSON, and
 * `failed({ status, since })` each failure: status 0 without a response, `since` in the browser's time.
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

    /** Polls again with the current URL. */
    again() {
        if (!this._asleep) this._abort();
    }

    /** Ends a pause between tries, or a poll lost while the computer slept. */
    wake() {
        if (this._asleep) this._wake();
        else if (Date.now() - this._lastAnswer > TIMEOUT) this._abort();
    }

    async _run(life) {
        while (life === this._life) {
            const pause = await this._ask();
            if (pause && life === this._life) await this._sleep(pause);
        }
    }

    /** Polls once and returns how long to wait before the next poll. A time-out isn't a failure. */
    async _ask() {
        const controller = window.AbortController ? new AbortController() : { abort() {} };
        let isOver = false;
        // Without AbortController the request continues, but its result is ignored.
        const over = new Promise((_, reject) => {
            this._abort = () => {
                isOver = true;
                controller.abort();
                reject();
            };
        });
        over.catch(() => {});
        const timer = setTimeout(this._abort, TIMEOUT);
        let status = 0;
        let after = 0;
        try {
            // After a failure the server should respond immediately.
            const address = this._options.address() + (this._failures ? "&wait=0" : "");
            const response = await Promise.race([
                fetch(address, { signal: controller.signal, cache: "no-store" }), over]);
            status = response.status;
            after = retryAfter(response);
            if (!response.ok) throw new Error(`status ${status}`);
            const body = await Promise.race([response.json(), over]);
            clock.sync(response);
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
            // Wait longer if the URL no longer exists.
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
