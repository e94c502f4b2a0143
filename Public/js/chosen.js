/** The boxes beside the rows: how many are ticked, and all or none of them with one click. */
export class Chosen {
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

    stop() {
        this.#side.removeEventListener("change", this.#count);
        this.#side.removeEventListener("click", this.#click);
        document.removeEventListener("reset", this.#reset);
        document.removeEventListener("roost:morphed", this.#count);
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
        place.replaceChildren(`${ticked} chosen`, ...(ticked < boxes.length ? [all] : []), none);
    };

    #button(name, text) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "quiet";
        button.dataset.choose = name;
        button.textContent = text;
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
