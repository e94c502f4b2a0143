import { notice } from "./banner.js";
import { TabLeader } from "./tab-leader.js";

const TONES = [[660, 0], [880, .14]]; // hertz, and seconds from the beginning

/** Tells of new requests in "Your turn", where the reader asked for it and the browser allows it. */
export class Notifications {
    #live;
    #known;
    #address;
    #audio;
    /** Of several tabs with the inbox one tells. */
    #election = new TabLeader({
        channel: "roost-tell",
        lead() {},
        follow() {},
        introduce() {},
        heard: ({ type }) => type === "hello" && this.#election.assert(),
    });

    constructor(live) {
        this.#live = live;
    }

    start() {
        this.#learn(this.#keys());
        document.addEventListener("roost:morphed", this.#compare);
        document.addEventListener("click", this.#click, true);
        addEventListener("pagehide", this.#hide);
        addEventListener("pageshow", this.#show);
        this.#election.start();
        this.#say();
    }

    stop() {
        document.removeEventListener("roost:morphed", this.#compare);
        document.removeEventListener("click", this.#click, true);
        removeEventListener("pagehide", this.#hide);
        removeEventListener("pageshow", this.#show);
        this.#hide();
    }

    #hide = () => this.#election.stop();
    #show = ({ persisted }) => persisted && this.#election.start();

    #keys() {
        return new Map([...this.#live.querySelectorAll("#pulls-turn .pull")].map((row) => [row.dataset.key, row]));
    }

    #learn(keys) {
        this.#known = keys;
        this.#address = this.#live.dataset.live;
    }

    #compare = ({ detail }) => {
        if (!detail.contains(this.#live)) return;
        const keys = this.#keys();
        // Another filter shows others: no news.
        const isSame = this.#address === this.#live.dataset.live;
        const isNews = detail === this.#live && isSame;
        const news = isNews ? [...keys].filter(([key]) => !this.#known.has(key)).map(([, row]) => row) : [];
        // One that left and comes back is no news.
        this.#learn(isSame ? new Map([...this.#known, ...keys]) : keys);
        if (news.length && this.#election.leads) this.#tell(news);
        this.#say();
    };

    #wants(what) {
        return document.querySelector(".alerts")?.dataset[what] === "true";
    }

    #tell(rows) {
        if (this.#wants("sounds")) this.#sound();
        if (!this.#wants("notifies") || !this.#mayNotify || Notification.permission !== "granted") return;
        const [row] = rows;
        const more = rows.length > 1 ? ` and ${rows.length - 1} more` : "";
        const shown = new Notification(`Your turn: ${row.querySelector(".name").textContent}${more}`, {
            body: [...row.querySelector(".facts").children].map((fact) => fact.textContent).join(" · "),
            tag: row.dataset.key,
        });
        shown.onclick = () => {
            focus();
            row.querySelector(".name").focus();
            shown.close();
        };
    }

    get #mayNotify() {
        return isSecureContext && "Notification" in window;
    }

    #say() {
        const { classList } = document.documentElement;
        classList.toggle("insecure", !this.#mayNotify);
        classList.toggle("denied", this.#mayNotify && Notification.permission === "denied");
    }

    /** Turning it on asks the browser, or sounds, first. */
    #click = async (event) => {
        const button = event.target.closest("[data-alerts][value=true]");
        if (!button) return;
        if (button.dataset.alerts === "sounds") return this.#sound();
        event.preventDefault();
        const answer = this.#mayNotify ? await Notification.requestPermission() : "denied";
        this.#say();
        if (answer === "granted") button.form.requestSubmit(button);
        else notice("This browser shows no notifications of Roost: the menu “View” says why.");
    };

    #sound() {
        this.#audio ??= new AudioContext();
        this.#audio.resume();
        const begin = this.#audio.currentTime;
        for (const [pitch, at] of TONES) {
            const tone = this.#audio.createOscillator();
            const volume = this.#audio.createGain();
            tone.frequency.value = pitch;
            volume.gain.setValueAtTime(.12, begin + at);
            volume.gain.exponentialRampToValueAtTime(.001, begin + at + .3);
            tone.connect(volume).connect(this.#audio.destination);
            tone.start(begin + at);
            tone.stop(begin + at + .3);
        }
    }
}
