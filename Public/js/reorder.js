const EDGE = 60; // pixels from the edge of the window at which it scrolls

/** Reorders rows by dragging their handles with mouse, pen or finger. Escape restores the order. */
export class Reorder {
    #container;
    #options;
    #row = null;
    #grip;
    #pointer;
    #offset = 0;
    #original = [];

    constructor(container, options) {
        this.#container = container;
        this.#options = options;
    }

    start() {
        this.#container.addEventListener("pointerdown", this.#grab);
        this.#container.addEventListener("pointermove", this.#move);
        this.#container.addEventListener("pointerup", this.#drop);
        this.#container.addEventListener("pointercancel", this.#cancel);
        document.addEventListener("keydown", this.#key);
    }

    stop() {
        this.#cancel();
        this.#container.removeEventListener("pointerdown", this.#grab);
        this.#container.removeEventListener("pointermove", this.#move);
        this.#container.removeEventListener("pointerup", this.#drop);
        this.#container.removeEventListener("pointercancel", this.#cancel);
        document.removeEventListener("keydown", this.#key);
    }

    #rows() {
        return [...this.#container.querySelectorAll("[data-reorder] > .row")];
    }

    #grab = (event) => {
        const grip = event.target.closest("[data-grip]");
        if (!grip || event.button !== 0 || this.#row) return;
        event.preventDefault();
        this.#row = grip.closest(".row");
        this.#grip = grip;
        this.#pointer = event.pointerId;
        this.#original = this.#rows();
        this.#offset = event.clientY - this.#row.getBoundingClientRect().top;
        this.#row.classList.add("dragged");
        this.#capture();
    };

    /** Moving an element in the page releases its pointer capture, so it is taken again after each step. */
    #capture() {
        this.#grip.setPointerCapture(this.#pointer);
    }

    #move = (event) => {
        if (!this.#row || event.pointerId !== this.#pointer) return;
        if (event.clientY < EDGE) this.#scroll(-12);
        else if (event.clientY > innerHeight - EDGE) this.#scroll(12);
        const rows = this.#rows();
        const index = rows.indexOf(this.#row);
        const middle = (row) => {
            const box = row.getBoundingClientRect();
            return box.top + box.height / 2;
        };
        const above = rows[index - 1];
        const below = rows[index + 1];
        this.#row.style.transform = "";
        if (above && event.clientY < middle(above)) this.#insert(above);
        else if (below && event.clientY > middle(below)) this.#insert(below.nextElementSibling);
        const shift = event.clientY - this.#offset - this.#row.getBoundingClientRect().top;
        this.#row.style.transform = `translateY(${Math.round(shift / (this.#row.currentCSSZoom || 1))}px)`;
    };

    /** A table that is too wide for the page scrolls in itself. */
    #scroll(distance) {
        scrollBy(0, distance);
        this.#row.closest(".table").scrollBy(0, distance);
    }

    #insert(before) {
        this.#row.parentElement.insertBefore(this.#row, before);
        this.#capture();
    }

    #drop = async (event) => {
        if (!this.#row || event.pointerId !== this.#pointer) return;
        const original = this.#original;
        const rows = this.#rows();
        this.#release();
        if (rows.every((row, index) => row === original[index])) return this.#refresh();
        if (!(await this.#options.dropped(rows.map((row) => row.dataset.key)))) this.#restore(original);
        this.#refresh();
    };

    #cancel = () => {
        if (!this.#row) return;
        this.#restore(this.#original);
        this.#release();
        this.#refresh();
    };

    #key = (event) => {
        if (event.key === "Escape") this.#cancel();
    };

    #restore(rows) {
        for (const row of rows) if (row.isConnected) row.parentElement.append(row);
    }

    #release() {
        this.#row.classList.remove("dragged");
        this.#row.style.transform = "";
        this.#row = null;
    }

    /** Shows server changes that were held back during dragging. */
    #refresh() {
        this.#container.dispatchEvent(new CustomEvent("roost:refresh"));
    }
}
