const SILENCE = 40_000; // a leader says something after each poll, so at least every 30 s
const ANSWER = 200; // so long a new tab waits for a leader to answer it
const HEARTBEAT = 15_000;

/**
 * Chooses one tab of the browser to do what one can do for all. `lead()` and `follow(leader)` tell which this one is,
 * `heard(message)` gets what the others say, `introduce()` makes the greeting a leader gets to know this tab by.
 * Pages on http://192.168... have no navigator.locks, which would do all this.
 */
export class TabLeader {
    id = Math.random().toString(36).slice(2);
    leads = false;
    #options;
    #channel;
    #leader = null;
    #timer;
    #heart;

    constructor(options) {
        this.#options = options;
    }

    start() {
        if (!("BroadcastChannel" in self)) {
            this.leads = true;
            this.#options.lead();
            return;
        }
        this.#channel = new BroadcastChannel(this.#options.channel ?? "roost");
        this.#channel.onmessage = ({ data }) => this.#hear(data);
        this.#stand();
    }

    /** Hands over; another tab takes the lead. */
    stop() {
        clearTimeout(this.#timer);
        clearInterval(this.#heart);
        this.say({ type: "bye", led: this.leads });
        this.#channel?.close();
        this.#channel = null;
        this.leads = false;
        this.#leader = null;
    }

    say(message) {
        this.#channel?.postMessage({ ...message, id: this.id });
    }

    /** A leader shows that it lives. */
    assert(more = {}) {
        if (this.leads) this.say({ ...more, type: "lead" });
    }

    #stand() {
        this.#greet();
        this.#wait(ANSWER * (1 + Math.random()), () => this.#lead());
    }

    #greet() {
        this.say({ type: "hello", ...this.#options.introduce() });
    }

    #wait(milliseconds, then) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(then, milliseconds);
    }

    #lead() {
        this.leads = true;
        this.#leader = this.id;
        this.#heart = setInterval(() => this.assert(), HEARTBEAT);
        this.assert();
        this.#options.lead();
    }

    #hear(message) {
        if (message.type === "lead") this.#hearLeader(message);
        else if (message.type === "bye" && message.led && !this.leads) {
            this.#wait(ANSWER * Math.random(), () => this.#stand());
        }
        this.#options.heard(message);
    }

    /** Of two that lead, as after a frozen tab has thawed, the one with the smaller id goes on. */
    #hearLeader(message) {
        if (this.leads && this.id < message.id) return this.assert();
        if (this.leads) {
            this.leads = false;
            clearInterval(this.#heart);
        }
        this.#wait(SILENCE, () => this.#stand());
        if (this.#leader === message.id) return;
        this.#leader = message.id;
        this.#options.follow();
        this.#greet();
    }
}
