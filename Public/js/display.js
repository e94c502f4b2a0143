import { Ages } from "./wall-ages.js";
import { clock, clockText } from "./clock.js";
import { morph, parse } from "./morph.js";
import { delay, LongPoll } from "./long-poll.js";
import { Pager } from "./pager.js";
import { reload, KeepAlive } from "./keep-alive.js";
import { Tints } from "./tints.js";
import { look } from "./wall-schedule.js";

// ES2017 syntax: Roost serves this and its imports as one classic script, for the browsers of screens (ClassicScript.swift).

const IDENTITY = 10000; // milliseconds that the display's name is shown
const GONE = [401, 404, 410];

/** What this tab remembers over reloads, if the browser lets it. */
const memory = {
    get: (name) => {
        try {
            return sessionStorage.getItem(`roost.${name}`);
        } catch (error) {
            return null;
        }
    },
    /** False where the browser stores nothing. */
    set: (name, value) => {
        try {
            sessionStorage.setItem(`roost.${name}`, value);
            return true;
        } catch (error) {
            return false;
        }
    },
};

/** "Friday 20 November", as DisplayScreenView.swift writes it in each language. */
function dayText(time, language) {
    const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language,
        { weekday: "long", day: "numeric", month: "long" });
    if (language !== "en") return format.format(time);
    const parts = {};
    for (const { type, value } of format.formatToParts(time)) parts[type] = value;
    return `${parts.weekday} ${parts.day} ${parts.month}`;
}

/** "14:26", and with its day where that is not today. */
const momentText = (time, now) => new Date(time).toDateString() === new Date(now).toDateString()
    ? clockText(time)
    : `${dayText(time, "en")}, ${clockText(time)}`;

/** A screen on a wall: it shows the last prices whatever happens, and says what has happened. */
class Display {
    constructor() {
        this._root = document.documentElement;
        this._screen = document.getElementById("screen");
        this._banner = document.getElementById("banner");
        this._identity = document.getElementById("identity");
        this._address = document.body.dataset.display.match(/^\/display(\/[\w-]+)?$/)[0];
        this._cursor = document.body.dataset.cursor;
        this._done = memory.get("done") || "0";
        this._reloads = Number(memory.get("reloads") || -1) + 1;
        this._keepAlive = new KeepAlive(() => this._poll.wake());
        this._parts = [new Ages(), new Pager(this._screen), this._keepAlive, new Tints()];
        this._etag = null;
        this._failures = 0;
        this._tick = this._tick.bind(this);
    }

    start() {
        memory.set("reloads", this._reloads);
        clock.begin(this._settings.serverTime);
        document.addEventListener("roost:morphed", this._tick);
        this._tick();
        this._poll = new LongPoll({
            address: () => `${this._address}/changes?${this._report}`,
            answered: (body) => this._answered(body),
            failed: (failure) => this._failed(failure),
        });
        for (const part of [...this._parts, this._poll]) part.start();
        this._root.classList.remove("still");
        this._say("");
        // A browser drops the key of a paired screen after 400 days unless it is sent again.
        if (this._address === "/display") fetch("/display/paired").catch(() => {});
    }

    stop() {
        document.removeEventListener("roost:morphed", this._tick);
        clearTimeout(this._clock);
        clearTimeout(this._retry);
        clearTimeout(this._identifying);
        for (const part of [...this._parts, this._poll]) part.stop();
    }

    /** What the settings ask of the page comes with the coins. */
    get _settings() {
        return this._screen.querySelector("[data-schedule]").dataset;
    }

    /** What the screen says of itself with each poll. */
    get _report() {
        const { version } = document.body.dataset;
        return new URLSearchParams({ cursor: this._cursor, version, reloads: this._reloads, done: this._done });
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
        this._say("");
        this._cursor = cursor;
        if (changed.length) this._refresh();
        for (const command of commands) this._obey(command);
        if (version !== document.body.dataset.version) this._renew(version);
    }

    /** Each command once: the next poll says which was the last, also after a reload. */
    _obey({ number, kind, name }) {
        if (`${number}` === this._done) return;
        this._done = `${number}`;
        const isRemembered = memory.set("done", number);
        if (kind === "identify") this._identify(name);
        // A browser that forgets what it did would reload for ever.
        else if (kind === "reload" && isRemembered) reload();
    }

    _identify(name) {
        clearTimeout(this._identifying);
        this._identity.textContent = name;
        this._identity.hidden = false;
        this._identifying = setTimeout(() => (this._identity.hidden = true), IDENTITY);
    }

    /** Once per version: a server that calls itself otherwise here than in its pages must not make us reload for ever. */
    async _renew(version) {
        if (memory.get("reloaded") === version || !memory.set("reloaded", version)) return;
        if (!(await reload())) memory.set("reloaded", "");
    }

    _failed({ status, since, failures }) {
        this._root.classList.add("offline");
        if (GONE.includes(status)) this._leave();
        else if (failures > 1) {
            this._say(`Roost hasn’t responded since ${momentText(since, Date.now())}. Showing the last prices.`);
        }
    }

    /** A paired screen goes back to showing a code; one with a link can only say what has happened. */
    async _leave() {
        this._say("The link of this display has ended. Showing the last prices; "
            + "a new link is made on Roost’s page Displays.");
        if (this._address !== "/display") return;
        this._say("This screen was signed out.");
        try {
            const response = await fetch(this._address, { cache: "no-store" });
            if (response.ok) location.replace(this._address);
        } catch (error) {
            // The next poll tries again.
        }
    }

    _say(text) {
        if (this._banner.textContent !== text) this._banner.textContent = text;
    }

    async _refresh() {
        clearTimeout(this._retry);
        try {
            const headers = this._etag ? { "If-None-Match": this._etag } : {};
            const response = await fetch(`${this._address}/screen`, { headers, cache: "no-store" });
            clock.hear(response);
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
// What follows on the page reloads it; a comment hides that from a browser in which this script runs.
document.write("<!--");
