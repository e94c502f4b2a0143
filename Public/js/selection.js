/** The boxes beside the rows: how many are ticked, and all or none of them with one click. */
class Selection {
    #side;
    #life = new AbortController();

    constructor(side) {
        this.#side = side;
    }

    start() {
        const { signal } = this.#life;
        this.#side.addEventListener("change", this.#count, { signal });
        this.#side.addEventListener("click", this.#click, { signal });
        document.addEventListener("reset", this.#reset, { signal });
        document.addEventListener("roost:morphed", this.#count, { signal });
        this.#count();
    }

    stop() {
        this.#life.abort();
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
        const button = document.createElement("button");
        button.type = "button";
        button.className = "subtle";
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

/** From the first box that is touched. */
export function start(side) {
    new Selection(side).start();
}
