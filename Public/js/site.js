import { RelativeTimes } from "./relative-time.js";
import { Banner } from "./banner.js";
import { clock } from "./clock.js";
import { Forms } from "./forms.js";
import { LiveRegion, LiveUpdates } from "./live-updates.js";

/** What every page does: ages that grow, regions that keep themselves fresh, forms that keep one's place. */
class Site {
    #regions = [...document.querySelectorAll("[data-live]")].map((element) => new LiveRegion(element));
    #banner = new Banner(document.getElementById("banner"));
    #notices = document.getElementById("notice");
    #watch = new MutationObserver(() => this.#keep());
    #live = [...this.#regions];
    #parts = [new RelativeTimes(), new Forms()];

    start() {
        const { serverTime, cursor } = document.body.dataset;
        document.documentElement.classList.add("js");
        document.getElementById("banner").dataset.owned = "";
        clock.begin(serverTime);
        // Every page hears of the end of its session, whether anything on it is live or not.
        const topics = [...new Set(["account", ...this.#regions.flatMap((region) => region.topics)])];
        this.#live.push(this.#poller(topics, cursor));
        document.addEventListener("roost:signed-out", this.#freeze);
        this.#watch.observe(this.#notices, { childList: true });
        this.#keep();
        this.#tint();
        for (const part of [...this.#parts, ...this.#live]) part.start();
    }

    stop() {
        document.removeEventListener("roost:signed-out", this.#freeze);
        this.#watch.disconnect();
        for (const part of [...this.#parts, ...this.#live]) part.stop();
    }

    /** What lets notices end comes with the first of them. */
    async #keep() {
        if (this.#notices.children.length) (await import("./notices.js")).keep(this.#notices);
    }

    async #tint() {
        if (document.querySelector("[data-topics~=prices]")) new (await import("./tints.js")).Tints().start();
    }

    /** Nothing more will be told to this page, which stays as it is. */
    #freeze = () => {
        this.#banner.signedOut();
        for (const part of this.#live) part.stop();
    };

    #poller(topics, cursor) {
        return new LiveUpdates(topics, cursor, {
            changed: (changed) => {
                for (const region of this.#regions) {
                    if (region.topics.some((topic) => changed.includes(topic))) region.refresh();
                }
            },
            offline: (since) => this.#banner.offline(since),
            version: (version) => version === document.body.dataset.version || this.#banner.updated(),
        });
    }
}

new Site().start();
