import { make } from "./element.js";
import { own } from "./forms.js";

const AROUND = 32; // characters before and after a passage, used to find it again
const GAP = 8; // pixels between a passage and its panel
const PAUSE = 250; // milliseconds without a change until a selection counts
const TOUCH = matchMedia("(pointer: coarse)"); // there the menu of the system is above the selection

/**
 * Highlights with notes: made by a button at the selection or by keys, and edited by a click. The list below the text
 * allows the same with the keyboard alone.
 */
class Highlights {
    #form = document.getElementById("highlight-form");
    #address = this.#form.getAttribute("action");
    #save = this.#form.querySelector("button:not([type=button])");
    #updated = make("input", { type: "hidden", name: "updatedAt", disabled: true });
    #remove = make("button", { type: "button", className: "subtle", onclick: () => this.#delete() }, "Remove");
    #tools = make("div", { className: "selection-tools panel", popover: "manual" });
    /** The subject of the form: a passage, or the mark of an existing highlight. */
    #passage = null;
    #mark = null;
    #timer;

    start() {
        this.#tools.append(
            make("button", { type: "button", onclick: () => this.add() }, "Highlight"),
            make("button", { type: "button", onclick: () => this.note() }, "Add note"));
        this.#tools.addEventListener("mousedown", (event) => event.preventDefault()); // the selection stays
        document.body.append(this.#tools);
        this.#form.append(this.#updated, this.#remove);
        this.#form.addEventListener("click", ({ target }) => target.closest("[data-act=close]") && this.#close());
        this.#form.addEventListener("reset", () => this.#close()); // Roost has saved it; rejected input stays
        document.addEventListener("selectionchange", () => this.offer());
        document.addEventListener("keydown", this.#key);
        document.addEventListener("pointerdown", this.#outside);
        addEventListener("scroll", this.#position, { passive: true, capture: true });
        addEventListener("resize", this.#position);
    }

    get #body() {
        return document.querySelector(".reader .body");
    }

    /** Returns the selection within the text, else the paragraph, else null. Trims white space at the ends. */
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
        const selected = range.toString();
        const start = before.toString().length + selected.length - selected.trimStart().length;
        const quote = selected.trim();
        if (!quote) return null;
        const end = start + quote.length;
        const around = { before: text.slice(Math.max(0, start - AROUND), start), after: text.slice(end, end + AROUND) };
        return { range, fields: { start, end, quote, ...around } };
    }

    /** Shows buttons at the selection once it is stable. */
    offer() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            if (this.#form.matches(":popover-open")) return;
            this.#passage = this.#find();
            if (!this.#passage) return this.#tools.matches(":popover-open") && this.#tools.hidePopover();
            this.#tools.showPopover();
            this.#position();
        }, PAUSE);
    }

    /** Highlights the selection, else the current paragraph. */
    async add(paragraph) {
        const chosen = this.#choose(paragraph);
        getSelection().removeAllRanges();
        if (await chosen) this.#form.requestSubmit(this.#save);
    }

    /** Opens the form for a note instead. */
    async note(paragraph) {
        if (await this.#choose(paragraph)) this.#show();
    }

    /** Fills the form, after what is being saved or written in it. Returns null if there is no passage. */
    async #choose(paragraph) {
        const passage = this.#find(paragraph) ?? (paragraph ? null : this.#passage);
        if (!passage) return null;
        while (this.#save.dataset.busy || this.#form.matches(":popover-open")) await new Promise((resolve) => setTimeout(resolve, PAUSE));
        this.#passage = passage;
        this.#mark = null;
        for (const [name, value] of Object.entries(passage.fields)) this.#form.elements[name].value = value;
        this.#form.elements.note.value = "";
        this.#setTarget(this.#address, "Highlight");
        return passage;
    }

    /** Sets the form's target. For an existing highlight it only sends the note. */
    #setTarget(address, label) {
        this.#form.action = own(address);
        this.#save.textContent = label;
        this.#updated.disabled = this.#remove.hidden = !this.#mark;
        for (const name of ["quote", "start", "end", "before", "after"]) this.#form.elements[name].disabled = !!this.#mark;
    }

    open(mark) {
        const { highlight } = mark.dataset;
        const entry = document.getElementById(`note-${highlight}`);
        const address = `${this.#address}/${highlight}`;
        if (!entry || !/^[\w-]+$/.test(highlight)) return;
        this.#mark = mark;
        this.#passage = null;
        this.#setTarget(`${address}/edit`, "Save");
        this.#updated.value = entry.querySelector("[name=updatedAt]")?.value ?? "";
        this.#form.elements.note.value = entry.querySelector("textarea")?.defaultValue ?? "";
        this.#show();
    }

    #delete() {
        this.#form.action = own(this.#form.getAttribute("action").replace(/edit$/, "delete"));
        this.#form.requestSubmit();
    }

    #show() {
        if (this.#tools.matches(":popover-open")) this.#tools.hidePopover();
        this.#form.showPopover();
        this.#position();
        this.#form.elements.note.focus({ preventScroll: true });
    }

    #close() {
        if (!this.#form.matches(":popover-open")) return;
        const isWithin = this.#form.contains(document.activeElement);
        this.#form.hidePopover();
        if (isWithin) document.getElementById("content").focus({ preventScroll: true });
    }

    /** Places the panel above the passage for a mouse, below it for touch, and within the screen. */
    #position = () => {
        const panel = [this.#form, this.#tools].find((each) => each.matches(":popover-open"));
        const anchor = this.#mark ?? this.#passage?.range;
        if (!panel || !anchor) return;
        const { left, width, top, bottom } = anchor.getBoundingClientRect();
        const { width: panelWidth, height } = panel.getBoundingClientRect();
        const zoom = panel.currentCSSZoom || 1;
        const isBelow = panel === this.#form || TOUCH.matches || top < height + 2 * GAP;
        const y = isBelow ? bottom + GAP : top - height - GAP;
        panel.style.top = `${Math.max(GAP, Math.min(y, innerHeight - height - GAP)) / zoom}px`;
        panel.style.left = `${Math.max(GAP, Math.min(left + (width - panelWidth) / 2, innerWidth - panelWidth - GAP)) / zoom}px`;
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

/** The page's instance, made on first use. */
export function highlights() {
    if (!shared) {
        shared = new Highlights();
        shared.start();
    }
    return shared;
}
