import { ask } from "./chat-api.js";
import { make } from "./element.js";

const PAUSE = 700; // milliseconds after the last key before the draft is saved
const TYPING = 2_000; // milliseconds between two typing notifications
const TOUCH = matchMedia("(pointer: coarse)"); // Enter breaks the line and the button sends

/** The message form. Saves drafts and reports typing to others. */
export class Composer {
    form = document.getElementById("composer");
    area = this.form.elements.text;
    #chat;
    #key;
    #send;
    #replying = document.getElementById("replying");
    #isSaving = false;
    #timer;
    #typingReportedAt = 0;

    /** `send({ text, replyTo })` returns false if it cannot send yet. */
    constructor(me, chat, send) {
        this.#chat = chat;
        this.#key = `chat-draft-${me}-${chat}`;
        this.#send = send;
    }

    start() {
        this.area.addEventListener("input", this.#input);
        this.area.addEventListener("keydown", this.#press);
        this.form.addEventListener("submit", this.#submit);
        this.#replying.addEventListener("click", this.#cancel);
        addEventListener("online", this.#save);
        const stored = this.#storedDraft;
        const shared = new URLSearchParams(location.search).get("text");
        if (shared) this.#useSharedText([stored ?? this.area.value, shared]);
        else if (stored !== null) this.write(stored);
    }

    write(text) {
        this.area.value = text;
        this.#storeDraft();
    }

    /** A text from another page becomes the draft; otherwise the URL would bring it back after it was sent. */
    #useSharedText(texts) {
        const lines = texts.filter(Boolean);
        // Roost has already put it into its draft.
        this.write(lines[0].includes(lines.at(-1)) ? lines[0] : lines.join("\n"));
        history.replaceState(history.state, "", location.pathname);
        this.area.focus();
        this.area.setSelectionRange(this.area.value.length, this.area.value.length);
    }

    /** Shows another tab's draft, unless this one has unsaved changes. */
    receive(text) {
        if (this.#isSaving || this.area.value.trim() === text.trim()) return;
        this.area.value = text;
        this.#grow();
    }

    reply(seq, name, text) {
        this.form.elements.replyTo.value = seq;
        const cancel = make("button", { type: "button", className: "subtle" }, "Cancel");
        this.#replying.replaceChildren(make("span", { dir: "auto" }, `Reply to ${name}: ${text} `), cancel);
        this.#replying.hidden = false;
        this.area.focus();
    }

    /** Cancels a reply. Returns true if there was one. */
    cancelReply() {
        const isReply = !this.#replying.hidden;
        this.form.elements.replyTo.value = "";
        this.#replying.hidden = true;
        return isReply;
    }

    #cancel = (event) => {
        if (!event.target.closest("a, button")) return;
        event.preventDefault();
        this.cancelReply();
        this.area.focus();
    };

    #press = (event) => {
        // 229: Safari reports the Enter that ends a composition after the composition.
        if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
        if (TOUCH.matches && !event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.form.requestSubmit();
    };

    #submit = (event) => {
        event.preventDefault();
        const { value: replyTo } = this.form.elements.replyTo;
        if (!this.#send({ text: this.area.value.trim(), replyTo: +replyTo || undefined })) return;
        this.cancelReply();
        this.write("");
        this.#reportTyping(false);
        this.area.focus();
    };

    // Drafts are kept in the browser immediately, and saved in Roost after a pause.

    /** The draft that Roost may not have yet, or null. */
    get #storedDraft() {
        try {
            return localStorage.getItem(this.#key);
        } catch {
            return this.#isSaving ? this.area.value : null;
        }
    }

    #input = () => {
        this.#storeDraft();
        this.#reportTyping(!!this.area.value);
    };

    #storeDraft() {
        const { value } = this.area;
        this.#isSaving = true;
        this.#grow();
        try {
            localStorage.setItem(this.#key, value);
        } catch {
            // Storage is off or full. Roost saves the draft in a moment.
        }
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#save, value ? PAUSE : 0);
    }

    /** Grows the field in browsers without `field-sizing`. */
    #grow() {
        if (CSS.supports("field-sizing: content")) return;
        this.area.style.height = "auto";
        this.area.style.height = `${this.area.scrollHeight}px`;
    }

    #save = async () => {
        const text = this.#storedDraft;
        if (text === null) return;
        try {
            await ask("PUT", `${this.#chat}/draft`, { text });
            if (this.#storedDraft !== text) return;
            this.#isSaving = false;
            localStorage.removeItem(this.#key);
        } catch ({ status = 500 }) {
            // Rejected drafts are only kept here.
            if (status >= 500) this.#timer = setTimeout(this.#save, 10 * PAUSE);
        }
    };

    #reportTyping(isTyping) {
        const now = Date.now();
        if (isTyping ? now - this.#typingReportedAt < TYPING : !this.#typingReportedAt) return;
        this.#typingReportedAt = isTyping ? now : 0;
        ask("POST", `${this.#chat}/typing`, { isTyping }).catch(() => {});
    }
}
