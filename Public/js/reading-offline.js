import { token } from "./forms.js";

const PAUSE = 3_000; // milliseconds without a change before the worker updates

/** Has the service worker cache the newest articles. What it reports is shown by code that is loaded on first use. */
export class Offline {
    #worker = navigator.serviceWorker;
    #state;
    #timer;

    async start() {
        if (document.body.dataset.kept) this.#show({});
        if (!isSecureContext) return this.#show({ why: "insecure" });
        if (!this.#worker) return this.#show({ why: "missing" });
        this.#worker.addEventListener("message", this.#handle);
        addEventListener("online", this.#keep);
        addEventListener("roost:changed", this.#changed);
        document.addEventListener("roost:signed-out", () => this.#send({ type: "forget" }));
        const registered = await this.#worker.register("/sw.js").catch(() => this.#worker.controller);
        if (registered) this.#keep();
        else this.#show({ why: "refused" });
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
        if (data?.type === "reading-offline") this.#show(data);
    };

    async #show(state) {
        this.#state = state;
        if (!state.saves?.length && !document.querySelector("[data-kept], #offline-state, .waiting-saves")) return;
        const script = await import("./reading-offline-state.js").catch(() => null);
        script?.show(this.#state, this.#send);
    }
}
