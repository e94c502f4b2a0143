import { RowKeys } from "./keyboard.js";

const WIDE = matchMedia("(min-width: 1100px)");
const pane = async () => (await import("./pull-pane.js")).pane;
const isPaneOpen = () => !!document.querySelector(".inbox-columns.has-detail");

class PullKeys extends RowKeys {
    rows = ".pull:not([hidden])";
    acts = {
        ...this.acts,
        o: () => this.#open(),
        s: () => this.row?.querySelector(".actions a")?.click(),
        m: () => this.#act("mute"),
        e: () => this.#act("done"),
        r: () => document.getElementById("act").requestSubmit(),
    };

    constructor() {
        super();
        const { j, k } = this.acts;
        for (const [key, act] of Object.entries({ j, k })) this.acts[key] = () => this.#follow(act);
        for (const key of "npv[]ca") this.acts[key] = () => this.#inPane(key);
    }

    /** In wide windows, the pane shows the row that gets the focus. */
    async #follow(act) {
        act();
        if (WIDE.matches) (await pane()).follow(this.row);
    }

    #inPane = async (key) => isPaneOpen() && (await import("./pull-moves.js")).moves[key]();

    /** Closes the snooze menu and returns to its row, or closes the pane. */
    escape(event) {
        const menu = document.querySelector("#snooze:popover-open");
        const isElsewhere = document.querySelector("dialog[open], .view[open]") || document.activeElement.id === "text";
        if (!menu && isPaneOpen() && !isElsewhere) return this.#close();
        if (!menu) return super.escape(event);
        event.preventDefault();
        const name = document.querySelector(".pull.paneled .name");
        menu.hidePopover();
        name?.focus({ preventScroll: true });
    }

    /** The focus stays in the list. */
    async #close() {
        const { row } = this;
        (await pane()).close();
        if (document.activeElement === document.body) row?.querySelector(".name").focus({ preventScroll: true });
    }

    /** Follows a row's link to GitHub only if it leads to the row's pull request. */
    #open() {
        const link = this.row?.querySelector(".out");
        const [, owner, repository, number] = this.row?.dataset.key.split("/") ?? [];
        if (link?.pathname === `/${owner}/${repository}/pull/${number}`) link.click();
    }

    #act(name) {
        const button = this.row?.querySelector(`[formaction$="/${name}"]`);
        button?.form.requestSubmit(button);
    }
}

const keys = new PullKeys().start();

export const press = (event) => keys.press(event);
