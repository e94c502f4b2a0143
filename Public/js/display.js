import { Ages } from "./wall-ages.js";
import { clock, clockText } from "./clock.js";
import { morph, parse } from "./morph.js";
import { delay, LongPoll } from "./long-poll.js";
import { Pager } from "./pager.js";
import { reload, KeepAlive } from "./keep-alive.js";
import { Tints } from "./tints.js";
import { look } from "./wall-schedule.js";

// ES2017 syntax: Roost serves this and its imports as one classic script for screens' browsers (ClassicScript.swift).

const IDENTITY = 10000; // milliseconds to show the name of the display
const INVALID_LINK = [401, 404, 410];

/** This tab's memory across reloads, if the browser allows it. */
const memory = {
    get: (name) => {
        try {
            return sessionStorage.getItem(`roost.${name}`);
        } catch (error) {
            return null;
        }
    },
    /** Returns false if the browser cannot store it. */
    set: (name, value) => {
        try {
            sessionStorage.setItem(`roost.${name}`, value);
            return true;
        } catch (error) {
            return false;
        }
    },
};

/** "Friday 20 November", like DisplayScreenView.swift in each language. */
function dayText(time, language) {
    const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language,
        { weekday: "long", day: "numeric", month: "long" });
    if (language !== "en") return format.format(time);
    const parts = {};
    for (const { type, value } of format.formatToParts(time)) parts[type] = value;
    return `${parts.weekday} ${parts.day} ${parts.month}`;
}

/** "14:26", with the day unless it is today. */
const momentText = (time, now) => new Date(time).toDateString() === new Date(now).toDateString()
    ? clockText(time)
    : `${dayText(time, "en")}, ${clockText(time)}`;

/** A wall: shows the last prices even after failures, and reports what failed. */
class Display {
    constructor() {
        this._root = document.documentElement;
        this._screen = document.getElementById("screen");
        this._banner = document.getElementById("banner");
        this._identity = document.getElementById("identity");
        this._address = document.body.dataset.display.match(/^\/display(\/[\w-]+)?$/)[0];
        this._cursor = document.body.dataset.cursor;
        this._lastCommand = memory.get("done") || "0";
        this._reloads = Number(memory.get("reloads") || -1) + 1;
        this._keepAlive = new KeepAlive(() => this._poll.wake());
        this._parts = [new Ages(), new Pager(this._screen), this._keepAlive, new Tints()];
        this._etag = null;
        this._failures = 0;
        this._tick = this._tick.bind(this);
    }

    start() {
        memory.set("reloads", this._reloads);
        clock.set(this._settings.serverTime);
        document.addEventListener("roost:morphed", this._tick);
        this._tick();
        this._poll = new LongPoll({
            address: () => `${this._address}/changes?${this._report}`,
            answered: (body) => this._answered(body),
            failed: (failure) => this._failed(failure),
        });
        for (const part of [...this._parts, this._poll]) part.start();
        this._root.classList.remove("still");
        this._showStatus("");
        // Cookies of paired screens expire after 400 days unless they are sent again.
        if (this._address === "/display") fetch("/display/paired").catch(() => {});
    }

    stop() {
        document.removeEventListener("roost:morphed", this._tick);
        clearTimeout(this._clock);
        clearTimeout(this._retry);
        clearTimeout(this._identifying);
        for (const part of [...this._parts, this._poll]) part.stop();
    }

    /** The settings are updated together with the coins. */
    get _settings() {
        return this._screen.querySelector("[data-schedule]").dataset;
    }

    /** The state that the screen reports with each poll. */
    get _report() {
        const { version } = document.body.dataset;
        return new URLSearchParams({ cursor: this._cursor, version, reloads: this._reloads, done: this._lastCommand });
    }

    _tick() {
        clearTimeout(this._clock);
        const now = clock.now();
        const { schedule, turn, language } = this._settings;
        this._write("[data-clock]", clockText(now));
        this._write("[data-today]", dayText(now, language));
        this._show(JSON.parse(schedule), now);
        const turns = [...this._root.classList].filter((name) => name.startsWith("turn-"));
        if (`${turns}` !== `turn-${turn}`) {
            this._root.classList.remove(...turns);
            this._root.classList.add(`turn-${turn}`);
        }
        this._clock = setTimeout(this._tick, 1000 - (now % 1000));
    }

    _show(schedule, now) {
        const { isLight, isBlack, dimming } = look(schedule, now);
        this._root.classList.toggle("light", isLight);
        this._root.classList.toggle("black", isBlack);
        document.querySelector(".shade rect").setAttribute("fill-opacity", dimming / 100);
        this._keepAlive.maySleep(isBlack);
        this._keepAlive.reloadAt(schedule.reload);
    }

    _write(selector, text) {
        const element = this._screen.querySelector(selector);
        if (element && element.textContent !== text) element.textContent = text;
    }

    _answered({ changed, cursor, version, commands = [] }) {
        this._root.classList.remove("offline");
        this._showStatus("");
        this._cursor = cursor;
        if (changed.length) this._refresh();
        for (const command of commands) this._execute(command);
        if (version !== document.body.dataset.version) this._renew(version);
    }

    /** Executes each command once. The next poll reports the last one, even after a reload. */
    _execute({ number, kind, name }) {
        if (`${number}` === this._lastCommand) return;
        this._lastCommand = `${number}`;
        const isRemembered = memory.set("done", number);
        if (kind === "identify") this._identify(name);
        // Without storage the browser would reload forever.
        else if (kind === "reload" && isRemembered) reload();
    }

    _identify(name) {
        clearTimeout(this._identifying);
        this._identity.textContent = name;
        this._identity.hidden = false;
        this._identifying = setTimeout(() => (this._identity.hidden = true), IDENTITY);
    }

    /**
     * Once per version: a server that reports a different version here than in its pages must not cause endless
     * reloads.
     */
    async _renew(version) {
        if (memory.get("reloaded") === version || !memory.set("reloaded", version)) return;
        if (!(await reload())) memory.set("reloaded", "");
    }

    _failed({ status, since, failures }) {
        this._root.classList.add("offline");
        if (INVALID_LINK.includes(status)) this._leave();
        else if (failures > 1) {
            this._showStatus(`Roost hasn’t responded since ${momentText(since, Date.now())}. Showing the last prices.`);
        }
    }

    /** A paired screen returns to the pairing code. A screen with a link can only show what happened. */
    async _leave() {
        this._showStatus("This display’s link no longer works. Showing the last prices. "
            + "Get a new link on Roost’s Displays page.");
        if (this._address !== "/display") return;
        this._showStatus("This screen was signed out.");
        try {
            const response = await fetch(this._address, { cache: "no-store" });
            if (response.ok) location.replace(this._address);
        } catch (error) {
            // The next poll tries again.
        }
    }

    _showStatus(text) {
        if (this._banner.textContent !== text) this._banner.textContent = text;
    }

    async _refresh() {
        clearTimeout(this._retry);
        try {
            const headers = this._etag ? { "If-None-Match": this._etag } : {};
            const response = await fetch(`${this._address}/screen`, { headers, cache: "no-store" });
            clock.sync(response);
            this._failures = 0;
            if (response.status === 304) return;
            if (!response.ok) throw new Error(`status ${response.status}`);
            morph(this._screen, parse(await response.text()).body);
            this._etag = response.headers.get("ETag");
        } catch (error) {
            this._failures += 1;
            this._retry = setTimeout(() => this._refresh(), delay(this._failures));
        }
    }
}

new Display().start();
// A script below reloads the page for browsers where this one fails. The comment hides it if this one runs.
document.write("<!--");
