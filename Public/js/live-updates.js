import { isSignedOut } from "./banner.js";
import { TabLeader } from "./tab-leader.js";
import { LongPoll } from "./long-poll.js";

/**
 * Receives changed topics with one poll for all tabs of the browser, because HTTP/1.1 allows six connections per host.
 * `changed(topics, chat)` gets this page's topics and new entries of the chat's log; `version(version)` the server's
 * version; `offline(since)` the time when the server stopped responding, or null when it responds again.
 */
export class LiveUpdates {
    /** This tab's request; `after` is the chat log's cursor, or "" without a chat. */
    #request;
    #options;
    #tabs = new Map();
    #version;
    #since = null;
    #life = new AbortController();
    #poll = new LongPoll({
        address: () => this.#address,
        answered: (body) => this.#answered(body),
        failed: (failure) => this.#failed(failure),
    });
    #election = new TabLeader({
        lead: () => this.#poll.start(),
        follow: () => this.#poll.stop(),
        received: (message) => this.#receive(message),
        introduce: () => this.#request,
    });

    constructor(topics, cursor, options) {
        this.#request = { topics, cursor, after: document.getElementById("content").dataset.log ?? "" };
        this.#options = options;
    }

    start() {
        const { signal } = this.#life;
        addEventListener("pagehide", this.#hide, { signal });
        addEventListener("pageshow", this.#show, { signal });
        this.#election.start();
    }

    stop() {
        this.#life.abort();
        this.#hide();
    }

    #hide = () => {
        this.#poll.stop();
        this.#election.stop();
        this.#tabs.clear();
    };

    /** A page from the back-forward cache has missed all changes. */
    #show = (event) => {
        if (!event.persisted) return;
        this.#election.start();
        this.#options.changed([...this.#request.topics]);
    };

    /** The URL for all tabs' topics. `after` acknowledges entries of the chat's log. */
    get #address() {
        const { topics, cursor, after } = this.#request;
        const all = new Set([topics, ...this.#tabs.values()].flat());
        return `/changes?${new URLSearchParams({ topics: [...all].sort(), cursor })}${after && `&after=${after}`}`;
    }

    /** The other tabs also get the cursor of the request: a tab with a different one reads the log itself. */
    #answered(body) {
        if (body.chat) body.chat.after = this.#request.after;
        this.#request.cursor = body.cursor;
        this.#apply(body);
        this.#election.assert(body);
    }

    #failed({ status, since, failures }) {
        if (isSignedOut({ status })) return;
        if (failures < 2 && navigator.onLine) return; // a restart takes a second and is not worth reporting
        this.#apply({ since });
        this.#election.assert({ changed: [], since });
    }

    #apply({ changed = [], version, since = null, chat }) {
        const own = changed.filter((topic) => this.#request.topics.includes(topic));
        if (since !== this.#since) this.#options.offline(since);
        this.#since = since;
        if (chat) this.#request.after = chat.next;
        if (own.length) this.#options.changed(own, chat);
        if (version && version !== this.#version) this.#options.version(version);
        this.#version = version ?? this.#version;
    }

    #receive(message) {
        if (message.type === "hello") this.#welcome(message);
        else if (message.type === "bye") this.#tabs.delete(message.id);
        else if (message.type === "lead" && !this.#election.leads) {
            this.#request.cursor = message.cursor ?? this.#request.cursor;
            const changed = message.refresh === this.#election.id ? [...this.#request.topics] : message.changed;
            if (changed) this.#apply({ ...message, changed });
        }
    }

    /** A tab with a different cursor refetches its regions once, which is cheap thanks to ETags. */
    #welcome({ id, topics, cursor, after, hasRead }) {
        if (!this.#election.leads) return;
        const request = this.#request;
        const before = this.#address;
        this.#tabs.set(id, topics);
        // Tabs cannot compare cursors. A tab that has just read the log to its end has a current one; others catch up
        // themselves.
        if (after && (hasRead || !request.after)) request.after = after;
        const refresh = cursor === request.cursor ? {} : { refresh: id, version: this.#version, since: this.#since };
        this.#election.assert({ ...refresh, cursor: request.cursor });
        if (this.#address !== before) this.#poll.again();
    }
}
