const SILENCE = 40_000; // milliseconds; a leader reports after each poll, at least every 30 s
const ANSWER = 200; // milliseconds that a new tab waits for a leader
const HEARTBEAT = 15_000;

/**
 * Elects one tab of the browser to work for all. `lead()` and `follow(leader)` are called with the result,
 * `received(message)` gets the other tabs' messages, and `introduce()` returns this tab's greeting to a leader. Pages on
 * http://192.168... lack navigator.locks, which would do all this.
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
        this.#channel.onmessage = ({ data }) => this.#receive(data);
        this.#elect();
    }

    /** Resigns, so that another tab takes the lead. */
    stop() {
        clearTimeout(this.#timer);
        clearInterval(this.#heart);
        this.send({ type: "bye", led: this.leads });
        this.#channel?.close();
        this.#channel = null;
        this.leads = false;
        this.#leader = null;
    }

    send(message) {
        this.#channel?.postMessage({ ...message, id: this.id });
    }

    /** Shows that the leader is alive. */
    assert(more = {}) {
        if (this.leads) this.send({ ...more, type: "lead" });
    }

    #elect() {
        this.#greet();
        this.#wait(ANSWER * (1 + Math.random()), () => this.#lead());
    }

    #greet() {
        this.send({ type: "hello", ...this.#options.introduce() });
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

    #receive(message) {
        if (message.type === "lead") this.#receiveLead(message);
        else if (message.type === "bye" && message.led && !this.leads) {
            this.#wait(ANSWER * Math.random(), () => this.#elect());
        }
        this.#options.received(message);
    }

    /** If two tabs lead, for instance after one was frozen, the one with the smaller id stays. */
    #receiveLead(message) {
        if (this.leads && this.id < message.id) return this.assert();
        if (this.leads) {
            this.leads = false;
            clearInterval(this.#heart);
        }
        this.#wait(SILENCE, () => this.#elect());
        if (this.#leader === message.id) return;
        this.#leader = message.id;
        this.#options.follow();
        this.#greet();
    }
}
