/** The boxes beside the rows: how many are ticked, and all or none of them with one click. */
class Selection {
    #side;

    constructor(side) {
        this.#side = side;
    }

    start() {
        this.#side.addEventListener("change", this.#count);
        this.#side.addEventListener("click", this.#click);
        document.addEventListener("reset", this.#reset);
        document.addEventListener("roost:morphed", this.#count);
        this.#count();
    }

    get #boxes() {
        return [...this.#side.querySelectorAll(".choose input")];
    }

    /** The boxes are emptied after the event. */
    #reset = () => setTimeout(this.#count);

    #count = () => {
        const place = document.getElementById("chosen");
        if (!place) return;
        const boxes = this.#boxes;
        const ticked = boxes.filter((box) => box.checked).length;
        if (!ticked) return place.replaceChildren();
        const all = this.#button("all", `Choose all ${boxes.length} shown`);
        const none = this.#button("none", "None");
        place.replaceChildren(`${ticked} selected`, ...(ticked < boxes.length ? [all] : []), none);
    };

    #button(name, text) {
        const properties = { type: "button", className: "subtle", textContent: text };
        const button = Object.assign(document.createElement("button"), properties);
        button.dataset.choose = name;
        return button;
    }

    #click = ({ target }) => {
        const wish = target.closest?.("[data-choose]")?.dataset.choose;
        if (!wish) return;
        for (const box of this.#boxes) box.checked = wish === "all";
        this.#count();
        (document.querySelector("#chosen button") ?? this.#boxes[0])?.focus({ preventScroll: true });
    };
}

/** From the first box that is touched, for as long as the page is open. */
export function start(side) {
    new Selection(side).start();
}
