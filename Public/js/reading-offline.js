import { make } from "./element.js";
import { token } from "./forms.js";

const PAUSE = 3_000; // milliseconds without a change after which the worker is told to look again
const WHY = {
    insecure: "Browsers keep pages for reading offline only over HTTPS or on the machine itself.",
    missing: "This browser keeps no pages for reading offline; some do not in private windows.",
    refused: "This browser has refused to keep pages for reading offline.",
};

/** Has the service worker keep the newest articles, and says what is kept, how old it is, and which saves wait. */
export class Offline {
    #state = document.getElementById("offline-state");
    #waiting = make("section", { className: "waiting-saves panel", hidden: true, ariaLabel: "Waiting to be sent" });
    #worker = navigator.serviceWorker;
    #timer;
    #life = new AbortController();

    async start() {
        const { signal } = this.#life;
        this.#showAge();
        if (!isSecureContext) return this.#say(WHY.insecure);
        if (!this.#worker) return this.#say(WHY.missing);
        this.#waiting.dataset.owned = "";
        document.querySelector("[data-reading] .live, .offline-part")?.before(this.#waiting);
        this.#waiting.addEventListener("click", this.#click, { signal });
        this.#worker.addEventListener("message", this.#hear, { signal });
        addEventListener("online", this.#keep, { signal });
        addEventListener("roost:changed", this.#changed, { signal });
        document.addEventListener("roost:signed-out", () => this.#tell({ type: "forget" }), { signal });
        const registered = await this.#worker.register("/sw.js").catch(() => this.#worker.controller);
        if (registered) this.#keep();
        else this.#say(WHY.refused);
    }

    stop() {
        this.#life.abort();
        clearTimeout(this.#timer);
    }

    #tell = async (message) => {
        const { active } = await this.#worker.ready;
        const { offline: owner } = document.getElementById("content").dataset;
        active.postMessage({ owner, token: token()["X-Roost-Token"], ...message });
    };

    #keep = () => this.#tell({ type: "keep" });

    #changed = ({ detail: { changed } }) => {
        if (!changed.some((topic) => topic.startsWith("reading"))) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#keep, PAUSE);
    };

    #hear = ({ data }) => {
        if (data?.type !== "reading-offline") return;
        if (data.at) this.#say(`${data.articles} unread articles and the gists are kept on this device, as of `, data.at);
        else this.#say("Nothing is kept on this device yet.");
        this.#show(data.saves);
    };

    #time(at) {
        const time = make("time", { dateTime: at, textContent: "…" });
        time.dataset.age = "";
        return time;
    }

    #say(words, at) {
        this.#state?.replaceChildren(words, ...(at ? [this.#time(at), "."] : []));
    }

    /** A page that the worker has kept says so. */
    #showAge() {
        const { kept } = document.body.dataset;
        if (!kept) return;
        const line = make("p", { className: "kept-copy", role: "status" }, "Offline copy, kept ", this.#time(kept), ".");
        line.dataset.owned = "";
        document.getElementById("floating").after(line);
        document.documentElement.classList.add("offline-copy");
    }

    // What waits.

    #show(saves) {
        this.#waiting.hidden = !saves.length;
        const list = make("ul", { role: "list" }, ...saves.map((save) => this.#row(save)));
        this.#waiting.replaceChildren(make("h2", {}, "Waiting to be sent"), list);
    }

    #row({ id, at, url, title, why }) {
        const words = why ? `Not saved: ${why}` : "Kept on this device; sent when Roost answers.";
        const row = make("li", {},
            make("span", { className: "name", dir: "auto" }, title || url),
            make("span", { className: why ? "field-error" : "facts" }, words, " ", this.#time(new Date(at).toISOString())));
        if (why) row.append(this.#button("retry", id, "Try again"));
        row.append(this.#button("discard", id, "Discard"));
        return row;
    }

    #button(type, id, words) {
        const button = make("button", { type: "button", className: "subtle" }, words);
        Object.assign(button.dataset, { wish: type, save: id });
        return button;
    }

    #click = ({ target }) => {
        const { wish, save } = target.closest("button")?.dataset ?? {};
        if (wish) this.#tell({ type: wish, id: +save });
    };
}
