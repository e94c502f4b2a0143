import { clock } from "./clock.js";

// Walls run this file too, in browsers of 2018: ES2017 syntax, no private members, no AbortController for granted.

/** Milliseconds until the next try after so many failures in a row: min(2^((n+1)/2), 90) s, spread by a quarter. */
export function delay(failures, retryAfter = 0, random = Math.random()) {
    const seconds = Math.min(2 ** ((failures + 1) / 2), 90) * (0.75 + random / 2);
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
const SLOWLY = 90; // seconds; for an address that is gone

/** A request that can be ended. A browser without AbortController only stops waiting for it. */
class Ending {
    constructor() {
        this.isOver = false;
        this._controller = typeof AbortController === "function" ? new AbortController() : null;
        this._over = new Promise((_, reject) => (this._reject = reject));
        this._over.catch(() => {});
    }

    get signal() {
        return this._controller ? this._controller.signal : undefined;
    }

    abort() {
        this.isOver = true;
        if (this._controller) this._controller.abort();
        this._reject(new Error("aborted"));
    }

    /** What is promised, unless the request is ended first. */
    limit(promise) {
        return Promise.race([promise, this._over]);
    }
}

/**
 * Asks an address again and again. `address()` is called for each poll, `answered(body)` gets its JSON,
 * `failed({ status, since })` each failure: status 0 where nobody answered, since when in the browser's time.
 */
export class LongPoll {
    constructor(options) {
        this._options = options;
        this._life = null;
        this._request = null;
        this._wake = () => {};
        this._asleep = false;
        this._failures = 0;
        this._since = null;
        this._lastAnswer = Date.now();
        this._online = () => this.wake();
        this._shown = () => document.hidden || this.wake();
    }

    start() {
        if (this._life) return;
        this._life = { isOver: false };
        addEventListener("online", this._online);
        document.addEventListener("visibilitychange", this._shown);
        this._run(this._life);
    }

    stop() {
        if (this._life) this._life.isOver = true;
        this._life = null;
        removeEventListener("online", this._online);
        document.removeEventListener("visibilitychange", this._shown);
        if (this._request) this._request.abort();
        this._wake();
    }

    /** Polls again with the address as it is now. */
    again() {
        if (!this._asleep && this._request) this._request.abort();
    }

    /** Ends a pause between tries, and a poll that a sleeping computer has lost. */
    wake() {
        if (this._asleep) this._wake();
        else if (this._request && Date.now() - this._lastAnswer > PATIENCE) this._request.abort();
    }

    async _run(life) {
        while (!life.isOver) {
            const pause = await this._ask();
            if (pause > 0 && !life.isOver) await this._sleep(pause);
        }
    }

    /** After a failure an answer is wanted at once. */
    _address() {
        return this._options.address() + (this._failures ? "&wait=0" : "");
    }

    /** One poll; answers how long to wait before the next. A time-out is no failure. */
    async _ask() {
        const request = (this._request = new Ending());
        const timer = setTimeout(() => request.abort(), PATIENCE);
        let status = 0;
        let after = 0;
        try {
            const response = await request.limit(
                fetch(this._address(), { signal: request.signal, cache: "no-store" }));
            status = response.status;
            after = retryAfter(response);
            if (!response.ok) throw new Error(`status ${status}`);
            const body = await request.limit(response.json());
            clock.hear(response);
            this._failures = 0;
            this._since = null;
            this._lastAnswer = Date.now();
            this._options.answered(body);
            return 0;
        } catch (error) {
            if (request.isOver) return this._life ? 50 : 0;
            return this._fail(status, after);
        } finally {
            clearTimeout(timer);
        }
    }

    _fail(status, after) {
        this._failures += 1;
        if (this._since === null) this._since = Date.now();
        this._options.failed({ status, since: this._since, failures: this._failures });
        return delay(this._failures, status === 404 || status === 410 ? Math.max(SLOWLY, after) : after);
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
