import { make } from "./element.js";
import { own } from "./forms.js";

const AROUND = 32; // characters before and after a passage, by which it is found again
const GAP = 8; // pixels between a passage and what opens at it
const PAUSE = 250; // milliseconds without a change after which something counts as selected
const TOUCH = matchMedia("(pointer: coarse)"); // there the system's own menu stands above what is selected

/**
 * Passages that are marked, with notes: by a button at the selection, by keys, or by a click on one that is there. The
 * list below the text does the same for those, with the keyboard alone.
 */
class Highlights {
    #form = document.getElementById("highlight-form");
    #address = this.#form.getAttribute("action");
    #save = this.#form.querySelector("button:not([type=button])");
    #updated = make("input", { type: "hidden", name: "updatedAt", disabled: true });
    #remove = make("button", { type: "button", className: "subtle" }, "Remove");
    #tools = make("div", { className: "selection-tools panel", popover: "manual" });
    /** What the form is about: a passage, or the mark of one. */
    #passage = null;
    #mark = null;
    #timer;

    start() {
        const add = make("button", { type: "button", onclick: () => this.add() }, "Highlight");
        const note = make("button", { type: "button", onclick: () => this.note() }, "Add note");
        this.#tools.append(add, note);
        this.#tools.addEventListener("mousedown", (event) => event.preventDefault()); // the selection stays
        document.body.append(this.#tools);
        this.#form.append(this.#updated, this.#remove);
        this.#remove.addEventListener("click", this.#delete);
        this.#form.addEventListener("click", ({ target }) => target.closest("[data-act=close]") && this.#close());
        this.#form.addEventListener("reset", () => this.#close()); // Roost has it; what is refused stays as it was typed
        document.addEventListener("selectionchange", () => this.offer());
        document.addEventListener("keydown", this.#key);
        document.addEventListener("pointerdown", this.#outside);
        addEventListener("scroll", this.#put, { passive: true, capture: true });
        addEventListener("resize", this.#put);
    }

    get #body() {
        return document.querySelector(".reader .body");
    }

    // What is selected.

    /** The selection within the text, else the paragraph; null for nothing. Without the blanks at its ends. */
    #find(paragraph) {
        const body = this.#body;
        const selection = getSelection();
        let range = selection.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null;
        if (!range && paragraph?.isConnected) {
            range = new Range();
            range.selectNodeContents(paragraph);
        }
        if (!body || !range || !body.contains(range.commonAncestorContainer)) return null;
        const text = body.textContent;
        const before = new Range();
        before.setStart(body, 0);
        before.setEnd(range.startContainer, range.startOffset);
        const words = range.toString();
        const start = before.toString().length + words.length - words.trimStart().length;
        const quote = words.trim();
        if (!quote) return null;
        const end = start + quote.length;
        const around = { before: text.slice(Math.max(0, start - AROUND), start), after: text.slice(end, end + AROUND) };
        return { range, fields: { start, end, quote, ...around } };
    }

    /** Buttons at the selection, once it rests. */
    offer() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            if (this.#form.matches(":popover-open")) return;
            this.#passage = this.#find();
            if (!this.#passage) return this.#tools.matches(":popover-open") && this.#tools.hidePopover();
            this.#tools.showPopover();
            this.#put();
        }, PAUSE);
    }

    /** Marks what is selected, else the paragraph where the keys are. */
    add(paragraph) {
        if (!this.#take(paragraph)) return;
        this.#form.elements.note.value = "";
        this.#form.requestSubmit(this.#save);
        getSelection().removeAllRanges();
    }

    /** The same with a note, which is asked for. */
    note(paragraph) {
        if (!this.#take(paragraph)) return;
        this.#form.elements.note.value = "";
        this.#show();
    }

    #take(paragraph) {
        this.#passage = this.#find(paragraph) ?? (paragraph ? null : this.#passage);
        this.#mark = null;
        if (!this.#passage) return false;
        for (const [name, value] of Object.entries(this.#passage.fields)) this.#form.elements[name].value = value;
        this.#turn(this.#address, "Highlight");
        return true;
    }

    /** The form writes there; what it says of a passage that is marked already is only its note. */
    #turn(address, words) {
        this.#form.action = own(address);
        this.#save.textContent = words;
        this.#updated.disabled = this.#remove.hidden = !this.#mark;
        for (const name of ["quote", "start", "end", "before", "after"]) this.#form.elements[name].disabled = !!this.#mark;
    }

    // One that is there.

    open(mark) {
        const { highlight } = mark.dataset;
        const entry = document.getElementById(`note-${highlight}`);
        const address = `${this.#address}/${highlight}`;
        if (!entry || !/^[\w-]+$/.test(highlight)) return;
        this.#mark = mark;
        this.#passage = null;
        this.#turn(`${address}/edit`, "Save");
        this.#updated.value = entry.querySelector("[name=updatedAt]")?.value ?? "";
        this.#form.elements.note.value = entry.querySelector("textarea")?.defaultValue ?? "";
        this.#show();
    }

    #delete = () => {
        this.#form.action = own(this.#form.getAttribute("action").replace(/edit$/, "delete"));
        this.#form.requestSubmit();
    };

    // Where it opens.

    #show() {
        if (this.#tools.matches(":popover-open")) this.#tools.hidePopover();
        this.#form.showPopover();
        this.#put();
        this.#form.elements.note.focus({ preventScroll: true });
    }

    #close() {
        if (!this.#form.matches(":popover-open")) return;
        const isWithin = this.#form.contains(document.activeElement);
        this.#form.hidePopover();
        if (isWithin) document.getElementById("content").focus({ preventScroll: true });
    }

    /** Above the passage where a mouse selects, below it where a finger does; always on the screen. */
    #put = () => {
        const panel = [this.#form, this.#tools].find((each) => each.matches(":popover-open"));
        const place = this.#mark ?? this.#passage?.range;
        if (!panel || !place) return;
        const { left, width, top, bottom } = place.getBoundingClientRect();
        const { offsetWidth, offsetHeight } = panel;
        const isBelow = panel === this.#form || TOUCH.matches || top < offsetHeight + 2 * GAP;
        const y = isBelow ? bottom + GAP : top - offsetHeight - GAP;
        panel.style.top = `${Math.max(GAP, Math.min(y, innerHeight - offsetHeight - GAP))}px`;
        panel.style.left = `${Math.max(GAP, Math.min(left + (width - offsetWidth) / 2, innerWidth - offsetWidth - GAP))}px`;
    };

    #outside = ({ target }) => {
        if (!this.#form.contains(target) && !this.#form.elements.note.value) this.#close();
    };

    #key = (event) => {
        if (event.key !== "Escape" || !this.#form.matches(":popover-open")) return;
        event.stopImmediatePropagation();
        this.#close();
    };
}

let shared;

/** The page's own, from when they are first needed. */
export function highlights() {
    if (!shared) {
        shared = new Highlights();
        shared.start();
    }
    return shared;
}
