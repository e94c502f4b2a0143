import { clock } from "./clock.js";
import { SnoozeMenu } from "./pull-snooze.js";
import { Notifications } from "./notifications.js";

const PAUSE = 250; // milliseconds after the last key
const FAR = .65; // of the width of a row
const WIDE = matchMedia("(min-width: 1100px)"); // has room for a pull request next to the list

/** Swipes: right for Done, left for Snooze, far left for Mute. */
const touch = {
    rows: ".pull",
    act(row, share) {
        if (share < 0) return ["Done", row.querySelector("[formaction$='/done']")];
        if (share > FAR) return ["Mute", row.querySelector("[formaction$='/mute']")];
        return ["Snooze", row.querySelector(".actions a")];
    },
    refresh: () => document.getElementById("act").requestSubmit(),
};

/** "3 d": the same text as ElapsedTime.swift; change both. */
function elapsedText(time, now) {
    const seconds = Math.floor((now - time) / 1_000);
    if (seconds < 60) return "now";
    if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
    if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
    return `${Math.floor(seconds / 86_400)} d`;
}

/** The inbox: filters while typing, updates waiting times, and keeps the focus. */
class Pulls {
    #live = document.querySelector(".inbox .live");
    #parts = [new SnoozeMenu(), new Notifications(this.#live)];
    #nextRows = [];
    #pause;
    #minute;

    start() {
        for (const name of ["input", "change"]) document.addEventListener(name, this.#type);
        document.addEventListener("focusin", this.#remember);
        for (const act of [this.#click, this.#fold]) document.addEventListener("click", act);
        document.addEventListener("roost:morphed", this.#morphed);
        this.#minute = setInterval(this.#tick, 60_000);
        for (const part of this.#parts) part.start();
        document.addEventListener("touchstart", this.#touch, { once: true, passive: true });
        this.#tick();
    }

    stop() {
        for (const name of ["input", "change"]) document.removeEventListener(name, this.#type);
        document.removeEventListener("focusin", this.#remember);
        for (const act of [this.#click, this.#fold]) document.removeEventListener("click", act);
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
            const text = elapsedText(Date.parse(time.dateTime), now);
            if (time.textContent !== text) time.textContent = text;
        }
    };

    #morphed = () => {
        this.#tick();
        this.#updateOptions();
        this.#filterRows();
        this.#refocus();
    };

    /** Updates the pickers' options and keeps their values. */
    #updateOptions() {
        for (const select of document.querySelectorAll("select[data-offers]")) {
            const { value, options: [all, ...old] } = select;
            const offers = [...document.getElementById(select.dataset.offers).options].map((offer) => offer.value);
            const values = !value || offers.includes(value) ? offers : [...offers, value];
            if (values.join("\n") === old.map((option) => option.value).join("\n")) continue;
            select.replaceChildren(all, ...values.map((name) => new Option(name, name, false, name === value)));
        }
    }

    /** Filters the loaded rows immediately, and asks Roost after a pause. */
    #type = ({ target, type }) => {
        if (target.form?.id !== "filter" || (type === "input") !== (target.id === "text")) return;
        this.#filterRows();
        clearTimeout(this.#pause);
        this.#pause = setTimeout(() => this.#search(target.form), PAUSE);
    };

    #filterRows() {
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

    /** Remembers the rows from the focused one on. If it disappears, the next remaining one gets the focus. */
    #remember = ({ target }) => {
        const row = target.closest(".pull");
        if (!row) return;
        const rows = [...this.#live.querySelectorAll(".pull")];
        const at = rows.indexOf(row);
        this.#nextRows = [...rows.slice(at), ...rows.slice(0, at).reverse()];
    };

    #refocus() {
        if (document.activeElement !== document.body) return;
        this.#nextRows.find((row) => row.isConnected && row.checkVisibility())?.querySelector(".name").focus();
    }

    /** Folds a section, or unfolds it and scrolls to it. Roost remembers this, except for the hidden ones' list. */
    #fold = async (event) => {
        const link = event.target.closest(".index a");
        const section = link ? document.getElementById(link.hash.slice(1)) : event.target.closest(".fold > summary")?.parentElement;
        if (!section || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
        if (link) event.preventDefault();
        const isFolded = link ? null : section.open;
        if (link || section.dataset.group) (await import("./jump.js")).fold("pulls", section, isFolded);
    };

    /** In wide windows, a click on a title shows the pull request next to the list. Enter opens its page. */
    #click = async (event) => {
        const { target } = event;
        const name = event.detail && target.closest(".pull a.name");
        if (name && WIDE.matches && !(event.ctrlKey || event.metaKey || event.shiftKey || event.button)) {
            event.preventDefault();
            (await import("./pull-pane.js")).pane.show(name.closest(".pull"));
        }
        if (target.closest("[data-keys]")) {
            event.preventDefault();
            (await import("./key-list.js")).show();
        }
        const menu = document.querySelector(".view[open]");
        if (menu && !menu.contains(target)) menu.open = false;
    };
}

new Pulls().start();
