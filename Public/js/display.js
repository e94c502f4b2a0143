import { RelativeTimes } from "./relative-time.js";
import { clock, clockText } from "./clock.js";
import { morph, parse } from "./morph.js";
import { delay, LongPoll } from "./long-poll.js";
import { Pager } from "./pager.js";
import { reload, KeepAlive } from "./keep-alive.js";
import { Tints } from "./tints.js";

const RELOADED = "roost.reloaded";
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December"];

/** "Friday 20 November", as RelativeTime.swift writes it. */
const weekdayText = (time) => {
    const date = new Date(time);
    return `${WEEKDAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]}`;
};

/** A screen on a wall: it shows the last prices whatever happens, and says what has happened. */
class Display {
    #screen = document.getElementById("screen");
    #banner = document.getElementById("banner");
    #address = document.body.dataset.display.match(/^\/display\/[\w-]+$/)[0];
    #cursor = document.body.dataset.cursor;
    #parts = [new RelativeTimes(), new Pager(this.#screen), new KeepAlive(), new Tints()];
    #poll;
    #clock;
    #etag = null;
    #failures = 0;
    #retry;

    start() {
        clock.begin(this.#screen.querySelector("[data-server-time]").dataset.serverTime);
        document.addEventListener("roost:morphed", this.#tick);
        this.#tick();
        this.#poll = new LongPoll({
            address: () => `${this.#address}/changes?cursor=${encodeURIComponent(this.#cursor)}`,
            answered: (body) => this.#answered(body),
            failed: (failure) => this.#failed(failure),
        });
        for (const part of [...this.#parts, this.#poll]) part.start();
    }

    stop() {
        document.removeEventListener("roost:morphed", this.#tick);
        clearTimeout(this.#clock);
        clearTimeout(this.#retry);
        for (const part of [...this.#parts, this.#poll]) part.stop();
    }

    #tick = () => {
        clearTimeout(this.#clock);
        const now = clock.now();
        this.#write("[data-clock]", clockText(now));
        this.#write("[data-today]", weekdayText(now));
        this.#clock = setTimeout(this.#tick, 1_000 - (now % 1_000));
    };

    #write(selector, text) {
        const element = this.#screen.querySelector(selector);
        if (element && element.textContent !== text) element.textContent = text;
    }

    #answered({ changed, cursor, version }) {
        document.documentElement.classList.remove("offline");
        this.#say("");
        this.#cursor = cursor;
        if (changed.length) this.#refresh();
        if (version !== document.body.dataset.version) this.#renew(version);
    }

    /** Once per version: a server that calls itself otherwise here than in its pages must not make us reload for ever. */
    async #renew(version) {
        if (sessionStorage.getItem(RELOADED) === version) return;
        sessionStorage.setItem(RELOADED, version);
        if (!(await reload())) sessionStorage.removeItem(RELOADED);
    }

    #failed({ status, since, failures }) {
        document.documentElement.classList.add("offline");
        if (status === 404 || status === 410) {
            this.#say("The link of this display has ended. Showing the last prices; "
                + "a new link is made on Roost’s page Displays.");
        } else if (failures > 1) {
            this.#say(`Roost hasn’t responded since ${clockText(since)}. Showing the last prices.`);
        }
    }

    #say(text) {
        if (this.#banner.textContent !== text) this.#banner.textContent = text;
    }

    async #refresh() {
        clearTimeout(this.#retry);
        try {
            const headers = this.#etag ? { "If-None-Match": this.#etag } : {};
            const response = await fetch(`${this.#address}/screen`, { headers, cache: "no-store" });
            clock.hear(response);
            this.#failures = 0;
            if (response.status === 304) return;
            if (!response.ok) throw new Error(`status ${response.status}`);
            morph(this.#screen, parse(await response.text()).body);
            this.#etag = response.headers.get("ETag");
        } catch {
            this.#failures += 1;
            this.#retry = setTimeout(() => this.#refresh(), delay(this.#failures));
        }
    }
}

new Display().start();
