import { isSignedOut } from "./banner.js";
import { own, token } from "./forms.js";

const EVERY = 5_000; // milliseconds between two reports to Roost
const STEP = .005; // smaller changes are not reported
const END = .98; // from here on, the page opens at the top again
const EVENTS = ["wheel", "touchstart", "pointerdown", "keydown"];

/** Shows how far the reader has read, saves it, and scrolls there on the next visit. */
export class ReadingProgress {
    #line;
    #address;
    #key;
    #sent;
    #now;
    #sending = null;
    #timer = null;

    /** `page` has the article's number and its progress, 0 to 1. */
    constructor(page, line) {
        const { article, progress } = page.dataset;
        this.#line = line;
        this.#address = own(`/reading/${article}/progress`);
        this.#key = `reading-progress-${article}`;
        this.#sent = this.#now = this.#saved ?? (+progress || 0);
    }

    start() {
        this.#resume();
        addEventListener("scroll", this.#scrolled);
        addEventListener("resize", this.#scrolled);
        addEventListener("pagehide", () => this.#send({ keepalive: true }));
        addEventListener("online", () => this.#send());
        document.addEventListener("roost:morphed", this.#scrolled);
        document.addEventListener("visibilitychange", () => document.hidden && this.#send({ keepalive: true }));
        this.#show();
        // A text that fits on the screen is read without scrolling.
        setTimeout(() => {
            if (!document.hidden) this.#scrolled();
            this.#send();
        }, EVERY);
    }

    get #body() {
        return document.querySelector(".reader .body");
    }

    /** Progress that was not reported yet; newer than Roost's. */
    get #saved() {
        try {
            const saved = localStorage.getItem(this.#key);
            return saved === null ? null : +saved;
        } catch {
            return null;
        }
    }

    set #saved(value) {
        try {
            if (value === null) localStorage.removeItem(this.#key);
            else localStorage.setItem(this.#key, value);
        } catch {
            // Storage is off.
        }
    }

    /** Until the reader acts, late content must not move the text. */
    #resume() {
        const life = new AbortController();
        const { signal } = life;
        const progress = this.#now;
        if (location.hash || progress < .02 || progress > END) return;
        const go = () => {
            const { top, height } = this.#body?.getBoundingClientRect() ?? {};
            if (height) scrollTo(0, scrollY + top + progress * height - innerHeight);
        };
        go();
        addEventListener("load", go, { signal });
        document.addEventListener("load", go, { signal, capture: true }); // for each picture
        for (const type of EVENTS) addEventListener(type, () => life.abort(), { signal, passive: true });
    }

    #scrolled = () => {
        const { top, height } = this.#body?.getBoundingClientRect() ?? {};
        if (!height) return;
        this.#now = Math.min(1, Math.max(0, (innerHeight - top) / height));
        this.#show();
        this.#timer ??= setTimeout(() => this.#send(), EVERY);
    };

    #show() {
        this.#line.ariaValueNow = Math.round(this.#now * 100);
        this.#line.style.setProperty("--read", this.#now);
    }

    /** Also runs when the page closes. Progress that cannot be sent is kept for the next visit. */
    #send = async (options) => {
        clearTimeout(this.#timer);
        this.#timer = null;
        const progress = this.#now;
        const isNew = Math.abs(progress - this.#sent) >= STEP || this.#saved !== null;
        if (!isNew || progress === this.#sending) return;
        this.#sending = this.#saved = progress;
        const body = new URLSearchParams({ progress: progress.toFixed(4) });
        const headers = { ...token(), "X-Roost-Parts": 1 };
        try {
            const response = await fetch(this.#address, { method: "POST", body, headers, ...options });
            if (isSignedOut(response) || response.status >= 500) return;
            this.#sent = progress;
            if (this.#saved === progress) this.#saved = null;
        } catch {
            // No response; reported once Roost responds again.
        } finally {
            this.#sending = null;
        }
    };
}
