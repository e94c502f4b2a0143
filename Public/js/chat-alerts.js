import { ask } from "./chat-api.js";
import { TabLeader } from "./tab-leader.js";
import { make } from "./element.js";

const DELAY = 1_000; // milliseconds to wait in case another tab or device reads it

/**
 * Plays a sound and shows a notification for new messages, if turned on in this browser and the user looks elsewhere.
 */
export class Alerts {
    #page;
    #enabled;
    #settings = null;
    #read = new Map();
    #audio;
    #panel;
    /** Only one of several tabs notifies. */
    #election = new TabLeader({
        channel: "roost-chat",
        lead() {},
        follow() {},
        introduce() {},
        received: ({ type }) => type === "hello" && this.#election.assert(),
    });

    constructor(page) {
        this.#page = page;
        this.#enabled = JSON.parse(localStorage.chatAlerts ?? "{}");
        this.#election.start();
        addEventListener("pagehide", () => this.#election.stop());
        addEventListener("pageshow", ({ persisted }) => persisted && this.#election.start());
    }

    receive({ kind, conversationId, message, isNew, readSeq }) {
        if (kind === "read") this.#read.set(conversationId, readSeq);
        else if (kind === "conversation" || kind === "settings") this.#settings = null;
        else if (kind === "message" && isNew && message.senderId !== this.#page.me) this.#alert(message);
    }

    get #mayNotify() {
        return isSecureContext && "Notification" in window;
    }


    async #alert(message) {
        if (!this.#enabled.sound && !this.#enabled.notify) return;
        await new Promise((resolve) => setTimeout(resolve, DELAY));
        const { conversationId: chat, seq, mentions = [] } = message;
        if (!this.#election.leads || this.#read.get(chat) >= seq) return;
        if (document.hasFocus() && chat === this.#page.chat) return;
        const { notify, name } = (await this.#loadSettings()).get(chat) ?? {};
        if (notify === "none" || (notify === "mentions" && !mentions.map(String).includes(this.#page.me))) return;
        if (this.#enabled.sound) this.#sound();
        if (this.#enabled.notify && this.#mayNotify && Notification.permission === "granted") this.#notify(message, name);
    }

    /** Notification settings and group names by conversation; loaded on first use. */
    #loadSettings() {
        const groupTitle = ({ isGroup, groupName }) => isGroup ? groupName || "Group Chat" : null;
        const entry = (each) => [each.id, { notify: each.notify, name: groupTitle(each) }];
        this.#settings ??= ask("GET", "").then(({ items }) => new Map(items.map(entry)), () => new Map());
        return this.#settings;
    }

    #notify({ conversationId, senderName, text }, name) {
        const title = name ? `${senderName} in ${name}` : senderName;
        const notification = new Notification(title, { body: text || "Photo", tag: conversationId });
        notification.onclick = () => {
            focus();
            notification.close();
            if (conversationId !== this.#page.chat) location.assign(`/chat/${conversationId}`);
        };
    }

    #sound() {
        this.#audio ??= new AudioContext();
        this.#audio.resume();
        const startTime = this.#audio.currentTime;
        const tone = this.#audio.createOscillator();
        const volume = this.#audio.createGain();
        tone.frequency.value = 740;
        volume.gain.setValueAtTime(.12, startTime);
        volume.gain.exponentialRampToValueAtTime(.001, startTime + .25);
        tone.connect(volume).connect(this.#audio.destination);
        tone.start(startTime);
        tone.stop(startTime + .25);
    }


    /** Shows the settings below the button, with a sentence if the browser blocks something. */
    offer(button) {
        if (!this.#panel) {
            const toggles = [this.#toggle("sound", "Play sound"), this.#toggle("notify", "Show notifications")];
            this.#panel = make("p", { className: "chat-alerts" }, ...toggles);
            button.parentElement.append(this.#panel);
        } else this.#panel.hidden = !this.#panel.hidden;
        button.ariaExpanded = String(!this.#panel.hidden);
        this.#explain();
    }

    #explain() {
        const isDenied = this.#mayNotify && Notification.permission === "denied";
        const isOpen = !this.#panel.hidden;
        document.querySelector(".why-insecure")?.classList.toggle("shown", isOpen && !this.#mayNotify);
        document.querySelector(".why-denied")?.classList.toggle("shown", isOpen && isDenied);
    }

    #toggle(setting, textContent) {
        const button = make("button", { type: "button" }, textContent);
        button.ariaPressed = String(!!this.#enabled[setting]);
        button.addEventListener("click", async () => {
            let isOn = !this.#enabled[setting];
            if (isOn && setting === "sound") this.#sound();
            if (isOn && setting === "notify") {
                isOn = this.#mayNotify && (await Notification.requestPermission()) === "granted";
            }
            this.#enabled[setting] = isOn;
            button.ariaPressed = String(isOn);
            localStorage.chatAlerts = JSON.stringify(this.#enabled);
            this.#explain();
        });
        return button;
    }
}
