/** The boxes beside the rows: how many are ticked, and all or none of them with one click. */
class Chosen {
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

/** Tags and note of a row: what is saved folds itself away. */
class Jotter {
    #saved = null;
    #life = new AbortController();

    start() {
        const { signal } = this.#life;
        document.addEventListener("submit", this.#submit, { capture: true, signal });
        document.addEventListener("roost:morphed", this.#morphed, { signal });
    }

    stop() {
        this.#life.abort();
    }

    #submit = ({ target }) => {
        this.#saved = target.id.startsWith("edit-") ? target : null;
    };

    /** The whole page is taken over when what was sent was accepted; what was refused stays open as it was typed. */
    #morphed = ({ detail }) => {
        const form = this.#saved;
        if (!form || detail.id !== "content") return;
        this.#saved = null;
        const jotter = [...form.elements].map((element) => element.closest(".jotter")).find(Boolean);
        if (!jotter?.open) return;
        const isHere = jotter.contains(document.activeElement);
        jotter.open = false;
        if (isHere) jotter.querySelector("summary").focus({ preventScroll: true });
    };
}

/** From the first box or field on that is touched. */
export function start(side) {
    for (const part of [new Chosen(side), new Jotter()]) part.start();
}
