import { RowKeys } from "./keyboard.js";

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

    /** Closes the snooze menu and returns to its row. */
    escape(event) {
        const menu = document.querySelector("#snooze:popover-open");
        if (!menu) return super.escape(event);
        event.preventDefault();
        const name = document.querySelector(".pull.paneled .name");
        menu.hidePopover();
        name?.focus({ preventScroll: true });
    }

    /** Follows a row's link only if it leads to the row's pull request. */
    #open() {
        const name = this.row?.querySelector(".name");
        const [, owner, repository, number] = this.row?.dataset.key.split("/") ?? [];
        if (name?.pathname === `/${owner}/${repository}/pull/${number}`) name.click();
    }

    #act(name) {
        const button = this.row?.querySelector(`[formaction$="/${name}"]`);
        button?.form.requestSubmit(button);
    }
}

const keys = new PullKeys().start();

export const press = (event) => keys.press(event);
