import { notice } from "./banner.js";
import { ask } from "./chat-api.js";
import { seqOf } from "./chat-messages.js";
import { make } from "./element.js";

const LONG_PRESS = 500; // milliseconds for a long press
const SLACK = 12; // pixels that the finger may move
const GAP = 4; // pixels between the pressed element and the menu

/** The menu of actions for any message, opened by its button, by keyboard or by a long press. */
class MessageMenu {
    #page;
    #messages;
    #composer;
    #reader;
    #menu = document.getElementById("message-menu");
    #receipts = make("ul", { className: "receipts" });
    #delete = this.#menu.querySelector("[data-act=delete]");
    #message;
    #opener;
    #longPress;

    constructor(page, messages, composer, reader) {
        this.#page = page;
        this.#messages = messages;
        this.#composer = composer;
        this.#reader = reader;
    }

    start() {
        this.#menu.popover = "manual"; // otherwise lifting the finger would close it
        this.#menu.append(make("li", {}, this.#receipts));
        this.#menu.addEventListener("click", this.#click);
        this.#menu.addEventListener("keydown", this.#key);
        document.addEventListener("pointerdown", this.#outside);
        document.addEventListener("keydown", ({ key }) => key === "Escape" && this.#close());
        const { list, scroller } = this.#messages;
        list.addEventListener("touchstart", this.touch, { passive: true });
        for (const end of ["touchmove", "touchend", "touchcancel"]) list.addEventListener(end, this.#endPress, { passive: true });
        list.addEventListener("contextmenu", (event) => this.#longPress && event.preventDefault());
        scroller.addEventListener("scroll", this.#position, { passive: true });
    }

    open(message, opener) {
        const isOwn = message.matches(".mine");
        const isDeleted = message.matches(".deleted");
        if (!message.dataset.seq) return;
        this.#message = message;
        this.#opener = opener;
        for (const item of this.#menu.querySelectorAll(".own")) item.hidden = !isOwn || isDeleted;
        for (const item of this.#menu.querySelectorAll(".others")) item.hidden = isOwn;
        this.#menu.querySelector(".emojis").hidden = isDeleted;
        this.#delete.textContent = "Delete";
        this.#receipts.replaceChildren();
        this.#menu.showPopover();
        this.#position();
        this.#buttons[0].focus({ preventScroll: true });
    }

    #position = () => {
        if (!this.#menu.matches(":popover-open")) return;
        const { right, left, top, bottom } = this.#opener.getBoundingClientRect();
        const { style } = this.#menu;
        const { width, height } = this.#menu.getBoundingClientRect();
        const zoom = this.#menu.currentCSSZoom || 1;
        const below = Math.min(bottom, innerHeight) + GAP;
        const start = this.#opener === this.#message ? left + 40 : right - width;
        style.inset = "auto";
        style.top = `${Math.max(GAP, below + height <= innerHeight ? below : Math.min(top, innerHeight) - GAP - height) / zoom}px`;
        style.left = `${Math.max(GAP, Math.min(start, innerWidth - width - GAP)) / zoom}px`;
    };

    get #buttons() {
        return [...this.#menu.querySelectorAll("button")].filter((button) => button.checkVisibility());
    }

    #close(isDone) {
        if (!this.#menu.matches(":popover-open")) return;
        const isWithin = this.#menu.contains(document.activeElement);
        this.#menu.hidePopover();
        if (!isWithin || isDone) return;
        // Focusing after a long press would open the screen keyboard.
        if (this.#opener.matches("a")) this.#opener.focus({ preventScroll: true });
    }

    #outside = ({ target }) => {
        if (!this.#menu.contains(target)) this.#close(true);
    };

    #key = (event) => {
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        if (event.key === "Escape" || event.key === "Tab") {
            event.preventDefault();
            event.stopPropagation();
            this.#close();
        } else if (step) {
            event.preventDefault();
            const buttons = this.#buttons;
            buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length).focus();
        }
    };


    touch = (event) => {
        const { target, touches: [{ clientX: x, clientY: y }, second] } = event;
        const message = target.closest(".message");
        this.#endPress();
        if (!message || second) return;
        const timer = setTimeout(() => this.open(message, message), LONG_PRESS);
        this.#longPress = { timer, x, y };
    };

    #endPress = ({ type, touches: [touch] = [] } = {}) => {
        if (!this.#longPress) return;
        const { timer, x, y } = this.#longPress;
        if (type === "touchmove" && touch && Math.hypot(touch.clientX - x, touch.clientY - y) < SLACK) return;
        clearTimeout(timer);
        this.#longPress = null;
    };


    #click = async ({ target }) => {
        const button = target.closest("button");
        if (!button) return;
        const message = this.#message;
        const { act, emoji } = button.dataset;
        if (act === "receipts") return this.#showReceipts(message);
        if (act === "delete" && button.textContent === "Delete") {
            button.textContent = "Delete for everyone?";
            return;
        }
        if (act === "link") return this.#copy(message, button);
        this.#close();
        if (act === "react") await this.react(message, emoji);
        else if (act === "reply") this.#reply(message);
        else if (act === "edit") await this.edit(message);
        else if (act === "delete") await this.#ask("DELETE", this.#path(message));
        else if (act === "unread") await this.#markUnread(message);
    };

    #path = (message) => `${this.#page.chat}/messages/${message.dataset.seq}`;

    async #ask(...request) {
        try {
            return { json: await ask(...request) };
        } catch ({ status, message }) {
            notice(status ? message : "Roost does not answer. Nothing was changed; try again in a moment.");
            return null;
        }
    }

    react(message, emoji) {
        const own = [...message.querySelectorAll(".reactions button")].find((each) => each.dataset.emoji === emoji);
        const method = own?.ariaPressed === "true" ? "DELETE" : "PUT";
        return this.#ask(method, `${this.#path(message)}/reactions/${encodeURIComponent(emoji)}`);
    }

    #reply(message) {
        const name = message.querySelector(".from .name").textContent;
        const { innerText, textContent } = message.querySelector(".text") ?? {};
        const text = (innerText || textContent || "Photo").trim();
        this.#composer.reply(message.dataset.seq, name, text.length > 80 ? `${text.slice(0, 80)} …` : text);
    }

    async #markUnread(message) {
        const unreadFrom = seqOf(message);
        if (await this.#ask("POST", `${this.#page.chat}/receipts`, { unreadFrom })) this.#reader.markUnread(message);
    }

    async #showReceipts(message) {
        const result = await this.#ask("GET", `${this.#path(message)}/receipts`);
        if (!result) return;
        const labels = { sent: "Sent", delivered: "Delivered", read: "Read" };
        this.#receipts.replaceChildren(...result.json.items.map(({ name, status }) => {
            const label = make("span", { className: `status ${status}` }, labels[status]);
            return make("li", {}, make("span", { className: "name" }, name), label);
        }));
        this.#position();
    }

    /** Browsers offer the clipboard only on HTTPS and localhost; elsewhere users can copy from the address bar. */
    async #copy(message, button) {
        const { href } = message.querySelector(".when");
        const label = button.textContent;
        try {
            await navigator.clipboard.writeText(href);
            button.textContent = "Copied";
            setTimeout(() => {
                button.textContent = label;
                this.#close();
            }, 1_000);
        } catch {
            this.#close();
            history.replaceState(history.state, "", href);
            notice("Copying needs HTTPS. The link is now in the address bar.");
        }
    }


    async edit(message) {
        if (message.querySelector(".edit-message")) return;
        const result = await this.#ask("GET", `${this.#page.chat}/messages?after=${seqOf(message) - 1}&limit=1`);
        if (!result) return;
        const [{ text }] = result.json.items;
        const error = make("p", { className: "field-error", role: "alert", hidden: true });
        const area = make("textarea", { rows: 2, dir: "auto", value: text, ariaLabel: "Edit the message" });
        const save = make("button", { className: "button secondary" }, "Save");
        const cancel = make("button", { type: "button", className: "subtle" }, "Cancel");
        const form = make("form", { className: "edit-message" }, error, area, make("p", {}, save, " ", cancel));
        form.dataset.owned = "";
        form.addEventListener("submit", (event) => this.#save(event, message, area, error));
        form.addEventListener("keydown", (event) => this.#editKey(event, form, message));
        cancel.addEventListener("click", () => this.#closeEditor(form, message));
        message.querySelector(".foot").before(form);
        message.classList.add("editing");
        area.focus();
        area.setSelectionRange(area.value.length, area.value.length);
        this.#messages.settle();
    }

    #editKey(event, form, message) {
        if (event.isComposing) return;
        if (event.key === "Escape") {
            event.preventDefault();
            event.stopPropagation();
            this.#closeEditor(form, message);
        } else if (event.key === "Enter" && !event.shiftKey && event.target.matches("textarea")) {
            event.preventDefault();
            form.requestSubmit();
        }
    }

    async #save(event, message, area, error) {
        event.preventDefault();
        try {
            await ask("PATCH", this.#path(message), { text: area.value.trim() });
            this.#closeEditor(event.target, message);
        } catch ({ status, message: reason }) {
            error.textContent = status ? reason : "Roost does not answer. Try again in a moment.";
            error.hidden = false;
        }
    }

    #closeEditor(form, message) {
        form.remove();
        message.classList.remove("editing");
        this.#messages.settle();
        this.#composer.area.focus();
    }
}

let shared;

/** The page's menu, made on first use. */
export function menu(...parts) {
    if (shared) return shared;
    shared = new MessageMenu(...parts);
    shared.start();
    return shared;
}
