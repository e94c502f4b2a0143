import { ask } from "./chat-api.js";
import { TabLeader } from "./tab-leader.js";
import { make } from "./element.js";

const SEEN = 1_000; // milliseconds in which another tab or device may have read it

/** A sound and a notification for what comes while one looks elsewhere: only where this browser was told to. */
export class Alerts {
    #page;
    #wants;
    #settings = null;
    #read = new Map();
    #audio;
    #panel;
    /** Of several tabs one tells. */
    #election = new TabLeader({
        channel: "roost-chat",
        lead() {},
        follow() {},
        introduce() {},
        heard: ({ type }) => type === "hello" && this.#election.assert(),
    });

    constructor(page) {
        this.#page = page;
        this.#wants = JSON.parse(localStorage.chatAlerts ?? "{}");
        this.#election.start();
        addEventListener("pagehide", () => this.#election.stop());
        addEventListener("pageshow", ({ persisted }) => persisted && this.#election.start());
    }

    /** An entry of the log. */
    hear({ kind, conversationId, message, isNew, readSeq }) {
        if (kind === "read") this.#read.set(conversationId, readSeq);
        else if (kind === "conversation" || kind === "settings") this.#settings = null;
        else if (kind === "message" && isNew && message.senderId !== this.#page.me) this.#consider(message);
    }

    get #mayNotify() {
        return isSecureContext && "Notification" in window;
    }

    // Whom to tell.

    async #consider(message) {
        if (!this.#wants.sound && !this.#wants.notify) return;
        await new Promise((resolve) => setTimeout(resolve, SEEN));
        const { conversationId: chat, seq, mentions = [] } = message;
        if (!this.#election.leads || this.#read.get(chat) >= seq) return;
        if (document.hasFocus() && chat === this.#page.chat) return;
        const { notify, name } = (await this.#known()).get(chat) ?? {};
        if (notify === "none" || (notify === "mentions" && !mentions.map(String).includes(this.#page.me))) return;
        if (this.#wants.sound) this.#sound();
        if (this.#wants.notify && this.#mayNotify && Notification.permission === "granted") this.#notify(message, name);
    }

    /** What one wants to hear of, and how the groups are called; null until that is asked for. */
    #known() {
        const named = ({ isGroup, groupName }) => isGroup ? groupName || "Group Chat" : null;
        const entry = (each) => [each.id, { notify: each.notify, name: named(each) }];
        this.#settings ??= ask("GET", "").then(({ items }) => new Map(items.map(entry)), () => new Map());
        return this.#settings;
    }

    #notify({ conversationId, senderName, text }, name) {
        const title = name ? `${senderName} in ${name}` : senderName;
        const shown = new Notification(title, { body: text || "Photo", tag: conversationId });
        shown.onclick = () => {
            focus();
            shown.close();
            if (conversationId !== this.#page.chat) location.assign(`/chat/${conversationId}`);
        };
    }

    #sound() {
        this.#audio ??= new AudioContext();
        this.#audio.resume();
        const begin = this.#audio.currentTime;
        const tone = this.#audio.createOscillator();
        const volume = this.#audio.createGain();
        tone.frequency.value = 740;
        volume.gain.setValueAtTime(.12, begin);
        volume.gain.exponentialRampToValueAtTime(.001, begin + .25);
        tone.connect(volume).connect(this.#audio.destination);
        tone.start(begin);
        tone.stop(begin + .25);
    }

    // What is offered.

    /** Below the button that asks for it; with a sentence where the browser forbids something. */
    offer(button) {
        if (!this.#panel) {
            const toggles = [this.#toggle("sound", "Sound"), this.#toggle("notify", "Notifications")];
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

    #toggle(what, textContent) {
        const button = make("button", { type: "button" }, textContent);
        button.ariaPressed = String(!!this.#wants[what]);
        button.addEventListener("click", async () => {
            let isOn = !this.#wants[what];
            if (isOn && what === "sound") this.#sound();
            if (isOn && what === "notify") {
                isOn = this.#mayNotify && (await Notification.requestPermission()) === "granted";
            }
            this.#wants[what] = isOn;
            button.ariaPressed = String(isOn);
            localStorage.chatAlerts = JSON.stringify(this.#wants);
            this.#explain();
        });
        return button;
    }
}
