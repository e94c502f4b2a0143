import { make } from "./element.js";

const LIMIT = 8; // suggestions

/** Suggestions above the composer, either all or those that match the word being typed. */
export class Choices {
    #composer;
    #typing;
    #suggest;
    #panel;

    /**
     * `typing` matches the text before the caret; its groups are the text before the sign, and the word after it.
     * `suggest(word)` returns suggestions: each has the text to insert, and caption, title and label of its button.
     */
    constructor(composer, label, typing, suggest) {
        this.#composer = composer;
        this.#typing = typing;
        this.#suggest = suggest;
        this.#panel = make("div", { className: "choices panel", role: "listbox", ariaLabel: label, hidden: true });
        this.#panel.dataset.owned = "";
        composer.form.prepend(this.#panel);
        this.#panel.addEventListener("click", this.#click);
        composer.form.addEventListener("keydown", this.#key, true);
        composer.area.addEventListener("input", () => this.#typedWord ?? this.#close());
        document.addEventListener("pointerdown", ({ target }) => target.closest("#composer") || this.#close());
    }

    pick(choices) {
        if (!this.#panel.hidden) return this.#close();
        this.#show(choices);
        this.#panel.firstElementChild.focus();
    }

    complete() {
        const word = this.#typedWord;
        const choices = word === null ? [] : this.#suggest(word.toLowerCase());
        if (choices.length) this.#show(choices.slice(0, LIMIT), true);
        else this.#close();
    }

    /** The word between the sign and the caret, or null. */
    get #typedWord() {
        const { value, selectionEnd } = this.#composer.area;
        return value.slice(0, selectionEnd).match(this.#typing)?.[2] ?? null;
    }

    #show(choices, isTyping) {
        this.#panel.replaceChildren(...choices.map(({ text, caption, title, label }, index) => {
            const button = make("button", { type: "button", role: "option", title, dir: "auto" }, caption);
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
        const word = this.#typedWord;
        area.setRangeText(`${text} `, word === null ? area.selectionStart : end - word.length - 1, end, "end");
        area.dispatchEvent(new Event("input", { bubbles: true }));
        this.#close();
        area.focus();
    }

    /** While suggestions are open, keys select one instead of sending. */
    #key = (event) => {
        if (this.#panel.hidden || event.isComposing) return;
        const buttons = [...this.#panel.children];
        const isTyping = event.target === this.#composer.area;
        const isSelected = (button) => isTyping ? button.ariaSelected === "true" : button === document.activeElement;
        const at = buttons.findIndex(isSelected);
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
