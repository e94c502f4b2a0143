import { ask } from "./chat-api.js";
import { make } from "./element.js";

const PAUSE = 700; // milliseconds after the last key before the draft is saved
const TYPING = 2_000; // milliseconds between two words that one is typing
const TOUCH = matchMedia("(pointer: coarse)"); // there a line is broken with Enter, and sent with the button

/** Where one writes: nothing that was typed is lost, and others see that it is being typed. */
export class Composer {
    form = document.getElementById("composer");
    area = this.form.elements.text;
    #chat;
    #key;
    #send;
    #replying = document.getElementById("replying");
    #isSaving = false;
    #timer;
    #typed = 0;
    #life = new AbortController();

    /** `send({ text, replyTo })` takes it over; false if it cannot yet. */
    constructor(me, chat, send) {
        this.#chat = chat;
        this.#key = `chat-draft-${me}-${chat}`;
        this.#send = send;
    }

    start() {
        const { signal } = this.#life;
        this.area.addEventListener("input", this.#input, { signal });
        this.area.addEventListener("keydown", this.#press, { signal });
        this.form.addEventListener("submit", this.#submit, { signal });
        this.#replying.addEventListener("click", this.#cancel, { signal });
        addEventListener("online", this.#save, { signal });
        const kept = this.#kept;
        const shared = new URLSearchParams(location.search).get("text");
        if (shared) this.#take([kept ?? this.area.value, shared]);
        else if (kept !== null) this.write(kept);
    }

    stop() {
        this.#life.abort();
        clearTimeout(this.#timer);
    }

    /** Puts a text in the place of what is there. */
    write(text) {
        this.area.value = text;
        this.#keep();
    }

    /** What another page has put here is a draft from now on: the address would bring it again after it was sent. */
    #take(texts) {
        const lines = texts.filter(Boolean);
        // Roost has put it there with its draft.
        this.write(lines[0].includes(lines.at(-1)) ? lines[0] : lines.join("\n"));
        history.replaceState(history.state, "", location.pathname);
        this.area.focus();
        this.area.setSelectionRange(this.area.value.length, this.area.value.length);
    }

    /** Another tab's draft, unless this one has something that it has not saved. */
    hear(text) {
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

    /** True if there was something to leave. */
    leave() {
        const isReply = !this.#replying.hidden;
        this.form.elements.replyTo.value = "";
        this.#replying.hidden = true;
        return isReply;
    }

    #cancel = (event) => {
        if (!event.target.closest("a, button")) return;
        event.preventDefault();
        this.leave();
        this.area.focus();
    };

    #press = (event) => {
        // 229: Safari's Enter that ends a composition comes after it.
        if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
        if (TOUCH.matches && !event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.form.requestSubmit();
    };

    #submit = (event) => {
        event.preventDefault();
        const { value: replyTo } = this.form.elements.replyTo;
        if (!this.#send({ text: this.area.value.trim(), replyTo: +replyTo || undefined })) return;
        this.leave();
        this.write("");
        this.#tell(false);
        this.area.focus();
    };

    // The draft: here at once, in Roost in a moment.

    /** What this browser has that Roost may not have; null for nothing. */
    get #kept() {
        try {
            return localStorage.getItem(this.#key);
        } catch {
            return this.#isSaving ? this.area.value : null;
        }
    }

    #input = () => {
        this.#keep();
        this.#tell(!!this.area.value);
    };

    #keep() {
        const { value } = this.area;
        this.#isSaving = true;
        this.#grow();
        try {
            localStorage.setItem(this.#key, value);
        } catch {
            // Off, or full: Roost has it in a moment.
        }
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#save, value ? PAUSE : 0);
    }

    /** Where the style sheet cannot. */
    #grow() {
        if (CSS.supports("field-sizing: content")) return;
        this.area.style.height = "auto";
        this.area.style.height = `${this.area.scrollHeight}px`;
    }

    #save = async () => {
        const text = this.#kept;
        if (text === null) return;
        try {
            await ask("PUT", `${this.#chat}/draft`, { text });
            if (this.#kept !== text) return;
            this.#isSaving = false;
            localStorage.removeItem(this.#key);
        } catch ({ status = 500 }) {
            // What is refused is kept here alone.
            if (status >= 500) this.#timer = setTimeout(this.#save, 10 * PAUSE);
        }
    };

    #tell(isTyping) {
        const now = Date.now();
        if (isTyping ? now - this.#typed < TYPING : !this.#typed) return;
        this.#typed = isTyping ? now : 0;
        ask("POST", `${this.#chat}/typing`, { isTyping }).catch(() => {});
    }
}
