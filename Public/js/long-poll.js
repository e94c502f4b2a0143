import { clock } from "./clock.js";

/** Milliseconds until the next try after so many failures in a row: min(2^((n+1)/2), 90) s, spread by a quarter. */
export function delay(failures, retryAfter = 0, random = Math.random()) {
    const seconds = Math.min(2 ** ((failures + 1) / 2), 90) * (0.75 + random / 2);
    return Math.max(seconds, retryAfter) * 1_000;
}

/** Retry-After in seconds: a number, or a date. */
export function retryAfter(response) {
    const text = response.headers.get("Retry-After");
    if (!text) return 0;
    const seconds = Number(text);
    return Number.isNaN(seconds) ? Math.max(0, (Date.parse(text) - clock.now()) / 1_000 || 0) : seconds;
}

const PATIENCE = 45_000; // a poll is answered within 30 s; silence for longer means a dead connection
const SLOWLY = 90; // seconds; for an address that is gone

/**
 * Asks an address again and again. `address()` is called for each poll, `answered(body)` gets its JSON,
 * `failed({ status, since })` each failure: status 0 where nobody answered, since when in the browser's time.
 */
export class LongPoll {
    #options;
    #life;
    #request;
    #wake = () => {};
    #asleep = false;
    #failures = 0;
    #since = null;
    #lastAnswer = Date.now();

    constructor(options) {
        this.#options = options;
    }

    start() {
        if (this.#life) return;
        this.#life = new AbortController();
        const signal = this.#life.signal;
        addEventListener("online", () => this.wake(), { signal });
        document.addEventListener("visibilitychange", () => document.hidden || this.wake(), { signal });
        this.#run(signal);
    }

    stop() {
        this.#life?.abort();
        this.#life = null;
        this.#request?.abort();
        this.#wake();
    }

    /** Polls anew with the address as it is now. */
    again() {
        if (this.#asleep) return;
        this.#request?.abort();
    }

    /** Ends a pause between tries, and a poll that a sleeping computer has lost. */
    wake() {
        if (this.#asleep) this.#wake();
        else if (Date.now() - this.#lastAnswer > PATIENCE) this.#request?.abort();
    }

    async #run(signal) {
        while (!signal.aborted) {
            const pause = await this.#ask();
            if (pause > 0 && !signal.aborted) await this.#sleep(pause);
        }
    }

    /** After a failure an answer is wanted at once. */
    #address() {
        return this.#options.address() + (this.#failures ? "&wait=0" : "");
    }

    /** One poll; answers how long to wait before the next. A time-out is no failure. */
    async #ask() {
        const request = (this.#request = new AbortController());
        const timer = setTimeout(() => request.abort(), PATIENCE);
        let status = 0;
        let after = 0;
        try {
            const response = await fetch(this.#address(), { signal: request.signal, cache: "no-store" });
            status = response.status;
            after = retryAfter(response);
            if (!response.ok) throw new Error(`status ${status}`);
            const body = await response.json();
            clock.hear(response);
            this.#failures = 0;
            this.#since = null;
            this.#lastAnswer = Date.now();
            this.#options.answered(body);
            return 0;
        } catch {
            if (request.signal.aborted) return this.#life ? 50 : 0;
            return this.#fail(status, after);
        } finally {
            clearTimeout(timer);
        }
    }

    #fail(status, after) {
        this.#failures += 1;
        this.#since ??= Date.now();
        this.#options.failed({ status, since: this.#since, failures: this.#failures });
        return delay(this.#failures, status === 404 || status === 410 ? Math.max(SLOWLY, after) : after);
    }

    #sleep(milliseconds) {
        return new Promise((resolve) => {
            this.#asleep = true;
            const timer = setTimeout(() => this.#wake(), milliseconds);
            this.#wake = () => {
                clearTimeout(timer);
                this.#asleep = false;
                resolve();
            };
        });
    }
}
