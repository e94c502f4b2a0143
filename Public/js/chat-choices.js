import { make } from "./element.js";

const MOST = 8; // that are offered for what has been typed

/** A list above the composer of what goes into the text: all of it, or what fits the word that is being typed. */
export class Choices {
    #composer;
    #typing;
    #found;
    #panel;

    /**
     * `typing` fits what is being typed before the caret: in its groups what comes before the sign, and the word after it.
     * `found(word)` answers what to offer: each with its text, and the words, title and label of its button.
     */
    constructor(composer, label, typing, found) {
        this.#composer = composer;
        this.#typing = typing;
        this.#found = found;
        this.#panel = make("div", { className: "choices panel", role: "listbox", ariaLabel: label, hidden: true });
        this.#panel.dataset.owned = "";
        composer.form.prepend(this.#panel);
        this.#panel.addEventListener("click", this.#click);
        composer.form.addEventListener("keydown", this.#key, true);
        composer.area.addEventListener("input", () => this.#typed ?? this.#close());
        document.addEventListener("pointerdown", ({ target }) => target.closest("#composer") || this.#close());
    }

    /** All of these, or none again. */
    pick(choices) {
        if (!this.#panel.hidden) return this.#close();
        this.#show(choices);
        this.#panel.firstElementChild.focus();
    }

    complete() {
        const word = this.#typed;
        const choices = word === null ? [] : this.#found(word.toLowerCase());
        if (choices.length) this.#show(choices.slice(0, MOST), true);
        else this.#close();
    }

    /** What stands between a sign and the caret; null for nothing of the kind. */
    get #typed() {
        const { value, selectionEnd } = this.#composer.area;
        return value.slice(0, selectionEnd).match(this.#typing)?.[2] ?? null;
    }

    #show(choices, isTyping) {
        this.#panel.replaceChildren(...choices.map(({ text, words, title, label }, index) => {
            const button = make("button", { type: "button", role: "option", title, dir: "auto" }, words);
            button.dataset.text = text;
            button.ariaLabel = label;
            button.ariaSelected = String(!!isTyping && !index);
            return button;
        }));
        this.#panel.hidden = false;
    }

    #close() {
        this.#panel.hidden = true;
    }

    #click = ({ target }) => {
        const button = target.closest("button");
        if (button) this.#insert(button.dataset.text);
    };

    #insert(text) {
        const { area } = this.#composer;
        const end = area.selectionEnd;
        const word = this.#typed;
        area.setRangeText(`${text} `, word === null ? area.selectionStart : end - word.length - 1, end, "end");
        area.dispatchEvent(new Event("input", { bubbles: true }));
        this.#close();
        area.focus();
    }

    /** While something is offered, the keys choose before they send anything. */
    #key = (event) => {
        if (this.#panel.hidden || event.isComposing) return;
        const buttons = [...this.#panel.children];
        const isTyping = event.target === this.#composer.area;
        const isAt = (button) => isTyping ? button.ariaSelected === "true" : button === document.activeElement;
        const at = buttons.findIndex(isAt);
        const step = { ArrowDown: 1, ArrowUp: -1, ...(isTyping ? {} : { ArrowRight: 1, ArrowLeft: -1 }) }[event.key];
        if (step && at >= 0) this.#move(buttons, buttons.at((at + step) % buttons.length), isTyping);
        else if (isTyping && at >= 0 && /^(Enter|Tab)$/.test(event.key)) this.#insert(buttons[at].dataset.text);
        else if (event.key === "Escape") {
            this.#close();
            this.#composer.area.focus();
        } else return;
        event.preventDefault();
        event.stopPropagation();
    };

    #move(buttons, next, isTyping) {
        for (const button of buttons) button.ariaSelected = String(button === next);
        if (isTyping) next.scrollIntoView({ block: "nearest" });
        else next.focus();
    }
}
