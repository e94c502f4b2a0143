/** The rows' checkboxes: counts them, and ticks all or none with one click. */
class Selection {
    #side;

    constructor(side) {
        this.#side = side;
    }

    start() {
        this.#side.addEventListener("change", this.#count);
        this.#side.addEventListener("click", this.#click);
        // Boxes change only after the event.
        document.addEventListener("reset", () => setTimeout(this.#count));
        document.addEventListener("roost:morphed", this.#count);
        this.#count();
    }

    get #boxes() {
        return [...this.#side.querySelectorAll(".choose input")];
    }

    #count = () => {
        const bar = document.getElementById("chosen");
        if (!bar) return;
        const boxes = this.#boxes;
        const ticked = boxes.filter((box) => box.checked).length;
        if (!ticked) return bar.replaceChildren();
        const all = ticked < boxes.length ? this.#button("all", `Select all ${boxes.length} shown`) : "";
        bar.replaceChildren(`${ticked} selected`, all, this.#button("none", "None"));
    };

    #button(name, textContent) {
        const button = Object.assign(document.createElement("button"), { type: "button", className: "subtle", textContent });
        button.dataset.choose = name;
        return button;
    }

    #click = ({ target }) => {
        const choice = target.closest?.("[data-choose]")?.dataset.choose;
        if (!choice) return;
        for (const box of this.#boxes) box.checked = choice === "all";
        this.#count();
        (document.querySelector("#chosen button") ?? this.#boxes[0])?.focus({ preventScroll: true });
    };
}

/** Starts with the first ticked box and stays active while the page is open. */
export function start(side) {
    new Selection(side).start();
}
