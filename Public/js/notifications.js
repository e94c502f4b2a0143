import { notice } from "./banner.js";
import { TabLeader } from "./tab-leader.js";

const TONES = [[660, 0], [880, .14]]; // hertz, and seconds from the beginning

/** Notifies of new requests in "Your turn", if turned on and allowed by the browser. */
export class Notifications {
    #live;
    #previous;
    #address;
    #audio;
    /** Only one of several tabs with the inbox notifies. */
    #election = new TabLeader({
        channel: "roost-tell",
        lead() {},
        follow() {},
        introduce() {},
        received: ({ type }) => type === "hello" && this.#election.assert(),
    });

    constructor(live) {
        this.#live = live;
    }

    start() {
        this.#remember(this.#keys());
        document.addEventListener("roost:morphed", this.#compare);
        document.addEventListener("click", this.#click, true);
        addEventListener("pagehide", this.#hide);
        addEventListener("pageshow", this.#show);
        this.#election.start();
        this.#showPermission();
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

    #remember(keys) {
        this.#previous = keys;
        this.#address = this.#live.dataset.live;
    }

    #compare = ({ detail }) => {
        if (!detail.contains(this.#live)) return;
        const keys = this.#keys();
        // Rows that appear because of another filter are not new.
        const isSame = this.#address === this.#live.dataset.live;
        const isUpdate = detail === this.#live && isSame;
        const newRows = isUpdate ? [...keys].filter(([key]) => !this.#previous.has(key)).map(([, row]) => row) : [];
        // Rows that disappear and come back are not new.
        this.#remember(isSame ? new Map([...this.#previous, ...keys]) : keys);
        if (newRows.length && this.#election.leads) this.#notify(newRows);
        this.#showPermission();
    };

    #isOn(setting) {
        return document.querySelector(".alerts")?.dataset[setting] === "true";
    }

    #notify(rows) {
        if (this.#isOn("sounds")) this.#sound();
        if (!this.#isOn("notifies") || !this.#mayNotify || Notification.permission !== "granted") return;
        const [row] = rows;
        const more = rows.length > 1 ? ` and ${rows.length - 1} more` : "";
        const notification = new Notification(`Your turn: ${row.querySelector(".name").textContent}${more}`, {
            body: [...row.querySelector(".facts").children].map((fact) => fact.textContent).join(" · "),
            tag: row.dataset.key,
        });
        notification.onclick = () => {
            focus();
            row.querySelector(".name").focus();
            notification.close();
        };
    }

    get #mayNotify() {
        return isSecureContext && "Notification" in window;
    }

    #showPermission() {
        const { classList } = document.documentElement;
        classList.toggle("insecure", !this.#mayNotify);
        classList.toggle("denied", this.#mayNotify && Notification.permission === "denied");
    }

    /** Turning it on asks for permission, or plays the sound, first. */
    #click = async (event) => {
        const button = event.target.closest("[data-alerts][value=true]");
        if (!button) return;
        if (button.dataset.alerts === "sounds") return this.#sound();
        event.preventDefault();
        const permission = this.#mayNotify ? await Notification.requestPermission() : "denied";
        this.#showPermission();
        if (permission === "granted") button.form.requestSubmit(button);
        else notice("This browser blocks Roost’s notifications. See “View” for the reason.");
    };

    #sound() {
        this.#audio ??= new AudioContext();
        this.#audio.resume();
        const startTime = this.#audio.currentTime;
        for (const [pitch, at] of TONES) {
            const tone = this.#audio.createOscillator();
            const volume = this.#audio.createGain();
            tone.frequency.value = pitch;
            volume.gain.setValueAtTime(.12, startTime + at);
            volume.gain.exponentialRampToValueAtTime(.001, startTime + at + .3);
            tone.connect(volume).connect(this.#audio.destination);
            tone.start(startTime + at);
            tone.stop(startTime + at + .3);
        }
    }
}
