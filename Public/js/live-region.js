import { isSignedOut } from "./banner.js";
import { clock } from "./clock.js";
import { own } from "./forms.js";
import { morph, parse } from "./morph.js";
import { delay } from "./long-poll.js";

/** A part of a page that is fetched again when one of its topics changes. */
export class LiveRegion {
    #element;
    #etag = null;
    #busy = false;
    #again = false;
    #failures = 0;
    #timer;

    constructor(element) {
        this.#element = element;
        this.topics = element.dataset.topics.split(" ");
    }

    start() {
        this.#element.addEventListener("roost:refresh", this.refresh);
        document.addEventListener("roost:morphed", this.#forget);
    }

    stop() {
        this.#element.removeEventListener("roost:refresh", this.refresh);
        document.removeEventListener("roost:morphed", this.#forget);
        clearTimeout(this.#timer);
    }

    /** Fetches once, however often it is called meanwhile, and then once more. Not while something is being dragged. */
    refresh = async () => {
        if (this.#busy || this.#element.querySelector(".dragged")) {
            this.#again = true;
            return;
        }
        this.#busy = true;
        this.#again = false;
        clearTimeout(this.#timer);
        try {
            await this.#fetch();
            this.#failures = 0;
        } catch {
            this.#failures += 1;
            this.#timer = setTimeout(this.refresh, delay(this.#failures));
        }
        this.#busy = false;
        if (this.#again) this.refresh();
    };

    async #fetch() {
        const address = own(this.#element.dataset.live);
        if (!address) return;
        const headers = this.#etag ? { "If-None-Match": this.#etag } : {};
        const response = await fetch(address, { headers, cache: "no-store" });
        clock.hear(response);
        if (response.status === 304 || isSignedOut(response)) return;
        if (!response.ok || response.redirected) throw new Error(`status ${response.status}`);
        const fragment = parse(await response.text());
        // What has changed the address meanwhile asks again.
        if (this.#element.querySelector(".dragged") || address !== own(this.#element.dataset.live)) {
            this.#again = true;
            return;
        }
        morph(this.#element, fragment.body);
        this.#etag = response.headers.get("ETag");
    }

    /** What another has changed here is no longer what the ETag stands for. */
    #forget = ({ detail }) => {
        if (detail.contains(this.#element)) this.#etag = null;
    };
}
