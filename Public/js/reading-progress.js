import { isSignedOut } from "./banner.js";
import { own, token } from "./forms.js";

const EVERY = 5_000; // milliseconds between two times that Roost is told
const STEP = .005; // less is no news
const DONE = .98; // who has read so far begins again at the top
const ACTS = ["wheel", "touchstart", "pointerdown", "keydown"];

/** How far one has read: shown as a line, remembered, and where the page begins the next time. */
export class ReadingProgress {
    #line;
    #address;
    #key;
    #told;
    #now;
    #sending = null;
    #timer = null;
    #life = new AbortController();
    /** Until the reader does something, what comes late does not move the text away. */
    #resuming = new AbortController();

    /** `page` bears the article's number and how far it was read, 0 to 1. */
    constructor(page, line) {
        const { article, progress } = page.dataset;
        this.#line = line;
        this.#address = own(`/reading/${article}/progress`);
        this.#key = `reading-progress-${article}`;
        this.#told = this.#now = this.#kept ?? (+progress || 0);
    }

    start() {
        const options = { signal: this.#life.signal, passive: true };
        this.#resume();
        addEventListener("scroll", this.#scrolled, options);
        addEventListener("resize", this.#scrolled, options);
        addEventListener("pagehide", () => this.#tell({ keepalive: true }), options);
        addEventListener("online", () => this.#tell(), options);
        document.addEventListener("roost:morphed", this.#scrolled, options);
        document.addEventListener("visibilitychange", () => document.hidden && this.#tell({ keepalive: true }), options);
        this.#show();
        this.#timer = setTimeout(this.#begin, EVERY);
    }

    stop() {
        this.#life.abort();
        this.#resuming.abort();
        clearTimeout(this.#timer);
    }

    get #body() {
        return document.querySelector(".reader .body");
    }

    /** What could not be told: this browser knows better than Roost. */
    get #kept() {
        try {
            const kept = localStorage.getItem(this.#key);
            return kept === null ? null : +kept;
        } catch {
            return null;
        }
    }

    set #kept(value) {
        try {
            if (value === null) localStorage.removeItem(this.#key);
            else localStorage.setItem(this.#key, value);
        } catch {
            // Storage is off.
        }
    }

    #resume() {
        const { signal } = this.#resuming;
        const progress = this.#now;
        if (location.hash || progress < .02 || progress > DONE) return;
        const go = () => {
            const { top, height } = this.#body?.getBoundingClientRect() ?? {};
            if (height) scrollTo(0, scrollY + top + progress * height - innerHeight);
        };
        go();
        addEventListener("load", go, { signal });
        document.addEventListener("load", go, { signal, capture: true }); // of each picture
        for (const act of ACTS) addEventListener(act, () => this.#resuming.abort(), { signal, passive: true });
    }

    /** A text that fits on the screen is read without scrolling. */
    #begin = () => {
        if (!document.hidden) this.#scrolled();
        this.#tell();
    };

    #scrolled = () => {
        const { top, height } = this.#body?.getBoundingClientRect() ?? {};
        if (!height) return;
        this.#now = Math.min(1, Math.max(0, (innerHeight - top) / height));
        this.#show();
        this.#timer ??= setTimeout(() => this.#tell(), EVERY);
    };

    #show() {
        this.#line.ariaValueNow = Math.round(this.#now * 100);
        this.#line.style.setProperty("--read", this.#now);
    }

    /** Also as the page goes. What does not arrive is kept for the next time. */
    #tell = async (options) => {
        clearTimeout(this.#timer);
        this.#timer = null;
        const progress = this.#now;
        const isNews = Math.abs(progress - this.#told) >= STEP || this.#kept !== null;
        if (!isNews || progress === this.#sending) return;
        this.#sending = this.#kept = progress;
        const body = new URLSearchParams({ progress: progress.toFixed(4) });
        const headers = { ...token(), "X-Roost-Parts": 1 };
        try {
            const response = await fetch(this.#address, { method: "POST", body, headers, ...options });
            if (isSignedOut(response) || response.status >= 500) return;
            this.#told = progress;
            if (this.#kept === progress) this.#kept = null;
        } catch {
            // Roost does not answer: it is told as soon as it does.
        } finally {
            this.#sending = null;
        }
    };
}
