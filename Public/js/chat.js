import { isSignedOut, notice } from "./banner.js";
import { make } from "./element.js";
import { allowed, own } from "./forms.js";
import { MessageAges } from "./chat-ages.js";
import { ChatLog } from "./chat-log.js";
import { Composer } from "./chat-composer.js";
import { MessageList } from "./chat-messages.js";
import { Outbox } from "./chat-outbox.js";
import { OutgoingMessages } from "./chat-outgoing.js";
import { ReadMarks } from "./chat-reader.js";

const STALE = 30_000; // milliseconds after which a window that becomes visible refetches who is here
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u; // a text needs a visible character; Roost refuses others
const SPOKEN = 5; // messages kept for the screen reader

/** Loads a part of the chat on demand. Returns undefined on failure. */
const parts = {};

/** One promise for each file: two of its imports may end in the wrong order, and with them two chosen images. */
const part = (name) => (parts[name] ??= import(`./chat-${name}.js`).catch(() => {
    delete parts[name];
    notice("Roost does not answer. Try again in a moment.");
}));

allowed.push(/^\/chat\/(list|[\w-]{36}(\/typing|\/messages\/\d+)?)(\?(open|before|after)=[\w-]+)?$/);

/** The chat page: applies the log to the open conversation and sends the user's actions to Roost. */
class Chat {
    #page = document.getElementById("content").dataset;
    #log = new ChatLog(this.#page.log, (entries) => this.#apply(entries));
    #outbox = new Outbox(this.#page.me, (item, message) => this.#show(item, message));
    #spoken = make("div", { className: "sr-only", role: "log" });
    #messages;
    #reader;
    #composer;
    #outgoing;
    #files;
    #alerts;
    #newest = {}; // version of each message, by seq
    #refreshedAt = Date.now();

