import { isSignedOut, notice } from "./banner.js";
import { allowed, token } from "./forms.js";

// For times that Roost writes itself. The home page is the one that everyone opens.
document.cookie = `roost_zone=${Intl.DateTimeFormat().resolvedOptions().timeZone};path=/`;

allowed.push(/^\/(home\/summary|today\/lines)$/);

const SIZES = ["short", "normal", "long"];
const WIDTHS = ["column", "double", "page"];
const STEP = 60; // pixels of dragging down that change the size by one step
const ACROSS = 120; // pixels of dragging sideways that change the width by one step
const EDGE = 60; // pixels from the edge of the window at which it scrolls
const BEFORE = ["ArrowUp", "ArrowLeft"];
const AFTER = ["ArrowDown", "ArrowRight"];
const HELP = "Drag to move. Arrow keys move the tile, plus and minus change its size, W its width, Delete hides it.";

const widthOf = (slot) => slot.dataset.wide ?? WIDTHS[0];
const within = (list, index) => list[Math.min(Math.max(index, 0), list.length - 1)];

function setWidth(slot, width) {
    if (width === WIDTHS[0]) delete slot.dataset.wide;
    else slot.dataset.wide = width;
}

/** Moves, resizes and hides tiles with handles, by mouse, pen, finger and keyboard. `/settings/home` does it without scripts. */
class Tiles {
    #tiles;
    #drag = null;
    /** The last hiding. The next one waits for it, to know which tiles are hidden. */
    #hidden = Promise.resolve();

    constructor(tiles) {
        this.#tiles = tiles;
    }

