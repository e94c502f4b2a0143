import { isSignedOut, notice } from "./banner.js";
import { make } from "./element.js";
import { allowed, own } from "./forms.js";
import { morph, parse } from "./morph.js";
import { MessageAges } from "./chat-ages.js";
import { ChatLog } from "./chat-log.js";
import { Composer } from "./chat-composer.js";
import { MessageList } from "./chat-messages.js";
import { Outbox } from "./chat-outbox.js";
import { OutgoingMessages } from "./chat-outgoing.js";
import { ReadMarks } from "./chat-reader.js";

const QUIET = 3_000; // milliseconds without news after which it is doubtful that somebody types
const OLD = 30_000; // milliseconds after which a window that is looked at again asks who is here
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u; // in a text that shows something; Roost refuses others
const SAID = 5; // messages that a screen reader may still be saying

/** A part of the chat that comes when it is needed; undefined where it does not come. */
const part = (name) => import(`./chat-${name}.js`).catch(() => notice("Roost does not answer. Try again in a moment."));

allowed.push(/^\/chat\/(list|[\w-]{36}(\/typing|\/messages\/\d+)?)(\?(open|before|after)=[\w-]+)?$/);

/** The chat: what the log says goes to the open conversation, and what is done there to Roost. */
class Chat {
    #page = document.getElementById("content").dataset;
    #log = new ChatLog(this.#page.log, (entries) => this.#apply(entries));
    #outbox = new Outbox(this.#page.me, (item, message) => this.#show(item, message));
    #said = make("div", { className: "sr-only", role: "log" });
    #typing = document.getElementById("typing");
    #messages;
    #reader;
    #composer;
    #outgoing;
    #files;
    #alerts;
    #quiet;
    #looked = Date.now();

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
        document.body.append(this.#said);
        addEventListener("roost:changed", this.#hear);
        addEventListener("focus", this.#look);
        const { form, area } = this.#composer;
        form.elements.file.multiple = true;
        form.elements.file.addEventListener("change", ({ target }) => this.#attach(target.files, target));
        area.addEventListener("paste", ({ clipboardData }) => this.#attach(clipboardData.files));
        area.addEventListener("input", this.#complete);
        for (const name of ["dragover", "drop"]) document.addEventListener(name, this.#drop);
        const looks = { className: "subtle emoji-button", ariaLabel: "Emoji", title: "Emoji" };
        form.querySelector(".box > .button").before(this.#button("", { ...looks, onclick: this.#emoji }));
        this.#messages.list.addEventListener("touchstart", this.#touch, { once: true, passive: true });
        this.#messages.scroller.addEventListener("scroll", this.#turn, { passive: true });
        this.#turn();
    }

    #button = (words, properties) => make("button", { type: "button", className: "subtle", ...properties }, words);

    // What comes.

    /** False if nothing in the list of conversations changes by it. */
    #apply(entries) {
        this.#messages?.catchUp();
        for (const entry of entries) {
            if (entry.kind === "message") this.#message(entry);
            else if (entry.conversationId === this.#page.chat) this.#change(entry);
            this.#alerts?.hear(entry);
        }
        this.#messages?.settle();
        return entries.some(({ kind }) => kind !== "status");
    }

    #message({ isNew: isNews, message, html, cards, conversationId }) {
        const isMine = message.senderId === this.#page.me;
        if (isMine) this.#outbox.confirm(message.id);
        if (conversationId !== this.#page.chat) return;
        const shown = html && this.#messages.put(html, isNews, cards);
        if (shown && isMine) this.#reader.observe(shown);
        else if (shown) this.#reader.arrived(shown);
        if (cards || !html) this.#fetch(message.seq);
        if (!isNews || isMine) return;
        this.#said.append(make("p", {}, `${message.senderName}: ${message.text || "Photo"}`));
        if (this.#said.children.length > SAID) this.#said.firstElementChild.remove();
    }

    #change({ kind, status, ranges, readSeq, text }) {
        if (kind === "status") this.#messages.reached(status, ranges);
        else if (kind === "read") this.#reader.hear(readSeq);
        else if (kind === "draft") this.#composer.hear(text);
        else if (kind === "conversation") this.#refresh();
        else if (kind === "removed") location.assign("/chat");
    }

    /** A message as this reader has it, with the cards of its links. */
    async #fetch(seq) {
        const text = await this.#get(`/chat/${this.#page.chat}/messages/${seq}`);
        if (!text) return;
        this.#messages.put(text);
        this.#messages.settle();
    }

    /** Who is in the conversation, and who is here. */
    async #refresh() {
        this.#looked = Date.now();
        const text = await this.#get(`/chat/${this.#page.chat}`);
        const header = text && parse(text).querySelector(".conversation-header");
        if (header) morph(document.querySelector(".conversation-header"), header);
    }

    async #get(address) {
        try {
            const response = await fetch(own(address), { cache: "no-store" });
            return isSignedOut(response) || !response.ok || response.redirected ? null : await response.text();
        } catch {
            return null;
        }
    }

    #look = () => {
        if (Date.now() - this.#looked > OLD) this.#refresh();
    };

    #hear = ({ detail: { changed } }) => {
        if (changed.includes(this.#typing.dataset.topics)) this.#doubt();
    };

    /** Roost says when somebody no longer types; where that is lost, it is asked, or is not there to say it. */
    #doubt() {
        clearTimeout(this.#quiet);
        this.#quiet = setTimeout(() => {
            if (!this.#typing.textContent.trim()) return;
            if (document.querySelector("html.offline")) this.#typing.replaceChildren();
            this.#typing.dispatchEvent(new Event("roost:refresh"));
            this.#doubt();
        }, QUIET);
    }

    // What is sent.

    /** A message for each file, the first with the text. False where there is nothing, or a file is not in Roost yet. */
    #send({ text, replyTo }) {
        const files = this.#files ? this.#files.take() : [];
        if (!files || (!VISIBLE.test(text) && !files.length)) return false;
        const { chat } = this.#page;
        this.#outbox.add({ chat, text, replyTo, ...files[0] });
        for (const file of files.slice(1)) this.#outbox.add({ chat, text: "", ...file });
        this.#reader.goOn();
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
        if (act === "Edit" && text) this.#composer.write([text, area.value].filter(Boolean).join("\n"));
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

    // What is done with keys, clicks and fingers; most of it comes when it is needed.

    #menu = async () => (await part("menu"))?.menu(this.#page, this.#messages, this.#composer, this.#reader);
    #emoji = async () => (await part("emoji"))?.pick(this.#composer);

    #complete = async () => {
        const { value, selectionEnd } = this.#composer.area;
        const begun = value.slice(0, selectionEnd);
        if (/(^|\s):[\w+-]{2,}$/.test(begun)) (await part("emoji"))?.complete(this.#composer);
        else if (/(^|\W)@[^\s@]*$/.test(begun)) (await part("mentions"))?.complete(this.#composer, this.#page.chat, this.#page.me);
    };

    /** The first touch, unless it has ended before the menu is here. */
    #touch = async (event) => {
        let isHeld = true;
        for (const end of ["touchend", "touchmove"]) addEventListener(end, () => (isHeld = false), { once: true });
        const menu = await this.#menu();
        if (isHeld) menu?.touch(event);
    };

    /** What is within a screen of what is seen comes by itself. */
    #turn = () => {
        const { scroller } = this.#messages;
        const { top, bottom, height } = scroller.getBoundingClientRect();
        const link = ["older", "newer"].map((id) => document.getElementById(id)).find((each) => {
            const edge = each?.getBoundingClientRect();
            return edge && edge.bottom > top - height && edge.top < bottom + height;
        });
        if (link) this.#load(link);
    };

    async #load(link) {
        const history = await part("history");
        if (await history?.load(this.#messages, link, this.#reader.observe)) this.#turn();
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
        if (key === "/" && !target.closest("input, textarea, select") && search.checkVisibility()) {
            event.preventDefault();
            search.focus();
        } else if (key === "ArrowUp" && target === area && !area.value && this.#messages.lastOwn) {
            event.preventDefault();
            (await this.#menu())?.edit(this.#messages.lastOwn);
        } else if (key === "Escape" && area) {
            if (target !== search && !this.#composer.leave()) this.#messages.toLatest();
            this.#reader.goOn();
            area.focus();
        } else if (area && key.length === 1 && key !== " " && !target.closest("a, button, input, textarea, select, summary")) {
            area.focus(); // and the key is typed there
            area.setSelectionRange(area.value.length, area.value.length);
        }
    };

    #offerAlerts() {
        const offer = async () => (await this.#alert())?.offer(button);
        const button = this.#button("Alerts", { title: "Sound and notifications", onclick: offer });
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