    start() {
        if (this.#page.chat) this.#open();
        this.#log.start();
        this.#outbox.start();
        document.addEventListener("keydown", this.#press);
        document.addEventListener("click", this.#click);
        this.#offerAlerts();
    }

    #open() {
        const { chat, me, read, last } = this.#page;
        this.#messages = new MessageList(me, +last);
        this.#reader = new ReadMarks(chat, this.#messages, +read);
        this.#composer = new Composer(me, chat, (message) => this.#send(message));
        this.#outgoing = new OutgoingMessages(this.#messages, me);
        for (const part of [this.#messages, this.#reader, this.#composer]) part.start();
        document.body.append(this.#spoken);
        addEventListener("roost:changed", this.#changed);
        addEventListener("focus", this.#refreshIfStale);
        const { form, area } = this.#composer;
        form.elements.file.multiple = true;
        form.elements.file.addEventListener("change", ({ target }) => this.#attach(target.files, target));
        area.addEventListener("paste", ({ clipboardData }) => this.#attach(clipboardData.files));
        area.addEventListener("input", this.#complete);
        for (const name of ["dragover", "drop"]) document.addEventListener(name, this.#drop);
        const emoji = this.#button("", { className: "subtle emoji-button", ariaLabel: "Emoji", title: "Emoji", onclick: this.#emoji });
        form.querySelector(".box > .button").before(emoji);
        this.#messages.list.addEventListener("touchstart", this.#touch, { once: true, passive: true });
        this.#messages.scroller.addEventListener("scroll", this.#loadNearby, { passive: true });
        this.#loadNearby();
    }

    #button = (text, properties) => make("button", { type: "button", className: "subtle", ...properties }, text);


    /** Returns false if the list of conversations is unaffected. */
    #apply(entries) {
        this.#messages?.catchUp();
        for (const entry of entries) {
            if (entry.kind === "message") this.#message(entry);
            else if (entry.conversationId === this.#page.chat) this.#change(entry);
            this.#alerts?.receive(entry);
        }
        this.#messages?.settle();
        return entries.some(({ kind }) => kind !== "status");
    }

    #message({ isNew, message, html, cards, conversationId }) {
        const isOwn = message.senderId === this.#page.me;
        if (isOwn) this.#outbox.confirm(message.id);
        if (conversationId !== this.#page.chat) return;
        this.#newest[message.seq] = message;
        const added = html && this.#messages.put(html, isNew, cards);
        if (added && isOwn) this.#reader.observe(added);
        else if (added) this.#reader.arrived(added);
        if (cards || !html) this.#fetch(message);
        if (!isNew || isOwn) return;
        this.#spoken.append(make("p", {}, `${message.senderName}: ${message.text || "Photo"}`));
        if (this.#spoken.children.length > SPOKEN) this.#spoken.firstElementChild.remove();
    }

    #change({ kind, status, ranges, readSeq, text }) {
        if (kind === "status") this.#messages.raiseStatus(status, ranges);
        else if (kind === "read") this.#reader.receive(readSeq);
        else if (kind === "draft") this.#composer.receive(text);
        else if (kind === "conversation") this.#refresh();
        else if (kind === "removed") location.assign("/chat");
    }

    /** Fetches a message as this reader sees it, with its link cards. It may have changed before the answer arrives. */
    async #fetch(message) {
        const { seq } = message;
        const text = await this.#get(`/chat/${this.#page.chat}/messages/${seq}`);
        if (!text || this.#newest[seq] !== message) return;
        this.#messages.put(text);
        this.#messages.settle();
    }

    /** Shows who is here and the cards, or what the changed topics say. Without the script, the page shows what it has. */
    async #refresh(topics) {
        if (!topics) this.#refreshedAt = Date.now();
        (await import("./chat-refresh.js").catch(() => null))?.refresh(this.#messages, this.#get, topics);
    }

    #get = async (address) => {
        try {
            const response = await fetch(own(address), { cache: "no-store" });
            return !isSignedOut(response) && response.ok && !response.redirected && await response.text();
        } catch {
            return null;
        }
    };

    #refreshIfStale = () => {
        if (Date.now() - this.#refreshedAt > STALE) this.#refresh();
    };

    /** The line about typing has the topics that this page follows. */
    #changed = ({ detail: { changed } }) => {
        const topics = document.getElementById("typing").dataset.topics.split(" ").map((topic) => changed.includes(topic));
        if (topics.includes(true)) this.#refresh(topics);
    };

    /**
     * Sends one message per file, the first with the text. Returns false if there is nothing to send or an upload is
     * running.
     */
    #send({ text, replyTo }) {
        const files = this.#files ? this.#files.collect() : [];
        if (!files || (!VISIBLE.test(text) && !files.length)) return false;
        const { chat } = this.#page;
        this.#outbox.add({ chat, text, replyTo, ...files[0] });
        for (const file of files.slice(1)) this.#outbox.add({ chat, text: "", ...file });
        this.#reader.resume();
        return true;
    }

    #show(item, message) {
        if (item.chat === this.#page.chat) this.#outgoing.show(item, message);
        else if (item.state === "failed") notice(`A message in another conversation was not sent: ${item.words}`);
    }

    #undo(act, id) {
        if (act === "Retry") return this.#outbox.retry(id);
        const { text } = this.#outbox.discard(id) ?? {};
        this.#outgoing.hide(id);
        const { area } = this.#composer;
        if (act === "Edit" && text) this.#composer.write(area.value ? `${text}\n${area.value}` : text);
        area.focus();
    }

    async #attach(files, field) {
        if (!files.length) return;
        const chosen = [...files];
        const images = await part("images");
        if (!images) return;
        this.#files ??= new images.Attachments(this.#page.chat, this.#composer.form);
        this.#files.add(chosen);
        if (field) field.value = "";
    }

    #drop = (event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        if (event.type === "drop") this.#attach(event.dataTransfer.files);
    };

    // Handlers of keys, clicks and touches; most of their code is loaded on demand.

    #menu = async () => (await part("menu"))?.menu(this.#page, this.#messages, this.#composer, this.#reader);
    #emoji = async () => (await part("emoji"))?.pick(this.#composer);

    #complete = async () => {
        const { area } = this.#composer;
        const typed = area.value.slice(0, area.selectionEnd);
        if (/(^|\s):[\w+-]{2,}$/.test(typed)) (await part("emoji"))?.complete(this.#composer);
        else if (/(^|\W)@[^\s@]*$/.test(typed)) (await part("mentions"))?.complete(this.#composer, this.#page.chat, this.#page.me);
        else if (/^\/[a-z]*$/i.test(typed)) (await part("commands"))?.complete(this.#composer);
    };

    /** Passes on the first touch, unless it ends before the menu is loaded. */
    #touch = async (event) => {
        let isHeld = true;
        for (const end of ["touchend", "touchmove"]) addEventListener(end, () => (isHeld = false), { once: true });
        const menu = await this.#menu();
        if (isHeld) menu?.touch(event);
    };

    /** Loads older or newer messages within one screen's distance. */
    #loadNearby = () => {
        const { scroller } = this.#messages;
        const { top, bottom, height } = scroller.getBoundingClientRect();
        const link = ["older", "newer"].map((id) => document.getElementById(id)).find((each) => {
            const edge = each?.getBoundingClientRect();
            return edge && edge.bottom > top - height && edge.top < bottom + height;
        });
        if (link) this.#load(link);
    };

    async #load(link) {
        if (await (await part("history"))?.load(this.#messages, link, this.#reader.observe)) this.#loadNearby();
    }

    #click = async (event) => {
        const button = event.target.closest("[data-outbox], .more, .reactions button, .quote, #older, #newer");
        if (!button || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const message = button.closest(".message");
        const quoted = button.matches(".quote") && document.getElementById(button.hash.slice(1));
        if (button.matches(".quote") && !quoted) return;
        event.preventDefault();
        if (quoted) quoted.scrollIntoView({ block: "center" });
        else if (button.dataset.outbox) this.#undo(button.dataset.outbox, message.dataset.id);
        else if (button.dataset.emoji) (await this.#menu())?.react(message, button.dataset.emoji);
        else if (message) (await this.#menu())?.open(message, button);
        else this.#load(button);
    };

    #press = async (event) => {
        const { key, target } = event;
        if (event.isComposing || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
        const search = document.getElementById("chat-search");
        const area = this.#composer?.area;
        if (key === "ArrowUp" && target === area && !area.value && this.#messages.lastOwn) {
            event.preventDefault();
            (await this.#menu())?.edit(this.#messages.lastOwn);
        } else if (key === "Escape" && area) {
            if (target !== search && !this.#composer.cancelReply()) this.#messages.toLatest();
            this.#reader.resume();
            area.focus();
        } else if (area && key.length === 1 && !" /".includes(key) && !target.closest("a, button, input, textarea, select, summary")) {
            area.focus(); // so that the key is typed there
            area.setSelectionRange(area.value.length, area.value.length);
        }
    };

    #offerAlerts() {
        const offer = async () => (await this.#alert())?.offer(button);
        const button = this.#button("Notifications", { title: "Sound and notifications", onclick: offer });
        document.querySelector(".chats-header").lastElementChild.before(button);
        if (localStorage.chatAlerts) this.#alert();
    }

    async #alert() {
        const alerts = await part("alerts");
        if (alerts) this.#alerts ??= new alerts.Alerts(this.#page);
        return this.#alerts;
    }
}

new Chat().start();
new MessageAges().start();
