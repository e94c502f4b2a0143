import { isSignedOut } from "./banner.js";
import { TabLeader } from "./tab-leader.js";
import { LongPoll } from "./long-poll.js";

/**
 * Hears which topics have changed, with one poll for all tabs of the browser: HTTP/1.1 allows six connections a host.
 * `changed(topics, chat)` gets those of this page, and what came of the chat's log with them; `version(version)` that
 * of the server, `offline(since)` the time since when it has not answered, or null when it does.
 */
export class LiveUpdates {
    /** What this tab asks for; `after` is the cursor of the chat's log, "" where it shows no chat. */
    #wanted;
    #options;
    #others = new Map();
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
        heard: (message) => this.#hear(message),
        introduce: () => this.#wanted,
    });

    constructor(topics, cursor, options) {
        this.#wanted = { topics, cursor, after: document.getElementById("content").dataset.log ?? "" };
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
        this.#others.clear();
    };

    /** A page out of the back-forward cache has heard of nothing meanwhile. */
    #show = (event) => {
        if (!event.persisted) return;
        this.#election.start();
        this.#options.changed([...this.#wanted.topics]);
    };

    /** For the topics of all tabs; with `after`, which acknowledges what came of the chat's log. */
    get #address() {
        const { topics, cursor, after } = this.#wanted;
        const all = new Set([topics, ...this.#others.values()].flat());
        return `/changes?${new URLSearchParams({ topics: [...all].sort(), cursor })}${after && `&after=${after}`}`;
    }

    /** The other tabs also get the cursor that was asked with: a tab at another one asks the log itself. */
    #answered(news) {
        if (news.chat) news.chat.after = this.#wanted.after;
        this.#wanted.cursor = news.cursor;
        this.#take(news);
        this.#election.assert(news);
    }

    #failed({ status, since, failures }) {
        if (isSignedOut({ status })) return;
        if (failures < 2 && navigator.onLine) return; // a restart takes a second: not worth a word
        this.#take({ since });
        this.#election.assert({ changed: [], since });
    }

    #take({ changed = [], version, since = null, chat }) {
        const mine = changed.filter((topic) => this.#wanted.topics.includes(topic));
        if (since !== this.#since) this.#options.offline(since);
        this.#since = since;
        if (chat) this.#wanted.after = chat.next;
        if (mine.length) this.#options.changed(mine, chat);
        if (version && version !== this.#version) this.#options.version(version);
        this.#version = version ?? this.#version;
    }

    #hear(message) {
        if (message.type === "hello") this.#welcome(message);
        else if (message.type === "bye") this.#others.delete(message.id);
        else if (message.type === "lead" && !this.#election.leads) {
            this.#wanted.cursor = message.cursor ?? this.#wanted.cursor;
            const changed = message.refresh === this.#election.id ? [...this.#wanted.topics] : message.changed;
            if (changed) this.#take({ ...message, changed });
        }
    }

    /** A follower of another moment fetches its regions once more: cheap, thanks to ETags. */
    #welcome({ id, topics, cursor, after, hasRead }) {
        if (!this.#election.leads) return;
        const wanted = this.#wanted;
        const before = this.#address;
        this.#others.set(id, topics);
        // No tab can tell which of two cursors is newer. One that has just read the log to its end is; others catch up themselves.
        if (after && (hasRead || !wanted.after)) wanted.after = after;
        const refresh = cursor === wanted.cursor ? {} : { refresh: id, version: this.#version, since: this.#since };
        this.#election.assert({ ...refresh, cursor: wanted.cursor });
        if (this.#address !== before) this.#poll.again();
    }
}
