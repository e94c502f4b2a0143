import { RelativeTimes } from "./relative-time.js";
import { clock, clockText } from "./clock.js";
import { morph, parse } from "./morph.js";
import { delay, LongPoll } from "./long-poll.js";
import { Pager } from "./pager.js";
import { reload, KeepAlive } from "./keep-alive.js";
import { Tints } from "./tints.js";
import { look } from "./wall-schedule.js";

const IDENTITY = 10_000; // milliseconds that the display's name is shown
const GONE = [401, 404, 410];

/** What this tab remembers over reloads, if the browser lets it. */
const memory = {
    get: (name) => {
        try {
            return sessionStorage.getItem(`roost.${name}`);
        } catch {
            return null;
        }
    },
    /** False where the browser stores nothing. */
    set: (name, value) => {
        try {
            sessionStorage.setItem(`roost.${name}`, value);
            return true;
        } catch {
            return false;
        }
    },
};

/** "Friday 20 November", as DisplayScreenView.swift writes it in each language. */
function dayText(time, language) {
    const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language,
        { weekday: "long", day: "numeric", month: "long" });
    if (language !== "en") return format.format(time);
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return `${parts.weekday} ${parts.day} ${parts.month}`;
}

/** "14:26", and with its day where that is not today. */
const momentText = (time, now) => new Date(time).toDateString() === new Date(now).toDateString()
    ? clockText(time)
    : `${dayText(time, "en")}, ${clockText(time)}`;

/** A screen on a wall: it shows the last prices whatever happens, and says what has happened. */
class Display {
    #root = document.documentElement;
    #screen = document.getElementById("screen");
    #banner = document.getElementById("banner");
    #identity = document.getElementById("identity");
    #address = document.body.dataset.display.match(/^\/display(\/[\w-]+)?$/)[0];
    #cursor = document.body.dataset.cursor;
    #done = memory.get("done") ?? "0";
    #reloads = Number(memory.get("reloads") ?? -1) + 1;
    #keepAlive = new KeepAlive(() => this.#poll.wake());
    #parts = [new RelativeTimes(), new Pager(this.#screen), this.#keepAlive, new Tints()];
    #poll;
    #clock;
    #etag = null;
    #failures = 0;
    #retry;
    #identifying;

    start() {
        memory.set("reloads", this.#reloads);
        clock.begin(this.#settings.serverTime);
        document.addEventListener("roost:morphed", this.#tick);
        this.#tick();
        this.#poll = new LongPoll({
            address: () => `${this.#address}/changes?${this.#report}`,
            answered: (body) => this.#answered(body),
            failed: (failure) => this.#failed(failure),
        });
        for (const part of [...this.#parts, this.#poll]) part.start();
        // A browser drops the key of a paired screen after 400 days unless it is sent again.
        if (this.#address === "/display") fetch("/display/paired").catch(() => {});
    }

    stop() {
        document.removeEventListener("roost:morphed", this.#tick);
        clearTimeout(this.#clock);
        clearTimeout(this.#retry);
        clearTimeout(this.#identifying);
        for (const part of [...this.#parts, this.#poll]) part.stop();
    }

    /** What the settings ask of the page comes with the coins. */
    get #settings() {
        return this.#screen.querySelector("[data-schedule]").dataset;
    }

    /** What the screen says of itself with each poll. */
    get #report() {
        const { version } = document.body.dataset;
        return new URLSearchParams({ cursor: this.#cursor, version, reloads: this.#reloads, done: this.#done });
    }

    #tick = () => {
        clearTimeout(this.#clock);
        const now = clock.now();
        const { schedule, turn, language } = this.#settings;
        this.#write("[data-clock]", clockText(now));
        this.#write("[data-today]", dayText(now, language));
        this.#show(JSON.parse(schedule), now);
        const turns = [...this.#root.classList].filter((name) => name.startsWith("turn-"));
        if (`${turns}` !== `turn-${turn}`) {
            this.#root.classList.remove(...turns);
            this.#root.classList.add(`turn-${turn}`);
        }
        this.#clock = setTimeout(this.#tick, 1_000 - (now % 1_000));
    };

    #show(schedule, now) {
        const { isLight, isBlack, dimming } = look(schedule, now);
        this.#root.classList.toggle("light", isLight);
        this.#root.classList.toggle("black", isBlack);
        document.querySelector(".shade rect").setAttribute("fill-opacity", dimming / 100);
        this.#keepAlive.maySleep(isBlack);
        this.#keepAlive.reloadAt(schedule.reload);
    }

    #write(selector, text) {
        const element = this.#screen.querySelector(selector);
        if (element && element.textContent !== text) element.textContent = text;
    }

    #answered({ changed, cursor, version, commands = [] }) {
        this.#root.classList.remove("offline");
        this.#say("");
        this.#cursor = cursor;
        if (changed.length) this.#refresh();
        for (const command of commands) this.#obey(command);
        if (version !== document.body.dataset.version) this.#renew(version);
    }

    /** Each command once: the next poll says which was the last, also after a reload. */
    #obey({ number, kind, name }) {
        if (`${number}` === this.#done) return;
        this.#done = `${number}`;
        const isRemembered = memory.set("done", number);
        if (kind === "identify") this.#identify(name);
        // A browser that forgets what it did would reload for ever.
        else if (kind === "reload" && isRemembered) reload();
    }

    #identify(name) {
        clearTimeout(this.#identifying);
        this.#identity.textContent = name;
        this.#identity.hidden = false;
        this.#identifying = setTimeout(() => (this.#identity.hidden = true), IDENTITY);
    }

    /** Once per version: a server that calls itself otherwise here than in its pages must not make us reload for ever. */
    async #renew(version) {
        if (memory.get("reloaded") === version || !memory.set("reloaded", version)) return;
        if (!(await reload())) memory.set("reloaded", "");
    }

    #failed({ status, since, failures }) {
        this.#root.classList.add("offline");
        if (GONE.includes(status)) this.#leave();
        else if (failures > 1) {
            this.#say(`Roost hasn’t responded since ${momentText(since, Date.now())}. Showing the last prices.`);
        }
    }

    /** A paired screen goes back to showing a code; one with a link can only say what has happened. */
    async #leave() {
        this.#say("The link of this display has ended. Showing the last prices; "
            + "a new link is made on Roost’s page Displays.");
        if (this.#address !== "/display") return;
        this.#say("This screen was signed out.");
        try {
            const response = await fetch(this.#address, { cache: "no-store" });
            if (response.ok) location.replace(this.#address);
        } catch {
            // The next poll tries again.
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
