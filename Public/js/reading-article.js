import { ArticleActs } from "./reading-acts.js";
import { ReadingProgress } from "./reading-progress.js";
import { own, token } from "./forms.js";
import { notice } from "./banner.js";

const PAUSE = 400; // milliseconds after the last change of appearance
const BLOCKS = ".body :is(p, li, pre, blockquote, figure, table, h2, h3, h4, h5, h6)";
const CLASSES = { textSize: "text", width: "width", font: "font" };

/** The page of an article: buttons, selection and appearance. Its keys are in article-keys.js. */
class Reader {
    /** The paragraph that the keys have moved to. */
    block = null;
    #timer;
    #unsaved; // the form with unsaved appearance settings

    start() {
        document.addEventListener("click", this.#click);
        document.addEventListener("input", this.#change);
        document.addEventListener("selectionchange", this.#select);
        document.addEventListener("roost:morphed", this.#restore);
        new ReadingProgress(document.getElementById("content"), document.getElementById("reading-line")).start();
        new ArticleActs().start();
    }

    press(act) {
        const button = document.querySelector(`#reader-tools [data-act=${act}]`);
        button?.form?.requestSubmit(button);
        return button;
    }

    /** Moves to the next or previous paragraph, starting at the first visible one. */
    step(step) {
        const blocks = [...document.querySelectorAll(BLOCKS)].filter((block) =>
            block.checkVisibility() && block.textContent.trim() && !block.querySelector(BLOCKS.replace(".body ", "")));
        const at = blocks.indexOf(this.block);
        const first = blocks.findIndex((block) => block.getBoundingClientRect().bottom > 0);
        const block = blocks[at < 0 ? first : at + step];
        if (!block) return;
        this.block?.classList.remove("here");
        this.block = block;
        this.#restore();
        block.tabIndex = -1;
        block.focus({ preventScroll: true });
        block.scrollIntoView({ block: "center" });
    }

    /** Roost's renderings know neither the paragraph nor unsaved settings. */
    #restore = () => {
        this.block?.classList.add("here");
        if (this.#unsaved) this.#apply(this.#unsaved);
    };

    /** Opens the next or previous article of the list that the reader came from. */
    go(step) {
        const order = (sessionStorage.readingOrder ?? "").split(",");
        const at = order.indexOf(document.getElementById("content").dataset.article);
        const key = at < 0 ? "" : order[at + step];
        if (/^\d+$/.test(key)) location.assign(`/reading/${key}`);
        else notice(`This is the ${step > 0 ? "last" : "first"} article in the list.`);
    }

    toggleTools() {
        const menu = document.getElementById("more-tools");
        if (!menu) return;
        menu.open = !menu.open;
        (menu.open ? menu.querySelector("[name=textSize]") : menu.querySelector("summary")).focus();
    }

    // The code for highlights is loaded on first use.

    #select = () => {
        const selection = getSelection();
        if (selection.isCollapsed || !document.querySelector(".body")?.contains(selection.anchorNode)) return;
        document.removeEventListener("selectionchange", this.#select);
        this.highlight((highlights) => highlights.offer());
    };

    #click = async (event) => {
        const { target } = event;
        const link = target.closest("[data-markdown]");
        if (link) {
            event.preventDefault();
            return (await import("./reading-copy.js")).copy(link);
        }
        const menu = document.querySelector("#more-tools[open]");
        if (menu) menu.open = menu.contains(target);
        const mark = target.closest(".body mark[data-highlight]");
        if (mark && getSelection().isCollapsed && !target.closest("a")) {
            this.highlight((highlights) => highlights.open(mark));
        }
    };

    async highlight(act) {
        const script = await import("./reading-highlights.js").catch(() => null);
        if (script) act(script.highlights());
    }

    #change = ({ target: { form, name } }) => {
        if (form?.id !== "appearance" || !CLASSES[name]) return;
        this.#unsaved = form;
        this.#apply(form);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#save(form), PAUSE);
    };

    #apply(form) {
        const article = document.querySelector(".reader");
        for (const [name, prefix] of Object.entries(CLASSES)) {
            const { value } = form.elements[name];
            if (!/^\w+$/.test(value)) continue;
            article.classList.remove(...[...article.classList].filter((each) => each.startsWith(`${prefix}-`)));
            article.classList.add(`${prefix}-${value}`);
        }
    }

    /** Saves the appearance. Nothing on the page moves because of the response or of older renderings. */
    async #save(form) {
        const timer = this.#timer;
        const address = own(form.getAttribute("action"));
        const options = { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { ...token(), "X-Roost-Parts": 1 } };
        const response = await fetch(address, options).catch(() => null);
        if (!response?.ok) notice("Couldn’t save this. It applies here only.");
        else if (timer === this.#timer) this.#saved();
    }

    /** From now on the page accepts Roost's rendering again, and refetches it once as a whole. */
    #saved() {
        this.#unsaved = null;
        const region = document.querySelector(".reader").closest("[data-live]");
        document.dispatchEvent(new CustomEvent("roost:morphed", { detail: region }));
        region.dispatchEvent(new CustomEvent("roost:refresh"));
    }
}

export const reader = new Reader();
reader.start();
import("./reading-offline.js").then(({ Offline }) => new Offline().start(), () => {});