    start() {
        for (const slot of this.#slots()) this.#addHandles(slot);
        this.#tiles.addEventListener("pointerdown", this.#grab);
        this.#tiles.addEventListener("pointermove", this.#move);
        this.#tiles.addEventListener("pointerup", this.#drop);
        this.#tiles.addEventListener("pointercancel", this.#cancel);
        this.#tiles.addEventListener("keydown", this.#key);
        document.addEventListener("keydown", this.#escape);
    }

    stop() {
        this.#cancel();
        for (const handle of this.#tiles.querySelectorAll(".tile-handle")) handle.remove();
        this.#tiles.removeEventListener("pointerdown", this.#grab);
        this.#tiles.removeEventListener("pointermove", this.#move);
        this.#tiles.removeEventListener("pointerup", this.#drop);
        this.#tiles.removeEventListener("pointercancel", this.#cancel);
        this.#tiles.removeEventListener("keydown", this.#key);
        document.removeEventListener("keydown", this.#escape);
    }

    #slots() {
        return [...this.#tiles.querySelectorAll(":scope > .slot")];
    }

    #addHandles(slot) {
        const name = slot.querySelector(".tile").getAttribute("aria-label");
        for (const [kind, label, help] of [["move", `Arrange ${name}`, HELP], ["size", `Resize ${name}`, "Drag down for more rows, sideways to change the width."]]) {
            const handle = document.createElement("button");
            handle.type = "button";
            handle.className = `tile-handle tile-${kind}`;
            handle.title = help;
            handle.dataset.owned = "";
            // The keyboard needs one stop for each tile.
            if (kind === "size") handle.tabIndex = -1;
            handle.setAttribute("aria-label", label);
            slot.append(handle);
        }
    }

    #grab = (event) => {
        const handle = event.target.closest(".tile-handle");
        if (!handle || event.button !== 0 || this.#drag) return;
        event.preventDefault();
        handle.focus({ preventScroll: true });
        const slot = handle.closest(".slot");
        this.#drag = {
            handle, slot, pointer: event.pointerId, original: this.#slots(), size: slot.dataset.size, width: widthOf(slot), x: event.pageX, y: event.pageY,
            isMove: handle.classList.contains("tile-move"),
        };
        slot.classList.add("dragged");
        handle.setPointerCapture(event.pointerId);
    };

    #move = (event) => {
        const drag = this.#drag;
        if (!drag || event.pointerId !== drag.pointer) return;
        if (event.clientY < EDGE) scrollBy(0, -12);
        else if (event.clientY > innerHeight - EDGE) scrollBy(0, 12);
        if (drag.isMove) return this.#moveTo(drag, event);
        const steps = Math.round((event.pageY - drag.y) / STEP);
        drag.slot.dataset.size = within(SIZES, SIZES.indexOf(drag.size) + steps);
        const across = Math.trunc((event.pageX - drag.x) / ACROSS);
        setWidth(drag.slot, within(WIDTHS, WIDTHS.indexOf(drag.width) + across));
    };

    /** Puts the tile before or after the one under the pointer, by the half that the pointer is in. */
    #moveTo({ slot, handle, pointer }, { clientX, clientY }) {
        const over = this.#slots().find((other) => {
            const box = other.getBoundingClientRect();
            return other !== slot && clientX >= box.left && clientX < box.right && clientY >= box.top && clientY < box.bottom;
        });
        if (!over) return;
        const { top, height } = over.getBoundingClientRect();
        const isUpper = clientY < top + height / 2;
        if ((isUpper ? over.previousElementSibling : over.nextElementSibling) === slot) return;
        over[isUpper ? "before" : "after"](slot);
        // Moving an element in the page releases its pointer capture.
        handle.setPointerCapture(pointer);
    }

    #drop = (event) => {
        const drag = this.#drag;
        if (!drag || event.pointerId !== drag.pointer) return;
        this.#release();
        if (drag.isMove) this.#saveOrder(drag.original);
        else {
            if (drag.slot.dataset.size !== drag.size) this.#saveSize(drag.slot, drag.size);
            if (widthOf(drag.slot) !== drag.width) this.#saveWidth(drag.slot, drag.width);
        }
    };

    #cancel = () => {
        const drag = this.#drag;
        if (!drag) return;
        this.#release();
        this.#tiles.append(...drag.original);
        drag.slot.dataset.size = drag.size;
        setWidth(drag.slot, drag.width);
    };

    #release() {
        this.#drag.slot.classList.remove("dragged");
        this.#drag = null;
        // Shows changes that were held back during dragging.
        for (const region of this.#tiles.querySelectorAll("[data-live]")) region.dispatchEvent(new CustomEvent("roost:refresh"));
    }

    #escape = (event) => {
        if (event.key === "Escape") this.#cancel();
    };

    #key = (event) => {
        const handle = event.target.closest(".tile-move");
        if (!handle || this.#drag || event.ctrlKey || event.metaKey || event.altKey) return;
        const slot = handle.closest(".slot");
        const original = this.#slots();
        if (BEFORE.includes(event.key)) slot.previousElementSibling?.before(slot);
        else if (AFTER.includes(event.key)) slot.nextElementSibling?.after(slot);
        else if (event.key === "Delete" || event.key === "Backspace") this.#hide(slot);
        else if (/^w$/i.test(event.key)) {
            const previous = widthOf(slot);
            setWidth(slot, WIDTHS[(WIDTHS.indexOf(previous) + 1) % WIDTHS.length]);
            this.#saveWidth(slot, previous);
        } else if (/^[-+=−]$/.test(event.key)) this.#resize(slot, /[+=]/.test(event.key) ? 1 : -1);
        else return;
        event.preventDefault();
        if (!slot.isConnected) return;
        handle.focus();
        slot.scrollIntoView({ block: "nearest" });
        this.#saveOrder(original);
    };

    #resize(slot, step) {
        const size = SIZES[SIZES.indexOf(slot.dataset.size) + step];
        if (!size) return;
        const previous = slot.dataset.size;
        slot.dataset.size = size;
        this.#saveSize(slot, previous);
    }

    /** The topic of the arrangement makes the tile fetch its new rows. */
    async #saveSize(slot, previous) {
        if (!(await this.#save({ sizes: { [slot.dataset.tile]: slot.dataset.size } }))) slot.dataset.size = previous;
    }

    async #saveWidth(slot, previous) {
        if (!(await this.#save({ widths: { [slot.dataset.tile]: widthOf(slot) } }))) setWidth(slot, previous);
    }

    async #saveOrder(original) {
        const slots = this.#slots();
        if (slots.every((slot, index) => slot === original[index])) return;
        if (await this.#save({ order: slots.map((slot) => slot.dataset.tile) })) return;
        this.#tiles.append(...original.filter((slot) => slot.isConnected)); // others were hidden in the meantime
    }

    async #hide(slot) {
        const next = slot.nextElementSibling ?? slot.previousElementSibling;
        const original = this.#slots();
        const name = slot.querySelector(".tile").getAttribute("aria-label");
        slot.remove();
        (next?.querySelector(".tile-move") ?? document.getElementById("content")).focus();
        this.#hidden = this.#hidden.then(() => this.#saveHidden(slot.dataset.tile));
        if (await this.#hidden) {
            notice(`“${name}” is hidden. “Arrange” shows it again.`);
            document.querySelector("#notice > .trouble").classList.remove("trouble");
        } else this.#tiles.insertBefore(slot, original.slice(original.indexOf(slot)).find((other) => other.isConnected) ?? null);
    }

    /** Roost takes all hidden tiles at once. */
    async #saveHidden(tile) {
        const body = await fetch("/api/v1/home", { cache: "no-store" }).then((response) => response.ok && response.json()).catch(() => null);
        return body && this.#save({ hidden: body.items.filter(({ shown, key }) => !shown || key === tile).map(({ key }) => key) });
    }

    /** Returns whether it was saved, and otherwise says why not. */
    async #save(change) {
        let reason = "Couldn’t save the home page: Roost isn’t responding.";
        try {
            const headers = { "Content-Type": "application/json", ...token() };
            const response = await fetch("/api/v1/home", { method: "PATCH", headers, body: JSON.stringify(change) });
            if (response.ok) return true;
            if (isSignedOut(response)) return false;
            reason = (await response.json()).error?.message ?? reason;
        } catch {
            // Reported below.
        }
        notice(reason);
        return false;
    }
}

const tiles = document.querySelector("[data-tiles]");
if (tiles) new Tiles(tiles).start();
