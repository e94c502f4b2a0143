import { isSignedOut } from "./banner.js";
import { TabLeader } from "./tab-leader.js";
import { LongPoll } from "./long-poll.js";

/**
 * Hears which topics have changed, with one poll for all tabs of the browser: HTTP/1.1 allows six connections a host.
 * `changed(topics)` gets those of this page, `version(version)` that of the server, `offline(since)` the time since
 * when it has not answered, or null when it does.
 */
export class LiveUpdates {
    #topics;
    #cursor;
    #options;
    #election;
    #poll;
    #others = new Map();
    #version;
    #since = null;

    constructor(topics, cursor, options) {
        this.#topics = topics;
        this.#cursor = cursor;
        this.#options = options;
    }

    start() {
        this.#poll = new LongPoll({
            address: () => `/changes?topics=${encodeURIComponent(this.#union().join(","))}`
                + `&cursor=${encodeURIComponent(this.#cursor)}`,
            answered: (body) => this.#answered(body),
            failed: (failure) => this.#failed(failure),
        });
        this.#election = new TabLeader({
            lead: () => this.#poll.start(),
            follow: () => this.#poll.stop(),
            heard: (message) => this.#hear(message),
            introduce: () => ({ topics: this.#topics, cursor: this.#cursor }),
        });
        addEventListener("pagehide", this.#hide);
        addEventListener("pageshow", this.#show);
        this.#election.start();
    }

    stop() {
        removeEventListener("pagehide", this.#hide);
        removeEventListener("pageshow", this.#show);
        this.#hide();
    }

    #hide = () => {
        this.#poll.stop();
        this.#election.stop();
        this.#others.clear();
    };

    /** A page out of the back-forward cache has heard of nothing meanwhile. */
    #show = (event) => {
        if (!event.persisted) return;
        this.#election.start();
        this.#options.changed(this.#topics);
    };

    #union() {
        return [...new Set([...this.#topics, ...[...this.#others.values()].flat()])].sort();
    }

    #answered({ changed, cursor, version }) {
        this.#cursor = cursor;
        this.#take(changed, version, null);
        this.#election.assert({ changed, version, cursor, since: null });
    }

    #failed({ status, since, failures }) {
        if (isSignedOut({ status })) return;
        if (failures < 2 && navigator.onLine) return; // a restart takes a second: not worth a word
        this.#take([], this.#version, since);
        this.#election.assert({ changed: [], version: this.#version, since });
    }

    #take(changed, version, since) {
        const mine = changed.filter((topic) => this.#topics.includes(topic));
        if (since !== this.#since) this.#options.offline(since);
        this.#since = since;
        if (mine.length) this.#options.changed(mine);
        if (version && version !== this.#version) this.#options.version(version);
        this.#version = version ?? this.#version;
    }

    #hear(message) {
        if (message.type === "hello") this.#welcome(message);
        else if (message.type === "bye") this.#others.delete(message.id);
        else if (message.type === "lead" && !this.#election.leads) {
            this.#cursor = message.cursor ?? this.#cursor;
            const changed = message.refresh === this.#election.id ? this.#topics : message.changed;
            if (changed) this.#take(changed, message.version, message.since);
        }
    }

    /** A follower of another moment fetches its regions once more: cheap, thanks to ETags. */
    #welcome({ id, topics, cursor }) {
        if (!this.#election.leads) return;
        const before = this.#union().length;
        this.#others.set(id, topics);
        const refresh = cursor === this.#cursor ? {} : { refresh: id, version: this.#version, since: this.#since };
        this.#election.assert({ ...refresh, cursor: this.#cursor });
        if (this.#union().length > before) this.#poll.again();
    }
}
