import { make } from "./element.js";
import { token } from "./forms.js";

const PAUSE = 3_000; // milliseconds without a change before the worker updates
const WHY = {
    insecure: "Reading offline needs HTTPS, unless the browser is on the server itself.",
    missing: "This browser can’t store pages for reading offline. Private windows often can’t.",
    refused: "This browser refused to store pages for reading offline.",
};

/** Has the service worker cache the newest articles, and shows what is cached, how old it is, and which saves wait. */
export class Offline {
    #state = document.getElementById("offline-state");
    #waiting = make("section", { className: "waiting-saves panel", hidden: true, ariaLabel: "Waiting to be sent" });
    #worker = navigator.serviceWorker;
    #timer;
    #life = new AbortController();

    async start() {
        const { signal } = this.#life;
        this.#showAge();
        if (!isSecureContext) return this.#write(WHY.insecure);
        if (!this.#worker) return this.#write(WHY.missing);
        this.#waiting.dataset.owned = "";
        document.querySelector("[data-reading] .live, .offline-part")?.before(this.#waiting);
        this.#waiting.addEventListener("click", this.#click, { signal });
        this.#worker.addEventListener("message", this.#handle, { signal });
        addEventListener("online", this.#keep, { signal });
        addEventListener("roost:changed", this.#changed, { signal });
        document.addEventListener("roost:signed-out", () => this.#send({ type: "forget" }), { signal });
        const registered = await this.#worker.register("/sw.js").catch(() => this.#worker.controller);
        if (registered) this.#keep();
        else this.#write(WHY.refused);
    }

    stop() {
        this.#life.abort();
        clearTimeout(this.#timer);
    }

    #send = async (message) => {
        const { active } = await this.#worker.ready;
        const { offline: owner } = document.getElementById("content").dataset;
        active.postMessage({ owner, token: token()["X-Roost-Token"], ...message });
    };

    #keep = () => this.#send({ type: "keep" });

    #changed = ({ detail: { changed } }) => {
        if (!changed.some((topic) => topic.startsWith("reading"))) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#keep, PAUSE);
    };

    #handle = ({ data }) => {
        if (data?.type !== "reading-offline") return;
        if (data.at) this.#write(`On this device: your gists and unread articles (${data.articles}), as of `, data.at);
        else this.#write("Nothing is stored on this device yet.");
        this.#show(data.saves);
    };

    #time(at) {
        const time = make("time", { dateTime: at, textContent: "…" });
        time.dataset.age = "";
        return time;
    }

    #write(text, at) {
        this.#state?.replaceChildren(text, ...(at ? [this.#time(at), "."] : []));
    }

    /** Shows the age of a cached page. */
    #showAge() {
        const { kept } = document.body.dataset;
        if (!kept) return;
        const line = make("p", { className: "kept-copy", role: "status" }, "Offline copy, saved ", this.#time(kept), ".");
        line.dataset.owned = "";
        document.getElementById("floating").after(line);
        document.documentElement.classList.add("offline-copy");
    }


    #show(saves) {
        this.#waiting.hidden = !saves.length;
        const list = make("ul", { role: "list" }, ...saves.map((save) => this.#row(save)));
        this.#waiting.replaceChildren(make("h2", {}, "Waiting to be sent"), list);
    }

    #row({ id, at, url, title, why }) {
        const text = why ? `Not saved: ${why}` : "Saved on this device. It will be sent when Roost answers.";
        const row = make("li", {},
            make("span", { className: "name", dir: "auto" }, title || url),
            make("span", { className: why ? "field-error" : "facts" }, text, " ", this.#time(new Date(at).toISOString())));
        if (why) row.append(this.#button("retry", id, "Try again"));
        row.append(this.#button("discard", id, "Discard"));
        return row;
    }

    #button(type, id, text) {
        const button = make("button", { type: "button", className: "subtle" }, text);
        Object.assign(button.dataset, { wish: type, save: id });
        return button;
    }

    #click = ({ target }) => {
        const { wish, save } = target.closest("button")?.dataset ?? {};
        if (wish) this.#send({ type: wish, id: +save });
    };
}
