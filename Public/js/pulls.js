import { clock } from "./clock.js";
import { Keys } from "./pull-keys.js";
import { SnoozeMenu } from "./pull-snooze.js";
import { Notifications } from "./notifications.js";

const PAUSE = 250; // milliseconds after the last key
const FAR = .65; // of a row's width

/** By touch: to the right is done, to the left snoozes, and far to the left mutes. */
const touch = {
    rows: ".pull",
    act(row, share) {
        if (share < 0) return ["Done", row.querySelector("[formaction$='/done']")];
        if (share > FAR) return ["Mute", row.querySelector("[formaction$='/mute']")];
        return ["Snooze", row.querySelector(".actions a")];
    },
    refresh: () => document.getElementById("act").requestSubmit(),
};

/** "3 d": the same words as ElapsedTime.swift; change both. */
function wait(time, now) {
    const seconds = Math.floor((now - time) / 1_000);
    if (seconds < 60) return "now";
    if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
    if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
    return `${Math.floor(seconds / 86_400)} d`;
}

/** The inbox: filtered while one types, with waits that grow, and the focus where it was. */
class Pulls {
    #live = document.querySelector(".inbox .live");
    #snooze = new SnoozeMenu();
    #parts = [this.#snooze, new Keys(this.#snooze), new Notifications(this.#live)];
    #places = [];
    #pause;
    #minute;

    start() {
        for (const name of ["input", "change"]) document.addEventListener(name, this.#type);
        document.addEventListener("focusin", this.#remember);
        document.addEventListener("click", this.#close);
        document.addEventListener("roost:morphed", this.#morphed);
        this.#minute = setInterval(this.#tick, 60_000);
        for (const part of this.#parts) part.start();
        document.addEventListener("touchstart", this.#touch, { once: true, passive: true });
        this.#tick();
    }

    stop() {
        for (const name of ["input", "change"]) document.removeEventListener(name, this.#type);
        document.removeEventListener("focusin", this.#remember);
        document.removeEventListener("click", this.#close);
        document.removeEventListener("roost:morphed", this.#morphed);
        document.removeEventListener("touchstart", this.#touch);
        clearInterval(this.#minute);
        clearTimeout(this.#pause);
        for (const part of this.#parts) part.stop();
    }

    #touch = async (event) => (await import("./touch.js")).start(this.#live, event, touch);

    #tick = () => {
        const now = clock.now();
        for (const time of document.querySelectorAll("time[data-wait]")) {
            const text = wait(Date.parse(time.dateTime), now);
            if (time.textContent !== text) time.textContent = text;
        }
    };

    #morphed = () => {
        this.#tick();
        this.#offer();
        this.#narrow();
        this.#refocus();
    };

    /** The pickers offer what there is by now, and what is chosen. */
    #offer() {
        for (const select of document.querySelectorAll("select[data-offers]")) {
            const { value, options: [all, ...old] } = select;
            const offers = [...document.getElementById(select.dataset.offers).options].map((offer) => offer.value);
            const wanted = !value || offers.includes(value) ? offers : [...offers, value];
            if (wanted.join("\n") === old.map((option) => option.value).join("\n")) continue;
            select.replaceChildren(all, ...wanted.map((name) => new Option(name, name, false, name === value)));
        }
    }

    /** At once with what is here, and in a moment with what Roost finds. */
    #type = ({ target, type }) => {
        if (target.form?.id !== "filter" || (type === "input") !== (target.id === "text")) return;
        this.#narrow();
        clearTimeout(this.#pause);
        this.#pause = setTimeout(() => this.#search(target.form), PAUSE);
    };

    #narrow() {
        const words = (document.getElementById("text")?.value ?? "").toLowerCase().split(/\s+/);
        for (const row of this.#live.querySelectorAll(".pull")) {
            const text = row.querySelector(".main").textContent.toLowerCase();
            row.hidden = !words.every((word) => text.includes(word));
        }
    }

    #search(form) {
        const fields = [...new FormData(form)].filter(([, value]) => value.trim());
        const query = fields.length ? `?${new URLSearchParams(fields)}` : "";
        this.#live.dataset.live = `/pulls/rows${query}`;
        history.replaceState(history.state, "", `/pulls${query}`);
        this.#live.dispatchEvent(new CustomEvent("roost:refresh"));
    }

    /** The rows from the one with the focus on: when it goes, the next that stays takes the focus. */
    #remember = ({ target }) => {
        const row = target.closest(".pull");
        if (!row) return;
        const rows = [...this.#live.querySelectorAll(".pull")];
        const at = rows.indexOf(row);
        this.#places = [...rows.slice(at), ...rows.slice(0, at).reverse()];
    };

    #refocus() {
        if (document.activeElement !== document.body) return;
        this.#places.find((row) => row.isConnected && !row.hidden)?.querySelector(".name").focus();
    }

    /** What is open closes with a click beside it. */
    #close = ({ target }) => {
        const menu = document.querySelector(".view[open]");
        if (menu && !menu.contains(target)) menu.open = false;
    };
}

new Pulls().start();
